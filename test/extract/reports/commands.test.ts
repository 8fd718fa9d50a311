import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { command as findings } from '../../../src/cli/commands/findings.js';
import { command as mentions } from '../../../src/cli/commands/mentions.js';
import { testDeps } from '../../helpers/deps.js';

let root: string;
const common = { workspace: '/', json: true, seedGiven: false };
beforeEach(async () => {
  root = await mkdtemp(path.join(os.tmpdir(), 'reports-'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

const jsonl = async (file: string): Promise<Record<string, unknown>[]> =>
  (await readFile(file, 'utf8'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

describe('groundmark findings', () => {
  it('reads files and folders of .txt once each, and counts empty reports', async () => {
    await mkdir(path.join(root, 'sub'));
    await writeFile(path.join(root, 'b.txt'), 'FINDINGS: There is a mass in the left kidney.');
    await writeFile(path.join(root, 'sub', 'a.TXT'), '');
    await writeFile(path.join(root, 'notes.md'), 'FINDINGS: not a report.');
    const out = path.join(root, 'f.jsonl');
    const result = await findings.run([root, path.join(root, 'b.txt')], { out }, common, testDeps());
    expect(result.json).toEqual({
      reports: 2,
      empty: 1,
      sentences: 1,
      findings: 1,
      encodings: { 'utf-8': 2, 'windows-1252': 0 },
      out,
    });
    expect((await jsonl(out)).map((one) => one['reportId'])).toEqual([`${root}/b.txt`, `${root}/sub/a.TXT`]);
    expect(result.text!.join('\n')).not.toMatch(/kidney/);
  });

  it('gives the records in the result when no file is asked for', async () => {
    await writeFile(path.join(root, 'b.txt'), 'FINDINGS: No mass.');
    const result = await findings.run([path.join(root, 'b.txt')], {}, common, testDeps());
    expect(result.json).toMatchObject({ reports: 1, records: [{ sentences: [{ polarity: 'negated' }] }] });
  });

  it('says that a model engine is not built yet (exit 2) and that a file is missing (exit 3)', async () => {
    await expect(findings.run(['x.txt'], { engine: 'openai/m' }, common, testDeps())).rejects.toMatchObject({
      code: 'not-built-yet',
      exit: 2,
    });
    await expect(findings.run([path.join(root, 'x.txt')], {}, common, testDeps())).rejects.toMatchObject({
      code: 'not-found',
      exit: 3,
    });
  });
});

describe('groundmark mentions', () => {
  it('judges each row, takes columns by name and counts short lines', async () => {
    const file = path.join(root, 'm.tsv');
    await writeFile(
      file,
      'sentence\tid\tconcept\r\nNo "mass" is seen.\t7\tmass\r\nshort\r\nPossible cyst.\t8\tcyst\n',
    );
    const out = path.join(root, 'm.jsonl');
    const result = await mentions.run([file], { out }, common, testDeps());
    expect(result.json).toMatchObject({
      mentions: 2,
      negated: 1,
      uncertain: 1,
      positive: 0,
      skipped: [{ line: 3, reason: '1 columns where 3 are named' }],
    });
    expect(await jsonl(out)).toEqual([
      { schemaVersion: 1, id: '7', polarity: 'negated' },
      { schemaVersion: 1, id: '8', polarity: 'uncertain' },
    ]);
  });

  it('names the columns that a header lacks', async () => {
    const file = path.join(root, 'm.tsv');
    await writeFile(file, 'item\tconcept\tsentence\n');
    await expect(mentions.run([file], {}, common, testDeps())).rejects.toThrowError(
      /column id is missing among 3 .* The header must name: id, concept, sentence/,
    );
  });
});
