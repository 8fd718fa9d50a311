import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { imageFile, words } from '../helpers/dicom-image.js';
import { temporaryFiles } from '../helpers/temporary.js';
import { runMain } from './run-main.js';

const file = temporaryFiles();

/** A workspace of one case, and a folder of others. */
async function workspace() {
  const root = path.join(path.dirname(file('marker', '')), 'ws');
  await runMain('init', root);
  const cases = file('ws/cases.csv', 'case_id,patient_id,dicom_path,report_path\na,p,data,r.txt\n');
  const image = imageFile({ rows: 1, columns: 2, pixels: words(1, 2) });
  file('ws/data/1.dcm', image);
  const foreign = path.dirname(file('foreign/2.dcm', image));
  return { root, cases, foreign, database: path.join(root, '.groundmark', 'index.duckdb') };
}

describe('groundmark index in a workspace', () => {
  it('writes the workspace’s database for its own cases', async () => {
    const { root, cases, database } = await workspace();
    const { code, stdout } = await runMain('index', cases, '-w', root, '--json', '--workers', '1');
    expect([code, JSON.parse(stdout)]).toMatchObject([0, { files: 1, database }]);
    expect(existsSync(database)).toBe(true);
  });

  it('leaves it alone for anything else, and says so', async () => {
    const { root, cases, foreign, database } = await workspace();
    await runMain('index', cases, '-w', root, '--json', '--workers', '1');
    const before = readFileSync(database);
    const said = await runMain('index', foreign, '-w', root, '--json', '--workers', '1');
    expect([said.code, JSON.parse(said.stdout)]).toMatchObject([0, { files: 1, database: null }]);
    expect(said.stderr).toContain('--db FILE');
    expect(readFileSync(database).equals(before)).toBe(true);
    const other = file('other.duckdb', '');
    const named = await runMain('index', foreign, '-w', root, '--db', other, '--json', '--workers', '1');
    expect(JSON.parse(named.stdout)).toMatchObject({ database: other });
  });

  it('shows no control character of a header on the terminal', async () => {
    const bytes = imageFile({ rows: 1, columns: 2, pixels: words(1, 2) });
    const folder = path.dirname(file('bell/1\u0007.dcm', bytes));
    mkdirSync(path.join(folder, 'empty'));
    file('bell/no\u001B[31m.dcm', 'no DICOM');
    const { stdout } = await runMain('index', folder, '--workers', '1');
    expect(stdout.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u);
    expect(stdout).toContain('no\uFFFD[31m.dcm');
  });

  it('counts a file once that two sources hold', async () => {
    const { foreign } = await workspace();
    const { stdout } = await runMain('index', foreign, `${foreign}/../foreign`, '--json', '--workers', '1');
    expect(JSON.parse(stdout)).toMatchObject({
      files: 2,
      instances: 1,
      frames: 1,
      duplicates: 0,
      skipped: [{ reason: 'same-file' }],
    });
  });
});
