import type { z } from 'zod';
import { GroundmarkError } from '../../domain/error.js';
import type { Store } from './store.js';

/** Records as JSONL text: one a line, keys in the records' own order, a final line feed. */
export function toJsonl(records: readonly unknown[]): string {
  return records.map((record) => JSON.stringify(record) + '\n').join('');
}

/**
 * The records of a JSONL text, each checked by a schema.
 *
 * @throws {GroundmarkError} `bad-line` naming file, line and field. The value itself is not repeated: it may be private.
 */
export function parseJsonl<T>(text: string, schema: z.ZodType<T>, file: string): T[] {
  const records: T[] = [];
  text
    .replace(/^\uFEFF/, '')
    .split('\n')
    .forEach((line, i) => {
      if (line.trim() === '') return;
      let value: unknown;
      try {
        value = JSON.parse(line);
      } catch {
        throw new GroundmarkError(
          'bad-line',
          `${file}, line ${i + 1}: not JSON. Each line must be one JSON object.`,
          { file, line: i + 1 },
        );
      }
      const parsed = schema.safeParse(value);
      if (!parsed.success) {
        const issue = parsed.error.issues[0]!;
        const field = issue.path.join('.') || '(the whole record)';
        throw new GroundmarkError('bad-line', `${file}, line ${i + 1}, field ${field}: ${issue.message}.`, {
          file,
          line: i + 1,
          field,
        });
      }
      records.push(parsed.data);
    });
  return records;
}

/** Reads a JSONL file through a schema. */
export async function readJsonl<T>(store: Store, file: string, schema: z.ZodType<T>): Promise<T[]> {
  return parseJsonl((await store.read(file)).toString('utf8'), schema, file);
}

/** Writes records as JSONL, whole or not at all; at most a few hundred of them are held as text. */
export async function writeJsonl(store: Store, file: string, records: readonly unknown[]): Promise<void> {
  if (records.length <= PIECE_RECORDS) await store.write(file, toJsonl(records));
  else await store.write(file, { pieces: jsonlPieces(records) });
}

const PIECE_RECORDS = 256;

function* jsonlPieces(records: readonly unknown[]): Generator<string> {
  for (let i = 0; i < records.length; i += PIECE_RECORDS) yield toJsonl(records.slice(i, i + PIECE_RECORDS));
}
