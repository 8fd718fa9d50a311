import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { fileStore, workspacePaths } from '../../src/adapters/store/index.js';
import { openGateCache } from '../../src/release/gate-cache.js';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'groundmark-gate-cache-'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

it('gives a judgment again while its file, its frames and the rules are the same', async () => {
  const store = fileStore();
  const paths = workspacePaths(root);
  const put = async (name: string): Promise<string> => {
    const file = path.join(root, name);
    await writeFile(file, name);
    return file;
  };
  const [flagged, clean, broken] = [await put('a.dcm'), await put('b.dcm'), await put('c.dcm')];
  const inputs = [flagged, clean, broken].map((file) => ({ file, frames: [0] }));
  const first = await openGateCache(paths, store);
  expect(await first.get(inputs[0]!)).toBeUndefined();
  await first.write(inputs, [{ rules: ['screen-save'] }, { rules: [] }, { unreadable: 'not-dicom' }]);

  const again = await openGateCache(paths, store);
  expect(await again.get(inputs[0]!)).toEqual({ rules: ['screen-save'] });
  expect(await again.get(inputs[1]!)).toEqual({ rules: [] });
  expect(await again.get(inputs[2]!)).toBeUndefined();
  expect(await again.get({ file: clean, frames: [0, 1] })).toBeUndefined();
  expect(await again.get({ file: path.join(root, 'gone.dcm'), frames: [0] })).toBeUndefined();
  await utimes(clean, 1, 1);
  expect(await again.get(inputs[1]!)).toBeUndefined();

  const file = path.join(paths.state, 'pixel-gate.json');
  const kept = (await store.read(file)).toString('utf8');
  expect(kept).not.toContain('a.dcm');
  await store.write(file, kept.replace(/"by":"./u, '"by":"-'));
  expect(await (await openGateCache(paths, store)).get(inputs[0]!)).toBeUndefined();
  await store.write(file, kept.slice(0, 40));
  expect(await (await openGateCache(paths, store)).get(inputs[0]!)).toBeUndefined();
});
