import { GroundmarkError } from '../../../domain/error.js';
import { chatError } from '../chat-errors.js';
import { ChatError, type ChatRequest, type SentImage } from '../chat-model.js';
import type { BatchDriver, BatchEntry, RawResult } from './batch-driver.js';
import type { BatchHandle, BatchModel, BatchPart, BatchResult } from './batch-model.js';
import { inChunks } from './chunk.js';

/** What a request key may look like in a batch: Anthropic's rule, the narrowest. */
const KEY = /^[A-Za-z0-9_-]{1,64}$/u;

/** A batch model from what its provider does. */
export function makeBatch(driver: BatchDriver): BatchModel {
  const { access } = driver;
  return {
    id: access.id,
    provider: access.provider,
    capabilities: access.capabilities,
    sdk: driver.sdk,
    fingerprint: driver.fingerprint,
    async submit(requests, { signal, onPart }) {
      checkKeys(requests);
      const parts: BatchPart[] = [];
      const sent: Record<string, readonly SentImage[]> = {};
      for await (const entries of inChunks(entriesOf(requests, driver), driver.limits)) {
        if (signal.aborted) throw chatError('aborted', access.id, 'stopped', { unsent: true });
        const id = await driver.create(entries, signal);
        parts.push({ id, keys: entries.map(({ key }) => key) });
        for (const entry of entries) sent[entry.key] = entry.sent;
        await onPart?.({ model: access.id, parts: [...parts], sent: { ...sent } });
      }
      return { model: access.id, parts, sent };
    },
    async poll({ parts }, { signal }) {
      let ended = true;
      let finished: number | null = 0;
      for (const part of parts) {
        const status = await driver.status(part.id, signal);
        ended &&= status.ended;
        const done = status.ended ? part.keys.length : status.finished;
        finished = finished === null || done === null ? null : finished + done;
      }
      const total = parts.reduce((sum, { keys }) => sum + keys.length, 0);
      return { state: ended ? 'ended' : 'running', counts: { total, finished } };
    },
    async *results(handle, { signal }) {
      for (const part of handle.parts) {
        if (!(await driver.status(part.id, signal)).ended) continue;
        yield* partResults(part, handle, driver, signal);
      }
    },
    async cancel({ parts }, { signal }) {
      for (const { id } of parts) await driver.cancel(id, signal);
    },
  };
}

async function* entriesOf(requests: readonly ChatRequest[], driver: BatchDriver): AsyncGenerator<BatchEntry> {
  for (const request of requests) yield driver.entry(request);
}

async function* partResults(
  part: BatchPart,
  { sent }: BatchHandle,
  driver: BatchDriver,
  signal: AbortSignal,
): AsyncGenerator<BatchResult> {
  const open = new Set(part.keys);
  for await (const raw of driver.results(part.id, part.keys, signal)) {
    if (signal.aborted) throw chatError('aborted', driver.access.id, 'stopped');
    // A key of another batch, or one that was told already, is none of ours.
    if (!open.delete(raw.key)) continue;
    yield endOf(raw, sent[raw.key]);
  }
  for (const key of part.keys) {
    if (!open.has(key)) continue;
    const error = chatError('server', driver.access.id, `batch entry ${key} has no result`, { unsent: true });
    yield { key, error };
  }
}

function endOf({ key, read }: RawResult, sent: readonly SentImage[] | undefined): BatchResult {
  try {
    return { key, reply: { ...read(), ...(sent === undefined ? {} : { sent }), attempts: 1 } };
  } catch (error) {
    if (error instanceof ChatError) return { key, error };
    throw error;
  }
}

function checkKeys(requests: readonly ChatRequest[]): void {
  const seen = new Set<string>();
  for (const { key } of requests) {
    if (!KEY.test(key)) {
      throw new GroundmarkError(
        'bad-request-key',
        `Request key ${key} cannot name a batch entry: 1 to 64 letters, digits, - and _ can. This is a bug; report it.`,
        { key },
      );
    }
    if (seen.has(key)) {
      throw new GroundmarkError(
        'duplicate-request-key',
        `Request key ${key} stands twice in one batch, and replies are told apart by it. This is a bug; report it.`,
        { key },
      );
    }
    seen.add(key);
  }
}
