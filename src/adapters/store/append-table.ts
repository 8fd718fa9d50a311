import type * as DuckDb from '@duckdb/node-api';
import { quoted, type Columns, type ColumnType } from './index-columns.js';

/** Rows that are handed over at once: DuckDB's own vector size, and the most that it takes. */
const CHUNK_ROWS = 2048;
/** Chunks after which the appender passes on what it holds: it would hold a hundred of them. */
const FLUSH_CHUNKS = 16;

/**
 * Makes a table and fills it, column by column in chunks: the fastest way in.
 *
 * @param columns - names and types of the table, in order
 * @param rows - each as its values in the order of the columns; undefined counts as null. A row may be changed by its
 *   owner once the next one is asked for
 */
export async function appendTable(
  duckdb: typeof DuckDb,
  connection: DuckDb.DuckDBConnection,
  table: string,
  columns: Columns,
  rows: Iterable<readonly unknown[]>,
): Promise<void> {
  const names = Object.entries(columns);
  const sql = names.map(([name, type]) => `${quoted(name)} ${type}`).join(', ');
  await connection.run(`CREATE TABLE ${quoted(table)} (${sql})`);
  const appender = await connection.createAppender(table);
  const kinds = names.map(([, type]) => kindOf(duckdb, type));
  const chunk = duckdb.DuckDBDataChunk.create(kinds.map(({ type }) => type));
  const held: DuckDb.DuckDBValue[][] = kinds.map(() => []);
  let count = 0;
  let chunks = 0;
  const handOver = (): void => {
    chunk.reset();
    chunk.rowCount = count;
    held.forEach((values, column) => {
      values.length = count;
      chunk.setColumnValues(column, values);
    });
    appender.appendDataChunk(chunk);
    if (++chunks % FLUSH_CHUNKS === 0) appender.flushSync();
    count = 0;
  };
  try {
    for (const row of rows) {
      for (let column = 0; column < kinds.length; column++) {
        const value = row[column];
        held[column]![count] = value === null || value === undefined ? null : kinds[column]!.of(value);
      }
      if (++count === CHUNK_ROWS) handOver();
    }
    if (count > 0) handOver();
  } finally {
    appender.closeSync();
  }
}

/** How a column's values are handed over. */
interface Kind {
  readonly type: DuckDb.DuckDBType;
  readonly of: (value: unknown) => DuckDb.DuckDBValue;
}

function kindOf({ DOUBLE, INTEGER, LIST, VARCHAR, listValue }: typeof DuckDb, type: ColumnType): Kind {
  const plain = (value: unknown): DuckDb.DuckDBValue => value as DuckDb.DuckDBValue;
  const list = (value: unknown): DuckDb.DuckDBValue => listValue(value as DuckDb.DuckDBValue[]);
  switch (type) {
    case 'INTEGER':
      return { type: INTEGER, of: plain };
    case 'DOUBLE':
      return { type: DOUBLE, of: plain };
    case 'DOUBLE[]':
      return { type: LIST(DOUBLE), of: list };
    case 'VARCHAR[]':
      return { type: LIST(VARCHAR), of: list };
    case 'JSON':
      return { type: VARCHAR, of: (value) => JSON.stringify(value) };
    case 'VARCHAR':
      return { type: VARCHAR, of: plain };
  }
}
