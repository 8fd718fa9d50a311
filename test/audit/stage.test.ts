import { mkdtemp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { run as imageStatistics } from '../../src/audit/evidence/image-statistics-job.js';
import { runAudit } from '../../src/audit/index.js';
import { command } from '../../src/cli/commands/audit.js';
import { auditSchema } from '../../src/domain/audit.js';
import { rng } from '../../src/util/rng.js';
import { testDeps } from '../helpers/deps.js';
import { anOwnSet } from './helpers/own-set.js';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(path.join(os.tmpdir(), 'gm-audit-'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

const lines = (records: readonly unknown[]): string =>
  records.map((record) => JSON.stringify(record)).join('\n');

/** Words for five parallel choices that are all alike in length and giveaways. */
const SITES = [
  'upper zone',
  'lower zone',
  'middle zone',
  'apical zone',
  'basal zone',
  'hilar zone',
  'outer zone',
];

/** A workspace of our own items with PNG files, whose references are as bright as the others or brighter. */
async function aWorkspace(count: number, brighter: number): Promise<void> {
  const set = anOwnSet(count);
  const random = rng('workspace');
  await mkdir(path.join(root, 'mcq', 'images'), { recursive: true });
  await mkdir(path.join(root, 'retrieve'));
  const items = [];
  const keys = [];
  for (const [i, { item, key }] of set.items.entries()) {
    const images = [];
    for (const image of item.images) {
      const isReference = key.images.find(({ id }) => id === image.id)!.role === 'reference';
      const file = `images/${item.id}-${image.id}.png`;
      await writeFile(path.join(root, 'mcq', file), await noise(random.int(1e9), isReference ? brighter : 0));
      images.push({ ...image, file });
    }
    const answer = (['A', 'B', 'C', 'D', 'E'] as const)[i % 5]!;
    const texts = random.shuffle(SITES);
    items.push({
      ...item,
      images,
      choices: item.choices.map((choice, j) => ({ ...choice, text: `${texts[j]!} ${i}` })),
    });
    keys.push({ ...key, answer });
  }
  await writeFile(path.join(root, 'mcq', 'items.jsonl'), lines(items));
  await writeFile(path.join(root, 'mcq', 'key.jsonl'), lines(keys));
  const evidence = {
    schemaVersion: 1,
    targetId: 't',
    caseId: 'c',
    finding: { text: 'A planted sentence about the zone.', start: 0, end: 34 },
    references: [],
    comparisons: [],
    candidates: [],
    dropped: null,
  };
  await writeFile(path.join(root, 'retrieve', 'evidence.jsonl'), lines([evidence]));
}

async function noise(seed: number, brighter: number): Promise<Buffer> {
  const random = rng(seed);
  const data = Uint8Array.from({ length: 24 * 24 }, () => 60 + brighter + random.int(80));
  return sharp(data, { raw: { width: 24, height: 24, channels: 1 } })
    .png()
    .toBuffer();
}

describe('audit of a workspace', () => {
  it('flags references that are brighter, and writes JSON, page and table', async () => {
    await aWorkspace(30, 15);
    const [out, html, csv] = ['a.json', 'a.html', 'a.csv'].map((name) => path.join(root, 'out', name));
    const audit = await runAudit({ files: [root], out: out!, html: html!, csv: csv! }, testDeps());
    expect(audit.flags).toMatchObject([{ rule: 'evidence-shortcut', figure: 'brightness' }]);
    expect(audit.dataset).toMatchObject({ format: 'groundmark', items: 30, scored: 30, chance: 0.2 });
    expect(audit.evidence!.images).toBe(270);
    expect(auditSchema.parse(JSON.parse(await readFile(out!, 'utf8')))).toEqual(audit);
    const page = await readFile(html!, 'utf8');
    expect(page).toContain('Mean brightness');
    expect(page).not.toMatch(/<script|https?:/u);
    expect(await readFile(csv!, 'utf8')).toMatch(/^flag,evidence-shortcut,,/mu);
  });

  it('flags nothing where nothing was planted, and gives the same bytes again', async () => {
    await aWorkspace(30, 0);
    const input = {
      items: path.join(root, 'mcq', 'items.jsonl'),
      keyFile: path.join(root, 'mcq', 'key.jsonl'),
    };
    const [a, b] = [path.join(root, 'a.json'), path.join(root, 'b.json')];
    expect((await runAudit({ ...input, out: a }, testDeps())).flags).toEqual([]);
    await runAudit({ ...input, out: b }, testDeps());
    expect(await readFile(a, 'utf8')).toBe(await readFile(b, 'utf8'));
  });

  it('counts an item without a key and an image that is missing, and goes on', async () => {
    await aWorkspace(12, 0);
    const keyFile = path.join(root, 'mcq', 'key.jsonl');
    const keys = (await readFile(keyFile, 'utf8')).split('\n');
    await writeFile(keyFile, keys.slice(1).join('\n'));
    await rm(path.join(root, 'mcq', 'images', 'gm-1-img01.png'));
    await writeFile(path.join(root, 'mcq', 'images', 'gm-1-img02.png'), 'not a picture');
    const audit = await runAudit({ files: [root] }, testDeps());
    expect(audit.dataset).toMatchObject({ items: 12, scored: 11 });
    expect(audit.dataset.skipped).toEqual([{ where: 'items.jsonl, record 1', reason: 'no-key' }]);
    expect(audit.evidence!.unreadableImages).toHaveLength(2);
    expect(audit.flags.map(({ rule }) => rule)).toContain('unreadable-image');
  });

  it('refuses our items without their key', async () => {
    await aWorkspace(2, 0);
    await rm(path.join(root, 'mcq', 'key.jsonl'));
    await expect(runAudit({ files: [root] }, testDeps())).rejects.toMatchObject({ code: 'no-key' });
  });

  it('refuses a key file with two entries for one item', async () => {
    await aWorkspace(2, 0);
    const keyFile = path.join(root, 'mcq', 'key.jsonl');
    const text = await readFile(keyFile, 'utf8');
    await writeFile(keyFile, `${text}\n${text}`);
    await expect(runAudit({ files: [root] }, testDeps())).rejects.toMatchObject({ code: 'duplicate-key' });
  });

  it('refuses a folder without item files', async () => {
    await expect(runAudit({ files: [root] }, testDeps())).rejects.toMatchObject({ code: 'no-files' });
  });
});

describe('statistics of an image file', () => {
  it('are bytes, pixels, mean grey and entropy', async () => {
    const file = path.join(root, 'half.png');
    const data = Uint8Array.from({ length: 64 }, (_, i) => (i < 32 ? 0 : 200));
    await sharp(data, { raw: { width: 8, height: 8, channels: 1 } })
      .png()
      .toFile(file);
    const result = await imageStatistics({ file });
    expect(result).toMatchObject({ ok: true, pixels: 64, brightness: 100, entropy: 1 });
  });

  it('are missing, with the reason, where there is none', async () => {
    expect(await imageStatistics({ file: path.join(root, 'no.png') })).toEqual({
      ok: false,
      reason: 'missing',
    });
  });
});

describe('the audit command', () => {
  const common = { workspace: '/nowhere', json: false, seedGiven: false };

  it('exits 1 when a rule of --fail-on has a flag, 0 when another has', async () => {
    const file = path.join(root, 'm.jsonl');
    const item = { question: 'Q', options: { A: 'same', B: 'same' }, answer: 'same', answer_idx: 'A' };
    await writeFile(file, lines([item]));
    const failing = await command.run([file], { failOn: 'duplicate-options' }, common, testDeps());
    const passing = await command.run([file], { failOn: 'pick-shortcut' }, common, testDeps());
    expect([failing.exit, passing.exit]).toEqual([1, 0]);
  });

  it('says that --text-only is not built yet, with the exit code of a usage error', async () => {
    const run = command.run(['x'], { textOnly: ['a/b'] }, common, testDeps());
    await expect(run).rejects.toMatchObject({ code: 'not-built-yet', exit: 2 });
  });

  it('audits the current workspace when no file is named, into its audit folder', async () => {
    await aWorkspace(6, 0);
    await command.run([], {}, { ...common, workspace: root }, testDeps());
    expect(await readFile(path.join(root, 'audit', 'audit.html'), 'utf8')).toMatch(/^<!doctype html>/u);
  });
});
