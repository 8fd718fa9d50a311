import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { command } from '../../src/cli/commands/split.js';
import { testDeps } from '../helpers/deps.js';

async function run(lines: readonly string[], options: Record<string, unknown> = {}) {
  const folder = await mkdtemp(path.join(tmpdir(), 'split-'));
  const file = path.join(folder, 'items.jsonl');
  await writeFile(file, lines.map((line) => `${line}\n`).join(''));
  const common = { workspace: folder, json: true, seedGiven: false };
  const result = await command.run([file], options, common, testDeps());
  return { file, folder, result };
}

const ITEMS = [
  '{"id":"b","caseId":"c1","x":[1]}',
  '{"id":"a","caseId":"c2"}',
  '{"id":"c","caseId":"c1","split":"old"}',
];

describe('groundmark split', () => {
  it('writes the file back with a split for each item, other fields and order kept', async () => {
    const { file, result } = await run(ITEMS);
    const lines = (await readFile(file, 'utf8')).trim().split('\n');
    expect(lines).toEqual([
      '{"id":"b","caseId":"c1","x":[1],"split":"dev"}',
      expect.stringMatching(/^\{"id":"a","caseId":"c2","split":"(?:validation|test|dev)"\}$/),
      '{"id":"c","caseId":"c1","split":"dev"}',
    ]);
    expect(result.json).toMatchObject({ out: file, items: 3, groups: 2, mode: 'balanced' });
  });

  it('leaves the source alone with --out', async () => {
    const out = path.join(await mkdtemp(path.join(tmpdir(), 'split-')), 'out.jsonl');
    const { file } = await run(ITEMS, { out, mode: 'hash', ratios: '1,0,0' });
    expect((await readFile(file, 'utf8')).trim().split('\n')).toEqual(ITEMS);
    expect((await readFile(out, 'utf8')).match(/"split":"dev"/g)).toHaveLength(3);
  });

  it.each([
    [{ ratios: '64,19' }, /--ratios 64,19 is not three numbers/],
    [{ ratios: '1,-1,1' }, /--ratios 1,-1,1 is not three numbers/],
    [{ ratios: '0,0,0' }, /--ratios 0,0,0 is not three numbers/],
    [{ ratios: 'a,b,c' }, /--ratios a,b,c is not three numbers/],
    [{ mode: 'random' }, /--mode random is not known/],
    [{ group: 'site' }, /Record 1 has none of the fields site/],
  ])('with %j says what to do', async (options, message) => {
    await expect(run(ITEMS, options)).rejects.toThrow(message);
  });

  it.each([
    [[], /has no items/],
    [['{"id":"a"}'], /Record 1 has none of the fields patientId/],
    [['{"caseId":"c"}', '[1]'], /items\.jsonl, line 2/],
    [['{"caseId":"c"'], /items\.jsonl, line 1: not JSON/],
  ])('of a bad file %j says where', async (lines, message) => {
    await expect(run(lines)).rejects.toThrow(message);
  });
});
