import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { writeIndexDatabase } from '../../../src/adapters/store/index.js';
import type { IndexRow } from '../../../src/domain/index-row.js';
import { runIndex, writeIndex } from '../../../src/extract/index-studies/index.js';
import { testDeps } from '../../helpers/deps.js';
import { describeShared, sharedPath } from '../../helpers/shared.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'groundmark-database-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function ask(file: string, sql: string): Promise<Record<string, unknown>[]> {
  const instance = await DuckDBInstance.create(file, { access_mode: 'READ_ONLY' });
  const connection = await instance.connect();
  try {
    return (await connection.runAndReadAll(sql)).getRowObjectsJson();
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

const row = (z: number, more: Record<string, unknown> = {}): Record<string, unknown> => ({
  schemaVersion: 1,
  caseId: 'O\'Neil "1"',
  path: `a folder/${z}.dcm`,
  frame: 0,
  studyInstanceUid: '1.2',
  seriesInstanceUid: '1.2.3',
  sopInstanceUid: `1.2.3.${z}`,
  modality: 'MR',
  seriesDescription: 'T2 größer\n"quoted"',
  rows: 16,
  columns: 8,
  imagePositionPatient: [0, -1.5, z],
  imageType: ['ORIGINAL', 'PRIMARY'],
  windowCenter: [40, 600],
  windowWidth: 400,
  volumeId: 'vol-1',
  position: z,
  orderedBy: 'position',
  duplicateOf: null,
  ...more,
});

describe('The index database', () => {
  it('gives the rows back by SQL, text and lists unchanged, in their order', async () => {
    const file = path.join(folder, 'index.duckdb');
    const rows = [row(0), row(1), row(2, { windowCenter: null, echoTimeMs: 85.5 })];
    await writeIndexDatabase({ file, rows, skipped: [], scans: null, threads: 1 });
    const found = await ask(file, 'SELECT * FROM "rows" ORDER BY "position"');
    expect(found).toHaveLength(3);
    expect(found[1]).toMatchObject({
      caseId: 'O\'Neil "1"',
      path: 'a folder/1.dcm',
      seriesDescription: 'T2 größer\n"quoted"',
      imagePositionPatient: [0, -1.5, 1],
      imageType: ['ORIGINAL', 'PRIMARY'],
      windowCenter: '[40,600]',
      echoTimeMs: null,
    });
    expect(found[2]).toMatchObject({ windowCenter: null, echoTimeMs: 85.5 });
    expect(await readdir(folder)).toEqual(['index.duckdb']);
  });

  it('counts series and volumes, and lists skipped files with their reasons', async () => {
    const file = path.join(folder, 'index.duckdb');
    const rows = [
      row(0),
      row(1),
      row(0, { seriesInstanceUid: '9.9', volumeId: 'vol-2', sopInstanceUid: '9.9.1' }),
    ];
    const skipped = [{ path: 'x.txt', reason: 'not-dicom', caseId: null }];
    await writeIndexDatabase({ file, rows, skipped, scans: null, threads: 2 });
    expect(
      await ask(
        file,
        'SELECT "seriesInstanceUid", instances, volumes FROM series ORDER BY "seriesInstanceUid"',
      ),
    ).toEqual([
      { seriesInstanceUid: '1.2.3', instances: '2', volumes: '1' },
      { seriesInstanceUid: '9.9', instances: '1', volumes: '1' },
    ]);
    expect(await ask(file, 'SELECT "volumeId", slices FROM volumes ORDER BY "volumeId"')).toEqual([
      { volumeId: 'vol-1', slices: '2' },
      { volumeId: 'vol-2', slices: '1' },
    ]);
    expect(await ask(file, 'SELECT path, reason FROM skipped')).toEqual([
      { path: 'x.txt', reason: 'not-dicom' },
    ]);
  });

  it('replaces the former database, and is empty without rows', async () => {
    const file = path.join(folder, 'index.duckdb');
    await writeIndexDatabase({ file, rows: [row(0)], skipped: [], scans: null, threads: 1 });
    await writeIndexDatabase({ file, rows: [], skipped: [], scans: null, threads: 1 });
    expect(await ask(file, 'SELECT count(*) AS n FROM "rows"')).toEqual([{ n: '0' }]);
  });

  it('stays as it was when the new one cannot be made', async () => {
    const file = path.join(folder, 'index.duckdb');
    await writeIndexDatabase({ file, rows: [row(0)], skipped: [], scans: null, threads: 1 });
    const broken = [row(1), row(2, { path: 5 })];
    await expect(
      writeIndexDatabase({ file, rows: broken, skipped: [], scans: null, threads: 1 }),
    ).rejects.toMatchObject({ name: 'GroundmarkError' });
    expect(await ask(file, 'SELECT "position" FROM "rows"')).toEqual([{ position: 0 }]);
    expect(await readdir(folder)).toEqual(['index.duckdb']);
  });

  it('takes no log of another program that lies beside the former one', async () => {
    const file = path.join(folder, 'index.duckdb');
    await writeIndexDatabase({ file, rows: [row(0)], skipped: [], scans: null, threads: 1 });
    await writeFile(`${file}.wal`, 'of the former database');
    await writeIndexDatabase({ file, rows: [row(0), row(1)], skipped: [], scans: null, threads: 1 });
    expect(await ask(file, 'SELECT count(*)::INTEGER AS n FROM "rows"')).toEqual([{ n: 2 }]);
    expect(await readdir(folder)).toEqual(['index.duckdb']);
  });

  it('keeps more rows than are handed over at once', async () => {
    const file = path.join(folder, 'index.duckdb');
    const rows = Array.from({ length: 5000 }, (_, z) => row(z, { seriesDescription: z < 2048 ? null : 'b' }));
    await writeIndexDatabase({ file, rows, skipped: [], scans: null, threads: 2 });
    const sql =
      'SELECT count(*)::INTEGER AS n, count("seriesDescription")::INTEGER AS described, ' +
      'sum("position")::INTEGER AS sum, sum("imagePositionPatient"[3]) AS z FROM "rows"';
    // 0 + 1 + … + 4999 = 12,497,500.
    expect(await ask(file, sql)).toEqual([{ n: 5000, described: 2952, sum: 12_497_500, z: 12_497_500 }]);
    const last = 'SELECT "path" FROM "rows" ORDER BY "position" DESC LIMIT 1';
    expect(await ask(file, last)).toEqual([{ path: 'a folder/4999.dcm' }]);
  });

  it('says which file cannot be written, and leaves nothing beside it', async () => {
    await writeFile(path.join(folder, 'a-file'), '');
    const file = path.join(folder, 'a-file', 'index.duckdb');
    await expect(
      writeIndexDatabase({ file, rows: [row(0)], skipped: [], scans: null, threads: 1 }),
    ).rejects.toMatchObject({ name: 'GroundmarkError' });
    expect(await readdir(folder)).toEqual(['a-file']);
  });
});

describeShared('The index database of the shared DICOM set', 'dicom', () => {
  it('holds every row of the index, field by field', async () => {
    const file = path.join(folder, 'index.duckdb');
    const deps = testDeps();
    const sources = [{ caseId: null, root: sharedPath('dicom', 'cases'), shownRoot: '' }];
    const { rows, summary } = await runIndex({ sources }, deps);
    await writeIndex({ rows, skipped: summary.skipped, rowsFile: null, databaseFile: file }, deps);
    const found = await ask(file, 'SELECT * FROM "rows"');
    expect(found).toHaveLength(rows.length);
    const key = (one: Record<string, unknown>): string => `${String(one['path'])}#${String(one['frame'])}`;
    const byKey = new Map(found.map((one) => [key(one), one]));
    const lists: readonly (keyof IndexRow)[] = ['windowCenter', 'windowWidth', 'mosaic'];
    const wrong: string[] = [];
    for (const own of rows) {
      const other = byKey.get(key(own));
      for (const [name, value] of Object.entries(own)) {
        if (name === 'schemaVersion') continue;
        const stored = other?.[name];
        const read =
          lists.includes(name) && typeof stored === 'string' ? (JSON.parse(stored) as unknown) : stored;
        if (JSON.stringify(read) !== JSON.stringify(value))
          wrong.push(`${key(own)} ${name}: ${JSON.stringify(read)}`);
      }
    }
    expect(wrong.slice(0, 5)).toEqual([]);
    expect(await ask(file, 'SELECT count(*)::INTEGER AS n FROM skipped')).toEqual([
      { n: summary.skipped.length },
    ]);
  });
});
