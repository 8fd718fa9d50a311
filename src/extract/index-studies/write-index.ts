import type { Deps } from '../../adapters/deps.js';
import { writeIndexDatabase, writeJsonl, type KeptScans } from '../../adapters/store/index.js';
import type { IndexRow, SkippedFile } from '../../domain/index-row.js';

export interface WriteIndexInput {
  readonly rows: readonly IndexRow[];
  readonly skipped: readonly SkippedFile[];
  /** JSONL of the rows; null: none is kept. */
  readonly rowsFile: string | null;
  /** DuckDB database; null: none is made. */
  readonly databaseFile: string | null;
  /** Goes into the database, for a run that reads only what has changed; null or absent: nothing does. */
  readonly scans?: KeptScans | null;
}

/** Writes an index as JSONL and as a database. Each is written whole or not at all. */
export async function writeIndex(input: WriteIndexInput, deps: Pick<Deps, 'store' | 'queue'>): Promise<void> {
  const { rows, skipped, rowsFile, databaseFile, scans = null } = input;
  if (rowsFile !== null) await writeJsonl(deps.store, rowsFile, rows);
  if (databaseFile === null) return;
  await writeIndexDatabase({ file: databaseFile, rows, skipped, scans, threads: deps.queue.workers });
}
