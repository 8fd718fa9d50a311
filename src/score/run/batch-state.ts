import { z } from 'zod';
import type { BatchHandle } from '../../adapters/llm/index.js';
import type { Store } from '../../adapters/store/index.js';
import { GroundmarkError } from '../../domain/error.js';
import { record } from '../../domain/record.js';

const sentSchema = z.object({
  sha256: z.string(),
  width: z.number(),
  height: z.number(),
  bytes: z.number(),
});

/** `batch.json`: what a provider holds for us. Hashes and names only: no key, no text. */
const stateSchema = record({
  /** Epochs that were asked for when it was submitted. */
  epochs: z.number().int().positive(),
  handles: z.array(
    z.object({
      model: z.string(),
      parts: z.array(z.object({ id: z.string(), keys: z.array(z.string()) })),
      sent: z.record(z.string(), z.array(sentSchema)),
    }),
  ),
  /** How often each call was handed in and came back without a reply. */
  tries: z.record(z.string(), z.number().int()),
});

export interface BatchState {
  readonly epochs: number;
  readonly handles: readonly BatchHandle[];
  readonly tries: Readonly<Record<string, number>>;
}

/** @returns null when no batch is under way */
export async function readBatchState(file: string, store: Store): Promise<BatchState | null> {
  if (!(await store.exists(file))) return null;
  try {
    return stateSchema.parse(JSON.parse((await store.read(file)).toString('utf8')));
  } catch {
    throw new GroundmarkError(
      'bad-batch-file',
      `${file} cannot be read, so the batch that it names cannot be fetched. Restore it, or remove it to submit anew.`,
      { path: file },
    );
  }
}

/** Written whole and forced to the disk: what it names is paid for. Removed when nothing is under way any more. */
export async function writeBatchState(file: string, state: BatchState, store: Store): Promise<void> {
  if (state.handles.length === 0) await store.remove(file);
  else await store.write(file, `${JSON.stringify({ schemaVersion: 1, ...state })}\n`);
}
