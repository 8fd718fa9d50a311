import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
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
    expect(await walkFiles(at('a', 'y'))).toEqual([
      { path: at('a', 'y'), relative: '', real: realpathSync(at('a', 'y')), problem: null },
    ]);
  });

  it('follows links to files and folders, and enters a folder once: by its own place before a link', async () => {
    symlinkSync(at('a'), at('a', 'deep', 'up'));
    symlinkSync(at('a', 'y'), at('file-link'));
    symlinkSync(at('a', 'deep'), at('folder-link'));
    expect(await found()).toEqual(['a/deep/x', 'a/y', 'file-link']);
  });

  it('enters a folder elsewhere by the first of its links, and those that it links to in turn', async () => {
    const other = mkdtempSync(path.join(tmpdir(), 'groundmark-walk-'));
    mkdirSync(path.join(other, 'one'));
    mkdirSync(path.join(other, 'two'));
    writeFileSync(path.join(other, 'one', 'p'), '');
    writeFileSync(path.join(other, 'two', 'q'), '');
    symlinkSync(path.join(other, 'two'), path.join(other, 'one', 'next'));
    symlinkSync(path.join(other, 'one'), path.join(other, 'two', 'back'));
    symlinkSync(path.join(other, 'one'), at('z'));
    symlinkSync(path.join(other, 'one'), at('b'));
    expect(await found()).toEqual(['a/deep/x', 'a/y', 'b/next/q', 'b/p']);
    rmSync(other, { recursive: true });
  });

  it('ends among folders that all link to one another', async () => {
    const names = Array.from({ length: 12 }, (_, i) => `farm${i}`);
    for (const name of names) mkdirSync(at(name));
    for (const name of names) {
      writeFileSync(at(name, 'file'), '');
      for (const other of names) if (other !== name) symlinkSync(at(other), at(name, other));
    }
    expect(await found()).toHaveLength(2 + 12);
  });

  it('gives a pipe as what must not be opened', async () => {
    execFileSync('mkfifo', [at('pipe')]);
    expect((await walkFiles(root)).map(({ relative, problem }) => [relative, problem])).toEqual([
      ['a/deep/x', null],
      ['a/y', null],
      ['pipe', 'not-a-file'],
    ]);
  });

  it('finds every file whose name or folder is no UTF-8', async () => {
    const latin1 = (...parts: (string | Buffer)[]): Buffer =>
      Buffer.concat([Buffer.from(`${root}/`), ...parts.map((part) => Buffer.from(part))]);
    const folder = latin1('caf', Buffer.from([0xe9]));
    mkdirSync(folder);
    writeFileSync(Buffer.concat([folder, Buffer.from('/1')]), '');
    writeFileSync(Buffer.concat([folder, Buffer.from('/2')]), '');
    writeFileSync(latin1('na', Buffer.from([0xef]), 've'), '');
    writeFileSync(at('\uFFFD'), '');
    expect((await walkFiles(root)).map(({ relative, problem }) => [relative, problem])).toEqual([
      ['a/deep/x', null],
      ['a/y', null],
      ['caf\\xE9/1', 'name-not-utf8'],
      ['caf\\xE9/2', 'name-not-utf8'],
      ['na\\xEFve', 'name-not-utf8'],
      ['\uFFFD', null],
    ]);
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
