import { existsSync } from 'node:fs';
import { keptFilesSchema, type KeptScan } from '../../domain/kept-scan.js';
import { loadDuckDb } from '../load-packages.js';

/**
 * What the last run kept in an index database for one that reads only what has changed.
 *
 * @param version - of the code that runs now; what another version kept is left out
 * @returns [] when there is no database or it keeps nothing; null when it cannot be read
 */
export async function readKeptScans(file: string, version: string): Promise<KeptScan[] | null> {
  if (!existsSync(file)) return [];
  const { DuckDBInstance } = loadDuckDb();
  try {
    const instance = await DuckDBInstance.create(file, { access_mode: 'READ_ONLY' });
    const connection = await instance.connect();
    try {
      const sql = 'SELECT files, results FROM scans WHERE version = $version';
      const rows = (await connection.runAndReadAll(sql, { version })).getRows() as [string, string][];
      return rows.map(([files, results]) => ({ files: keptFilesSchema.parse(JSON.parse(files)), results }));
    } finally {
      connection.closeSync();
      instance.closeSync();
    }
  } catch {
    // Damaged, in use by another program, or of an older version: the files themselves are read instead.
    return null;
  }
}
