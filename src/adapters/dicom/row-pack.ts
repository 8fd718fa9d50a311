import { SCHEMA_VERSION } from '../../domain/schema-version.js';
import type { HeaderRow } from './header-row.js';
import type { ScanResult } from './scan-job.js';

/**
 * Scan results on their way between threads: of each row only the fields that differ from the row before it. Files of one
 * series agree in nearly everything, so a row is some hundred bytes, and the rows that come out share their values.
 */
interface PackedBatch {
  readonly fields: readonly string[];
  /** For each file its rows, each as [field number, value, …], or its refusal. */
  readonly files: readonly (readonly (readonly unknown[])[] | Refusal)[];
}

type Refusal = Exclude<ScanResult, { readonly rows: unknown }>;

/** A batch's results as text. The rows' `path` is left out: whoever asked knows it. */
export function packResults(results: readonly ScanResult[]): string {
  const fields: string[] = [];
  const previous: unknown[] = [];
  const files = results.map((result) => {
    if (!('rows' in result)) return result;
    return result.rows.map((row) => {
      if (fields.length === 0) fields.push(...Object.keys(row).filter((field) => field !== 'path'));
      const changes: unknown[] = [];
      for (let i = 0; i < fields.length; i++) {
        const value = (row as unknown as Record<string, unknown>)[fields[i]!];
        if (i < previous.length && same(value, previous[i])) continue;
        changes.push(i, value);
        previous[i] = value;
      }
      return changes;
    });
  });
  return JSON.stringify({ fields, files } satisfies PackedBatch);
}

/**
 * The results of a packed batch.
 *
 * @param paths - what stands in the rows' `path`, in the order in which the files were scanned
 * @param further - fields that every row gets behind its own. Whoever completes the rows names them here: an object that
 *   is given its sixtieth field later becomes a slow one of four times the size.
 */
export function unpackResults(
  text: string,
  paths: readonly string[],
  further: Readonly<Record<string, unknown>> = {},
): ScanResult[] {
  const { fields, files } = JSON.parse(text) as PackedBatch;
  let last = emptyRow(fields, further);
  return files.map((file, i) => {
    if (!Array.isArray(file)) return file as Refusal;
    return {
      rows: (file as readonly (readonly unknown[])[]).map((changes) => {
        const row = { ...last };
        row['path'] = paths[i];
        for (let k = 0; k < changes.length; k += 2) row[fields[changes[k] as number]!] = changes[k + 1];
        last = row;
        return row as unknown as HeaderRow;
      }),
    };
  });
}

/** A row with a place for every field. By way of JSON: the parser makes objects of one shape for all batches. */
function emptyRow(
  fields: readonly string[],
  further: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const places = {
    schemaVersion: SCHEMA_VERSION,
    path: '',
    ...Object.fromEntries(fields.map((field) => [field, null])),
  };
  return JSON.parse(JSON.stringify({ ...places, ...further })) as Record<string, unknown>;
}

/** Equal text, numbers and lists of them; records are always taken for different. */
function same(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}
