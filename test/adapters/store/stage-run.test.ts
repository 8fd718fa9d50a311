import { mkdtemp, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import {
  fileStore,
  runStage,
  willSkip,
  workspacePaths,
  type StageRun,
  type WorkspacePaths,
} from '../../../src/adapters/store/index.js';

const store = fileStore();
const folders: string[] = [];
let paths: WorkspacePaths;
let worked = 0;

beforeEach(async () => {
  const root = await mkdtemp(path.join(tmpdir(), 'gm-stage-'));
  folders.push(root);
  paths = workspacePaths(root);
  worked = 0;
  await writeFile(at('in.txt'), 'first');
});
afterAll(async () => {
  await Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true })));
});

const at = (name: string): string => path.join(paths.root, name);

/** A stage that writes its input to a file and, numbered, to a folder. */
function stage(changes: Partial<StageRun<{ n: number }>> = {}): StageRun<{ n: number }> {
  return {
    stage: 'copy',
    codeVersion: '1.0.0',
    config: { level: 1, names: ['a', 'b'] },
    seed: 0,
    inputs: [at('in.txt'), at('absent.txt')],
    fingerprints: { images: 'abc' },
    outputs: [at('out.txt'), at('out')],
    async work() {
      worked++;
      const text = await readFile(at('in.txt'), 'utf8');
      await store.write(at('out.txt'), text);
      for (const name of ['x', 'sub/y']) await store.write(path.join(at('out'), name), text);
      return { n: text.length };
    },
    ...changes,
  };
}
const run = (changes: Partial<StageRun<{ n: number }>> = {}) => runStage(store, paths, stage(changes));
const manifest = (): string => path.join(paths.manifests, 'copy.json');

describe('runStage', () => {
  it('works the first time, and gives the kept summary the second time', async () => {
    expect(await willSkip(store, paths, stage())).toBe(false);
    expect(await run()).toEqual({ summary: { n: 5 }, skipped: false });
    expect(await willSkip(store, paths, stage())).toBe(true);
    expect(await run()).toEqual({ summary: { n: 5 }, skipped: true });
    expect(worked).toBe(1);
  });

  it('writes a manifest with code version, seed, and hashes of configuration, inputs and outputs', async () => {
    await run();
    const kept = JSON.parse(await readFile(manifest(), 'utf8')) as Record<string, unknown>;
    expect(kept).toMatchObject({ schemaVersion: 1, stage: 'copy', codeVersion: '1.0.0', seed: 0 });
    // sha256sum of "first".
    const first = 'a7937b64b8caa58f03721bb6bacf5c78cb235febe0e70b1b84cd99541461a08e';
    expect(kept['inputs']).toEqual({ 'in.txt': first, 'absent.txt': 'absent', images: 'abc' });
    expect(kept['outputs']).toMatchObject({ 'out.txt': first });
    expect(kept['configHash']).toMatch(/^[0-9a-f]{64}$/u);
  });

  it.each<[string, () => Partial<StageRun<{ n: number }>> | Promise<void>]>([
    ['an input has other content', () => writeFile(at('in.txt'), 'other')],
    ['an input is gone', () => rm(at('in.txt')).then(() => writeFile(at('in.txt'), 'x'))],
    ['an input that was absent is there', () => writeFile(at('absent.txt'), '')],
    ['a fingerprint is another', () => ({ fingerprints: { images: 'abd' } })],
    ['the configuration is another', () => ({ config: { level: 2, names: ['a', 'b'] } })],
    ['a list of the configuration has another order', () => ({ config: { level: 1, names: ['b', 'a'] } })],
    ['the seed is another', () => ({ seed: 1 })],
    ['the code is another version', () => ({ codeVersion: '1.0.1' })],
    ['an output file is gone', () => rm(at('out.txt'))],
    ['an output file was changed', () => writeFile(at('out.txt'), 'tampered')],
    ['a file in an output folder is gone', () => rm(at('out/sub/y'))],
    ['an output folder has a file more', () => writeFile(at('out/z'), '')],
    ['the manifest is gone', () => rm(manifest())],
    ['the manifest is cut off', () => readFile(manifest(), 'utf8').then((text) => writeFile(manifest(), text.slice(0, 90)))],
    ['the manifest is empty', () => writeFile(manifest(), '')],
    ['the manifest is of a later schema', () => readFile(manifest(), 'utf8').then((text) => writeFile(manifest(), text.replace('"schemaVersion": 1', '"schemaVersion": 2')))],
  ])('runs again when %s', async (_what, change) => {
    await run();
    const changed = (await change()) ?? {};
    expect(await willSkip(store, paths, stage(changed))).toBe(false);
    expect((await run(changed)).skipped).toBe(false);
    expect(worked).toBe(2);
    // And is at rest again.
    if (!(await readFile(manifest(), 'utf8')).includes('"absent"')) return;
    await rm(at('out/z'), { force: true });
  }); // prettier-ignore

  it.each<[string, () => Partial<StageRun<{ n: number }>> | Promise<void>]>([
    ['the configuration’s keys come in another order', () => ({ config: { names: ['a', 'b'], level: 1 } })],
    ['an input was only touched', () => utimes(at('in.txt'), 1, 1)],
    ['another file of the workspace changed', () => writeFile(at('note.txt'), 'x')],
  ])('does not run again when %s', async (_what, change) => {
    await run();
    expect((await run((await change()) ?? {})).skipped).toBe(true);
  });

  it('does not run again after the workspace was moved', async () => {
    await run();
    const before = paths.root;
    const after = `${before}-moved`;
    const { rename } = await import('node:fs/promises');
    await rename(before, after);
    folders.push(after);
    paths = workspacePaths(after);
    expect((await run()).skipped).toBe(true);
  });

  it('removes the half files that a killed run left, and no other', async () => {
    const half = [
      'out.txt.123-0.tmp',
      'out/x.4567-12.tmp',
      'out/sub/y.1-1.tmp',
      '.groundmark/manifests/copy.json.9-9.tmp',
    ];
    const own = ['notes.tmp', 'out-of-the-way/x.1-1.tmp'];
    for (const file of [...half, ...own]) await store.write(at(file), 'half');
    await run();
    expect((await Promise.all(half.map((file) => store.exists(at(file))))).filter(Boolean)).toEqual([]);
    expect(await Promise.all(own.map((file) => store.exists(at(file))))).toEqual([true, true]);
  });

  it('has no manifest while it works, so that a stage killed on the way runs again', async () => {
    await run();
    const failing = stage({
      seed: 3,
      work: async () => {
        expect(await store.exists(manifest())).toBe(false);
        throw new Error('killed');
      },
    });
    await expect(runStage(store, paths, failing)).rejects.toThrow('killed');
    expect((await run()).skipped).toBe(false);
    expect(worked).toBe(2);
  });
});
