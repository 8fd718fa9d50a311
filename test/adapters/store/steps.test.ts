import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fileStore, folderFingerprint, keepStep } from '../../../src/adapters/store/index.js';

const store = fileStore();
let folder = '';
let worked = 0;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'gm-steps-'));
  worked = 0;
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const step = (key: unknown, value: unknown = { labels: ['A01'] }): Promise<unknown> =>
  keepStep(store, folder, key, async () => {
    worked++;
    return value;
  });

describe('keepStep', () => {
  it('does a piece once and gives what was kept after that', async () => {
    expect(await step({ case: 1 })).toEqual({ labels: ['A01'] });
    expect(await step({ case: 1 }, 'not asked again')).toEqual({ labels: ['A01'] });
    expect(worked).toBe(1);
  });

  it('does not mind the order of the key’s fields, and minds everything else', async () => {
    await step({ a: 1, b: [1, 2] });
    await step({ b: [1, 2], a: 1 });
    expect(worked).toBe(1);
    for (const other of [{ a: 1, b: [2, 1] }, { a: 1 }, { a: '1', b: [1, 2] }, { a: 1, b: [1, 2], c: null }])
      await step(other);
    expect(worked).toBe(5);
  });

  it.each([
    ['cut off', (text: string) => text.slice(0, -5)],
    ['empty', () => ''],
    ['of another key', (text: string) => text.replace(/"key":"./u, '"key":"_')],
  ])('does a piece again whose file is %s', async (_what, spoil) => {
    await step('k');
    const [file] = await readdir(folder);
    const text = await readFile(path.join(folder, file!), 'utf8');
    await writeFile(path.join(folder, file!), spoil(text));
    expect(await step('k', 'anew')).toBe('anew');
    expect(worked).toBe(2);
    expect(await step('k')).toBe('anew');
  });

  it('keeps nothing of a piece that failed', async () => {
    const failing = keepStep(store, folder, 'k', async () => {
      throw new Error('no answer');
    });
    await expect(failing).rejects.toThrow('no answer');
    expect(await step('k', 'now')).toBe('now');
  });
});

describe('folderFingerprint', () => {
  const files: Record<string, { size: number; mtimeMs: number }> = {
    'a.dcm': { size: 10, mtimeMs: 1 },
    'b.dcm': { size: 20, mtimeMs: 2 },
  };
  const print = (
    changes: typeof files = {},
    names = Object.keys({ ...files, ...changes }),
  ): Promise<string> =>
    folderFingerprint('/images', async (file) => ({ ...files, ...changes })[path.basename(file)]!, names);

  it('is the same for the same files in any order', async () => {
    expect(await print({}, ['b.dcm', 'a.dcm'])).toBe(await print());
  });

  it('is another when a file is added, removed, renamed, resized or written again', async () => {
    const prints = await Promise.all([
      print(),
      print({ 'c.dcm': { size: 1, mtimeMs: 1 } }),
      print({}, ['a.dcm']),
      print({ 'c.dcm': files['b.dcm']! }, ['a.dcm', 'c.dcm']),
      print({ 'b.dcm': { size: 21, mtimeMs: 2 } }),
      print({ 'b.dcm': { size: 20, mtimeMs: 3 } }),
    ]);
    expect(new Set(prints).size).toBe(6);
  });
});
