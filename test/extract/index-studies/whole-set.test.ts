import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type * as QueueModule from '../../../src/adapters/queue/index.js';
import { toJsonl } from '../../../src/adapters/store/index.js';
import { runIndex } from '../../../src/extract/index-studies/index.js';
import type * as IndexModule from '../../../src/extract/index-studies/index.js';
import { testDeps } from '../../helpers/deps.js';
import { describeShared, sharedPath } from '../../helpers/shared.js';

describeShared('The index of the whole shared DICOM set', 'dicom', () => {
  it('counts every file as indexed or skipped, and gives a reason for every skip', async () => {
    const root = sharedPath('dicom');
    const { rows, summary } = await runIndex(
      { sources: [{ caseId: null, root, shownRoot: '' }] },
      testDeps(),
    );
    const entries = readdirSync(root, { recursive: true, withFileTypes: true });
    const onDisk = entries
      .filter((entry) => entry.isFile())
      .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)));
    const indexed = new Set(rows.map((row) => row.path));
    const skipped = summary.skipped.map((entry) => entry.path);
    process.stdout.write(`${onDisk.length} files: ${indexed.size} indexed, ${skipped.length} skipped\n`);
    expect(summary.files).toBe(indexed.size + skipped.length);
    expect([...indexed, ...skipped].sort()).toEqual(onDisk.sort());
    for (const { reason, detail } of summary.skipped) {
      expect(reason).toMatch(/^[a-z]+(?:-[a-z]+)*$/u);
      expect(String(detail).length).toBeGreaterThan(20);
    }
  });
});

/** Worker threads load JavaScript only, so the stage and the queue are taken from the build. */
const BUILT = new URL('../../../dist/', import.meta.url);
const TREE = new URL('../../../bench/make-dicom-tree.mjs', import.meta.url);

describe('The index of a generated tree', () => {
  let root: string;
  beforeAll(async () => {
    if (!existsSync(fileURLToPath(BUILT))) throw new Error('dist/ is missing. Run `npm run build` first.');
    root = mkdtempSync(path.join(tmpdir(), 'groundmark-tree-'));
    const { makeDicomTree } = (await import(TREE.href)) as {
      makeDicomTree: (folder: string, files: number) => unknown;
    };
    makeDicomTree(root, 1200);
  });
  afterAll(() => rmSync(root, { recursive: true }));

  it('has the same bytes for one worker, two and five', async () => {
    const load = async (name: string): Promise<unknown> =>
      import(pathToFileURL(path.join(fileURLToPath(BUILT), name)).href);
    const { inProcessQueue } = (await load('adapters/queue/index.js')) as typeof QueueModule;
    const built = (await load('extract/index-studies/index.js')) as typeof IndexModule;
    const sources = [{ caseId: 'c', root, shownRoot: 'tree' }];
    const texts: string[] = [];
    for (const workers of [1, 2, 5]) {
      const queue = inProcessQueue(workers);
      const { rows, summary } = await built.runIndex({ sources }, testDeps({ queue }));
      await queue.close();
      expect(summary.files).toBe(1200);
      texts.push(toJsonl(rows) + JSON.stringify(summary));
    }
    expect(texts[0]!.length).toBeGreaterThan(1_000_000);
    expect(texts[1] === texts[0]).toBe(true);
    expect(texts[2] === texts[0]).toBe(true);
  });
});
