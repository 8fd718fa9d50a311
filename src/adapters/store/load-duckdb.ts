import { createRequire } from 'node:module';
import type * as DuckDb from '@duckdb/node-api';

/**
 * DuckDB, loaded when it is first asked for: its native library costs other commands a tenth of a second.
 *
 * By `require`: `import` of a CommonJS package reads all of its sixty files twice, and takes more than twice as long.
 */
export function loadDuckDb(): typeof DuckDb {
  return createRequire(import.meta.url)('@duckdb/node-api') as typeof DuckDb;
}
