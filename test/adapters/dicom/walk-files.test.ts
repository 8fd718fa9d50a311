import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { walkFiles } from '../../../src/adapters/dicom/index.js';

let root: string;
const at = (...names: string[]): string => path.join(root, ...names);
const found = async (folder = root): Promise<string[]> =>
  (await walkFiles(folder)).map(({ relative }) => relative);

beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'groundmark-walk-'));
  mkdirSync(at('a', 'deep'), { recursive: true });
  writeFileSync(at('a', 'deep', 'x'), '');
  writeFileSync(at('a', 'y'), '');
});
afterEach(() => rmSync(root, { recursive: true }));

describe('walkFiles', () => {
  it('sorts by relative path in code-unit order, not folder by folder', async () => {
    writeFileSync(at('a.z'), '');
    writeFileSync(at('B'), '');
    // '.' (2E) comes before '/' (2F), and 'B' (42) before 'a' (61).
    expect(await found()).toEqual(['B', 'a.z', 'a/deep/x', 'a/y']);
  });

  it('gives a single file as itself', async () => {
    expect(await walkFiles(at('a', 'y'))).toEqual([{ path: at('a', 'y'), relative: '' }]);
  });

  it('follows links to files and folders, and enters a folder once on its way down', async () => {
    symlinkSync(at('a'), at('a', 'deep', 'up'));
    symlinkSync(at('a', 'y'), at('file-link'));
    symlinkSync(at('a', 'deep'), at('folder-link'));
    // By the link to `deep`, `a` is not its own ancestor until it is met again in itself.
    expect(await found()).toEqual(['a/deep/x', 'a/y', 'file-link', 'folder-link/up/y', 'folder-link/x']);
  });

  it('keeps links that lead nowhere or round in a circle: the index tells of them', async () => {
    symlinkSync(at('gone'), at('dangling'));
    symlinkSync(at('circle'), at('circle'));
    expect(await found()).toEqual(['a/deep/x', 'a/y', 'circle', 'dangling']);
  });

  it('says when the root does not exist', async () => {
    await expect(walkFiles(at('absent'))).rejects.toMatchObject({ code: 'no-such-folder' });
  });
});
