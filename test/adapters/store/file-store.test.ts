import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { byCodeUnit, fileError, fileStore } from '../../../src/adapters/store/index.js';
import { GroundmarkError } from '../../../src/domain/error.js';

const store = fileStore();
let folder = '';
const at = (...parts: string[]): string => path.join(folder, ...parts);
const refusal = async (work: Promise<unknown>): Promise<GroundmarkError> => {
  const error: unknown = await work.then(
    () => null,
    (cause: unknown) => cause,
  );
  expect(error).toBeInstanceOf(GroundmarkError);
  return error as GroundmarkError;
};

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'gm-store-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('fileStore', () => {
  it('writes into folders that are not there yet, and leaves no temporary file', async () => {
    await store.write(at('a/b/c.txt'), 'text');
    await store.write(at('a/b/c.txt'), new Uint8Array([1, 2]));
    expect([...(await store.read(at('a/b/c.txt')))]).toEqual([1, 2]);
    expect(await readdir(at('a/b'))).toEqual(['c.txt']);
  });

  it('writes many files at once into one new folder', async () => {
    const names = Array.from({ length: 20 }, (_, i) => `f${i}`);
    await Promise.all(names.map((name) => store.write(at('many/deep', name), name)));
    expect(await store.list(at('many'))).toEqual(names.map((name) => `deep/${name}`).sort(byCodeUnit));
  });

  it('keeps the old file when a write fails', async () => {
    await store.write(at('kept.txt'), 'old');
    const bad = { toString: () => 'x' } as unknown as string;
    await refusal(store.write(at('kept.txt'), bad));
    expect(await readFile(at('kept.txt'), 'utf8')).toBe('old');
    expect((await readdir(folder)).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  it('lists files below a folder in code-unit order, and nothing for no folder', async () => {
    for (const name of ['é', 'b', 'B', 'a/z', 'a-1']) await store.write(at('list', name), '');
    expect(await store.list(at('list'))).toEqual(['B', 'a-1', 'a/z', 'b', 'é']);
    expect(await store.list(at('no-such-folder'))).toEqual([]);
  });

  it.each<[string, () => Promise<unknown>, string, string]>([
    ['a file that is not there is read', () => store.read(at('nothing')), 'not-found', 'does not exist. Check the path.'],
    ['a folder is read', () => store.read(folder), 'not-a-file', 'is a folder where a file is needed'],
    ['a folder would be written over', () => mkdir(at('dir/x'), { recursive: true }).then(() => store.write(at('dir'), '')), 'not-a-file', 'is a folder where a file is needed'],
    ['a file stands where a folder is needed', () => writeFile(at('plain'), '').then(() => store.write(at('plain/x'), '')), 'not-a-folder', 'has a file where a folder is needed'],
    ['a file is listed', () => writeFile(at('plain'), '').then(() => store.list(at('plain'))), 'not-a-folder', 'has a file where a folder is needed'],
    ['a link leads in a circle', () => symlink(at('loop'), at('loop')).then(() => store.read(at('loop'))), 'cannot-read', 'could not be used (ELOOP)'],
    ['/proc would take a file', () => store.write('/proc/no-such-process/x/y', ''), 'not-found', '/proc/no-such-process/x/y does not exist'],
  ])('says what is wrong, where and what to do when %s', async (_what, work, code, says) => {
    const error = await refusal(work());
    expect(error.code).toBe(code);
    expect(error.message).toContain(says);
    expect(error.exit).toBe(3);
  }); // prettier-ignore
});

describe('fileError', () => {
  it.each([
    ['ENOSPC', 'disk-full', 'the disk is full. Free some space and run the same command again'],
    ['EDQUOT', 'disk-full', 'the disk quota is used up. Free some space'],
    ['EROFS', 'read-only', 'lies on a read-only file system. Choose a folder that can be written.'],
    [
      'EACCES',
      'no-permission',
      'may not be used by this user. Change its permissions or choose another folder.',
    ],
    ['EPERM', 'no-permission', 'may not be used by this user'],
    ['ENOENT', 'not-found', 'does not exist. Check the path.'],
    ['ENOTDIR', 'not-a-folder', 'has a file where a folder is needed. Check the path.'],
    ['EISDIR', 'not-a-file', 'is a folder where a file is needed. Name a file.'],
    ['EMFILE', 'too-many-files', 'too many files are open. Use fewer --workers.'],
    ['EIO', 'cannot-write', 'could not be used (EIO). Check the disk and the path.'],
  ])('makes %s a message with place and remedy', (errno, code, says) => {
    const cause = Object.assign(new Error(`${errno}: something`), { code: errno });
    const error = fileError(cause, '/data/ws/items.jsonl', 'write');
    expect([error.code, error.exit]).toEqual([code, 3]);
    expect(error.message.startsWith('/data/ws/items.jsonl ')).toBe(true);
    expect(error.message).toContain(says);
    expect(error.context).toEqual({ path: '/data/ws/items.jsonl', action: 'write', errno });
    expect(error.cause).toBe(cause);
  });
});
