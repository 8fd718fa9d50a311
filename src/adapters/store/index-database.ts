import { access, constants, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import type * as DuckDb from '@duckdb/node-api';
import type { KeptScan } from '../../domain/kept-scan.js';
import { appendTable } from './append-table.js';
import { fileError } from './file-store.js';
import { SCANS_COLUMNS, SHARED_COLUMNS, SKIPPED_COLUMNS, SLICE_COLUMNS, VIEWS } from './index-columns.js';
import { loadDuckDb } from '../load-packages.js';
import { makeFolder } from './make-folder.js';

/** One row, by the names of the columns; further fields are not in the database. */
type Row = Readonly<Record<string, unknown>>;

export interface IndexDatabaseInput {
  /** The database file that is made or replaced. */
  readonly file: string;
  readonly rows: readonly Row[];
  readonly skipped: readonly Row[];
  /** Kept for a run that reads only what has changed; null: nothing is. */
  readonly scans: KeptScans | null;
  readonly threads: number;
}

export interface KeptScans {
  /** Of the code that scanned: another version's results are of no use. */
  readonly version: string;
  readonly scans: readonly KeptScan[];
}

let counter = 0;

/**
 * Writes the index as a DuckDB database, for SQL over an archive: `rows` (one a frame, columns named as the fields of
 * the index rows), `series`, `volumes` and `skipped`. `rows` joins `slice_values` with `shared_values`, which holds what
 * runs of rows have in common. Replaces the former file whole, or leaves it.
 *
 * @throws {GroundmarkError} `no-permission`, `disk-full`, … when the file cannot be written
 */
export async function writeIndexDatabase(input: IndexDatabaseInput): Promise<void> {
  const duckdb = loadDuckDb();
  // Named as the store names its own, so that what a killed run leaves is swept away with the rest.
  const part = `${input.file}.${process.pid}-${counter++}.tmp`;
  try {
    await makeFolder(path.dirname(input.file));
    // DuckDB would say it in its own words.
    await access(path.dirname(input.file), constants.W_OK);
    const instance = await duckdb.DuckDBInstance.create(part, {
      threads: String(Math.max(1, input.threads)),
      memory_limit: '128MB',
    });
    const connection = await instance.connect();
    try {
      await fill(duckdb, connection, input);
    } finally {
      connection.closeSync();
      instance.closeSync();
    }
    // A log that another program left beside the former database would be played into the new one.
    await rm(`${input.file}.wal`, { force: true });
    await rename(part, input.file);
  } catch (cause) {
    throw fileError(cause, input.file, 'write');
  } finally {
    // What went wrong, if anything, is told already.
    for (const file of [part, `${part}.wal`]) await rm(file, { force: true }).catch(() => undefined);
  }
}

async function fill(
  duckdb: typeof DuckDb,
  connection: DuckDb.DuckDBConnection,
  { rows, skipped, scans }: IndexDatabaseInput,
): Promise<void> {
  const shared: Row[] = [];
  // One transaction: what is flushed goes into the file, and not into a log first.
  await connection.run('BEGIN');
  await appendTable(
    duckdb,
    connection,
    'slice_values',
    { row: 'INTEGER', group: 'INTEGER', ...SLICE_COLUMNS },
    sliceValues(rows, shared),
  );
  await appendTable(
    duckdb,
    connection,
    'shared_values',
    { group: 'INTEGER', ...SHARED_COLUMNS },
    valuesOf(shared, Object.keys(SHARED_COLUMNS), true),
  );
  const names = Object.keys(SKIPPED_COLUMNS);
  await appendTable(duckdb, connection, 'skipped', SKIPPED_COLUMNS, valuesOf(skipped, names, false));
  await appendTable(duckdb, connection, 'scans', SCANS_COLUMNS, scanValues(scans));
  await connection.run(VIEWS);
  await connection.run('COMMIT');
  await connection.run('CHECKPOINT');
}

/** A run of rows, its number and what they share. */
interface Group {
  readonly number: number;
  readonly values: readonly unknown[];
}

/**
 * What changes from slice to slice, as values behind the row's number and its group's.
 *
 * @param shared - takes the first row of every group of rows that agree in the shared columns
 */
function* sliceValues(rows: readonly Row[], shared: Row[]): Generator<readonly unknown[]> {
  const names = Object.keys(SLICE_COLUMNS);
  const common = Object.keys(SHARED_COLUMNS);
  // By volume: the frames of two volumes may alternate in one file.
  const latest = new Map<unknown, Group>();
  const values: unknown[] = [];
  for (let number = 0; number < rows.length; number++) {
    const row = rows[number]!;
    let group = latest.get(row['volumeId']);
    if (!group || !agrees(row, common, group.values)) {
      group = { number: shared.length, values: common.map((name) => row[name]) };
      latest.set(row['volumeId'], group);
      shared.push(row);
    }
    values[0] = number;
    values[1] = group.number;
    for (let i = 0; i < names.length; i++) values[i + 2] = row[names[i]!];
    yield values;
  }
}

function agrees(row: Row, names: readonly string[], values: readonly unknown[]): boolean {
  for (let i = 0; i < names.length; i++) if (row[names[i]!] !== values[i]) return false;
  return true;
}

function* valuesOf(rows: readonly Row[], names: readonly string[], numbered: boolean): Generator<unknown[]> {
  for (const [number, row] of rows.entries()) {
    const values = names.map((name) => row[name]);
    yield numbered ? [number, ...values] : values;
  }
}

function* scanValues(kept: KeptScans | null): Generator<unknown[]> {
  for (const { files, results } of kept?.scans ?? []) yield [kept!.version, files, results];
}
