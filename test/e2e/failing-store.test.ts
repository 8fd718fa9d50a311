import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  fileError,
  fileStore,
  runStage,
  workspacePaths,
  writeJsonl,
  type Store,
} from '../../src/adapters/store/index.js';
import { runPhantoms } from '../../src/demo/index.js';
import { GroundmarkError } from '../../src/domain/error.js';
import { testDeps } from '../helpers/deps.js';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'gm-full-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** The real store, whose writes fail with `errno` once `writes` have been made; `free()` makes room again. */
function failingStore(errno: string, writes: number): Store & { free(): void } {
  const real = fileStore();
  let left = writes;
  return {
    ...real,
    async write(file, data) {
      if (left-- <= 0) throw fileError(Object.assign(new Error(errno), { code: errno }), file, 'write');
      return real.write(file, data);
    },
    free() {
      left = Infinity;
    },
  };
}

const refusal = async (work: Promise<unknown>): Promise<GroundmarkError> => {
  const error: unknown = await work.then(
    () => null,
    (cause: unknown) => cause,
  );
  expect(error).toBeInstanceOf(GroundmarkError);
  return error as GroundmarkError;
};

describe.each([
  ['ENOSPC', 'disk-full', 'the disk is full. Free some space and run the same command again'],
  ['EROFS', 'read-only', 'lies on a read-only file system. Choose a folder that can be written.'],
  ['EACCES', 'no-permission', 'may not be used by this user'],
])('a store that fails with %s', (errno, code, says) => {
  it('stops a stage with a clear message and no manifest; with the cause gone the stage runs whole', async () => {
    const paths = workspacePaths(path.join(folder, errno));
    const store = failingStore(errno, 1);
    const run = {
      stage: 'two-files',
      codeVersion: '1',
      config: null,
      seed: 0,
      inputs: [],
      outputs: [paths.items, paths.key],
      async work() {
        await writeJsonl(store, paths.items, [{ id: 1 }]);
        await writeJsonl(store, paths.key, [{ id: 1 }, { id: 2 }]);
        return { items: 1 };
      },
    };
    const error = await refusal(runStage(store, paths, run));
    expect([error.code, error.exit]).toEqual([code, 3]);
    expect(error.message).toContain(`${paths.key} `);
    expect(error.message).toContain(says);
    expect(await store.list(paths.manifests)).toEqual([]);
    store.free();
    expect(await runStage(store, paths, run)).toEqual({ summary: { items: 1 }, skipped: false });
    expect(await readFile(paths.key, 'utf8')).toBe('{"id":1}\n{"id":2}\n');
    expect((await runStage(store, paths, run)).skipped).toBe(true);
  });

  it('stops the manifest itself: the stage is not taken for finished', async () => {
    const paths = workspacePaths(path.join(folder, `${errno}-manifest`));
    const store = failingStore(errno, 1);
    let worked = 0;
    const run = {
      stage: 'one-file',
      codeVersion: '1',
      config: null,
      seed: 0,
      inputs: [],
      outputs: [paths.items],
      async work() {
        worked++;
        await writeJsonl(store, paths.items, [{ id: 1 }]);
        return {};
      },
    };
    expect((await refusal(runStage(store, paths, run))).code).toBe(code);
    store.free();
    expect((await runStage(store, paths, run)).skipped).toBe(false);
    expect(worked).toBe(2);
  });

  it('stops the phantom generator, which starts anew afterwards', async () => {
    const out = path.join(folder, `${errno}-phantoms`);
    const store = failingStore(errno, 0);
    const error = await refusal(runPhantoms({ out, patients: 1 }, testDeps({ store })));
    expect(error.code).toBe(code);
    expect(error.message).toContain(out);
    store.free();
    expect(await runPhantoms({ out, patients: 1 }, testDeps({ store }))).toEqual({
      cases: 1,
      patients: 1,
      files: 66,
      planted: 3,
    });
  });
});
