import { rename, rm } from 'node:fs/promises';
import path from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { fileError } from './file-store.js';
import { writeJsonl } from './jsonl.js';
import { makeFolder } from './make-folder.js';
import type { Store } from './store.js';

/** SQL types of the columns of `rows`; names are those of the index rows. Lists are as long as the row's. */
const ROW_COLUMNS: Readonly<Record<string, string>> = {
  caseId: 'VARCHAR',
  path: 'VARCHAR',
  frame: 'INTEGER',
  studyInstanceUid: 'VARCHAR',
  seriesInstanceUid: 'VARCHAR',
  sopInstanceUid: 'VARCHAR',
  sopClassUid: 'VARCHAR',
  transferSyntaxUid: 'VARCHAR',
  modality: 'VARCHAR',
  seriesNumber: 'DOUBLE',
  instanceNumber: 'DOUBLE',
  rows: 'INTEGER',
  columns: 'INTEGER',
  numberOfFrames: 'INTEGER',
  bitsAllocated: 'INTEGER',
  bitsStored: 'INTEGER',
  pixelRepresentation: 'INTEGER',
  samplesPerPixel: 'INTEGER',
  photometricInterpretation: 'VARCHAR',
  imagePositionPatient: 'DOUBLE[]',
  imageOrientationPatient: 'DOUBLE[]',
  pixelSpacingMm: 'DOUBLE[]',
  sliceThicknessMm: 'DOUBLE',
  rescaleSlope: 'DOUBLE',
  rescaleIntercept: 'DOUBLE',
  windowCenter: 'JSON',
  windowWidth: 'JSON',
  seriesDescription: 'VARCHAR',
  bodyPartExamined: 'VARCHAR',
  imageType: 'VARCHAR[]',
  convolutionKernel: 'VARCHAR',
  frameOfReferenceUid: 'VARCHAR',
  acquisitionNumber: 'DOUBLE',
  echoNumber: 'DOUBLE',
  echoTimeMs: 'DOUBLE',
  inversionTimeMs: 'DOUBLE',
  bValue: 'DOUBLE',
  gradientDirection: 'DOUBLE[]',
  temporalPosition: 'DOUBLE',
  triggerTimeMs: 'DOUBLE',
  stackId: 'VARCHAR',
  protocolName: 'VARCHAR',
  sequenceName: 'VARCHAR',
  scanOptions: 'VARCHAR[]',
  contrastBolusAgent: 'VARCHAR',
  gantryDetectorTiltDegrees: 'DOUBLE',
  spacingBetweenSlicesMm: 'DOUBLE',
  sliceLocation: 'DOUBLE',
  nominalPercentageOfCardiacPhase: 'DOUBLE',
  anatomicRegion: 'VARCHAR',
  burnedInAnnotation: 'VARCHAR',
  conversionType: 'VARCHAR',
  rescaleType: 'VARCHAR',
  units: 'VARCHAR',
  mosaic: 'JSON',
  volumeId: 'VARCHAR',
  position: 'INTEGER',
  orderedBy: 'VARCHAR',
  splitBy: 'VARCHAR[]',
  duplicateOf: 'VARCHAR',
};

const SKIPPED_COLUMNS: Readonly<Record<string, string>> = {
  caseId: 'VARCHAR',
  path: 'VARCHAR',
  reason: 'VARCHAR',
  modality: 'VARCHAR',
};

const VIEWS = `
CREATE VIEW volumes AS
  SELECT "caseId", "volumeId", any_value("studyInstanceUid") AS "studyInstanceUid",
    any_value("seriesInstanceUid") AS "seriesInstanceUid", any_value("modality") AS "modality",
    any_value("seriesDescription") AS "seriesDescription", count(*) AS slices,
    any_value("rows") AS "rows", any_value("columns") AS "columns",
    any_value("sliceThicknessMm") AS "sliceThicknessMm", any_value("orderedBy") AS "orderedBy",
    count("duplicateOf") AS duplicates
  FROM "rows" GROUP BY "caseId", "volumeId";
CREATE VIEW series AS
  SELECT "caseId", "studyInstanceUid", "seriesInstanceUid", any_value("modality") AS "modality",
    any_value("seriesNumber") AS "seriesNumber", any_value("seriesDescription") AS "seriesDescription",
    count(DISTINCT "sopInstanceUid") AS instances, count(*) AS frames, count(DISTINCT "volumeId") AS volumes
  FROM "rows" GROUP BY "caseId", "studyInstanceUid", "seriesInstanceUid";
`;

/** Columns that change from slice to slice. The others are the same for many rows, and are given to the database once. */
const SLICE_COLUMNS: ReadonlySet<string> = new Set([
  'path',
  'frame',
  'sopInstanceUid',
  'instanceNumber',
  'imagePositionPatient',
  'sliceLocation',
  'acquisitionNumber',
  'temporalPosition',
  'triggerTimeMs',
  'bValue',
  'rescaleSlope',
  'rescaleIntercept',
  'position',
  'duplicateOf',
]);

/** One row, by the names of the columns; further fields are not in the database. */
type Row = Readonly<Record<string, unknown>>;

export interface IndexDatabaseInput {
  /** The database file that is made or replaced. */
  readonly file: string;
  readonly rows: readonly Row[];
  readonly skipped: readonly Row[];
  readonly threads: number;
}

/**
 * Writes the index as a DuckDB database, for SQL over an archive: `rows` (one a frame, columns named as the fields of
 * the index rows), `series`, `volumes` and `skipped`. `rows` joins `slice_values` with `shared_values`, which holds what
 * runs of rows have in common. Replaces the former file whole, or leaves it.
 *
 * @throws {GroundmarkError} `no-permission`, `disk-full`, … when the file cannot be written
 */
export async function writeIndexDatabase(input: IndexDatabaseInput, store: Store): Promise<void> {
  // Loaded only here: its native library costs other commands a tenth of a second.
  const { DuckDBInstance } = await import('@duckdb/node-api');
  const part = `${input.file}.part`;
  const temporary = (name: string): string => `${part}.${name}.jsonl`;
  try {
    await makeFolder(path.dirname(input.file));
    await rm(part, { force: true });
    const { slices, groups } = divided(input.rows);
    await writeJsonl(store, temporary('slices'), slices);
    await writeJsonl(store, temporary('groups'), groups);
    await writeJsonl(store, temporary('skipped'), input.skipped);
    const instance = await DuckDBInstance.create(part, {
      threads: String(Math.max(1, input.threads)),
      memory_limit: '256MB',
    });
    const connection = await instance.connect();
    try {
      await fill(connection, temporary);
    } finally {
      connection.closeSync();
      instance.closeSync();
    }
    await rename(part, input.file);
  } catch (cause) {
    throw fileError(cause, input.file, 'write');
  } finally {
    const left = [part, `${part}.wal`, ...['slices', 'groups', 'skipped'].map(temporary)];
    // What went wrong, if anything, is told already.
    for (const file of left) await rm(file, { force: true }).catch(() => undefined);
  }
}

async function fill(connection: DuckDBConnection, temporary: (name: string) => string): Promise<void> {
  const typed = Object.entries(ROW_COLUMNS);
  const slice = typed.filter(([name]) => SLICE_COLUMNS.has(name));
  const group = typed.filter(([name]) => !SLICE_COLUMNS.has(name));
  const columns = typed.map(([name]) => `${SLICE_COLUMNS.has(name) ? 's' : 'g'}.${quoted(name)}`);
  await connection.run(
    `CREATE TABLE slice_values AS SELECT * FROM ` +
      jsonTable(temporary('slices'), [['row', 'INTEGER'], ['group', 'INTEGER'], ...slice]),
  );
  await connection.run(
    `CREATE TABLE shared_values AS SELECT * FROM ${jsonTable(temporary('groups'), [['group', 'INTEGER'], ...group])}`,
  );
  // As a view: storing sixty columns for every row would cost more than reading all the headers.
  await connection.run(
    `CREATE VIEW "rows" AS SELECT ${columns.join(', ')} FROM slice_values s JOIN shared_values g USING ("group")`,
  );
  const skipped = Object.entries(SKIPPED_COLUMNS);
  await connection.run(`CREATE TABLE skipped AS SELECT * FROM ${jsonTable(temporary('skipped'), skipped)}`);
  await connection.run(VIEWS);
  await connection.run('CHECKPOINT');
}

/** Rows as what changes from slice to slice, and what runs of them have in common. */
function divided(rows: readonly Row[]): { slices: Row[]; groups: Row[] } {
  const common = Object.keys(ROW_COLUMNS).filter((name) => !SLICE_COLUMNS.has(name));
  const own = [...SLICE_COLUMNS];
  const slices: Row[] = [];
  const groups: Row[] = [];
  let last: Row | null = null;
  for (const [row, values] of rows.entries()) {
    if (last === null || common.some((name) => values[name] !== last![name])) {
      groups.push(picked(values, common, { group: groups.length }));
      last = values;
    }
    slices.push(picked(values, own, { row, group: groups.length - 1 }));
  }
  return { slices, groups };
}

function picked(values: Row, names: readonly string[], into: Record<string, unknown>): Row {
  for (const name of names) {
    const value = values[name];
    if (value !== null && value !== undefined) into[name] = value;
  }
  return into;
}

function jsonTable(file: string, columns: readonly (readonly [string, string])[]): string {
  const types = columns.map(([name, type]) => `${literal(name)}: ${literal(type)}`).join(', ');
  return (
    `read_json(${literal(file)}, format = 'newline_delimited', columns = {${types}}, ` +
    `maximum_object_size = 4194304)`
  );
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
