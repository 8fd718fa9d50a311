import { mkdtemp, readdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { fileStore, readJsonl } from '../../src/adapters/store/index.js';
import { configSchema, type Case } from '../../src/domain/config.js';
import { GroundmarkError } from '../../src/domain/error.js';
import { evidenceSchema, type Evidence } from '../../src/domain/evidence.js';
import { targetSchema, type Target } from '../../src/domain/finding.js';
import type { IndexRow } from '../../src/domain/index-row.js';
import { itemSchema, keyEntrySchema, splitsFileSchema } from '../../src/domain/item.js';
import { contrastSetRecordSchema } from '../../src/mcq/contrast-set-record.js';
import { runMcq, type Render } from '../../src/mcq/index.js';
import { sha256 } from '../../src/util/hash.js';
import { testDeps } from '../helpers/deps.js';
import { anEvidence, aStack, aTarget, fakeRender, writeMcqInputs } from '../helpers/mcq-fixtures.js';

const config = configSchema.parse({
  cases: 'cases.csv',
  reviewers: [
    { id: 'a', model: 'offline/saliency' },
    { id: 'b', model: 'offline/saliency' },
  ],
});

interface Inputs {
  readonly index: readonly IndexRow[];
  readonly targets: readonly Target[];
  readonly evidence: readonly Evidence[];
  readonly cases: readonly Case[];
}

const SENTENCES = [
  ['mass', 'A spiculated mass is seen in the left upper lobe.'],
  ['nodule', 'There is a solid nodule in the right lower lobe.'],
  ['effusion', 'A small left pleural effusion is layering.'],
] as const;

/** `n` patients with one chest case of three findings each. */
function chestCases(n: number): Inputs {
  const targets: Target[] = [];
  const evidence: Evidence[] = [];
  const index: IndexRow[] = [];
  const cases: Case[] = [];
  for (let i = 1; i <= n; i++) {
    const caseId = `case-${String(i).padStart(2, '0')}`;
    cases.push({ caseId, patientId: `Doe^Jane ${i}`, imagePath: null, reportPath: null });
    index.push(...aStack(caseId, `volume-${i}`, 60));
    SENTENCES.forEach(([concept, sentence], j) => {
      const target = aTarget({
        targetId: `${caseId}-t${j}`,
        caseId,
        sentence,
        concept,
        text: concept,
        start: 100 * j,
      });
      targets.push(target);
      const at = 10 + 15 * j;
      evidence.push(anEvidence(target, `volume-${i}`, [at, at + 1], [0, 2, 4, 55, 56, 57, 58]));
    });
  }
  return { index, targets, evidence, cases };
}

async function build(inputs: Inputs, changes: { secret?: string; render?: Render; seed?: number } = {}) {
  const root = await mkdtemp(path.join(tmpdir(), 'mcq-'));
  const deps = testDeps(changes.seed === undefined ? {} : { seed: changes.seed });
  const paths = await writeMcqInputs(deps.store, root, inputs);
  const summary = await runMcq(
    {
      paths,
      cases: inputs.cases,
      questions: config.questions,
      splits: config.splits,
      secret: changes.secret ?? 'secret',
      render: changes.render ?? fakeRender,
    },
    deps,
  );
  const store = fileStore();
  return {
    paths,
    summary,
    lines: deps.lines,
    items: await readJsonl(store, paths.items, itemSchema),
    key: await readJsonl(store, paths.key, keyEntrySchema),
    records: await readJsonl(store, paths.contrastSets, contrastSetRecordSchema),
    splits: splitsFileSchema.parse(JSON.parse(await readFile(paths.splits, 'utf8'))),
  };
}

describe('runMcq', () => {
  it('makes an item of every target with evidence', async () => {
    const { items, key, summary, paths } = await build(chestCases(4));
    expect(summary).toMatchObject({ items: 12, dropped: {}, wordingChanged: 0, fallbacks: 0 });
    expect(items.map(({ id }) => id)).toEqual([...items.map(({ id }) => id)].sort());
    expect(key.map(({ id }) => id)).toEqual(items.map(({ id }) => id));
    for (const item of items) {
      expect(item.id).toMatch(/^gm-[0-9a-f]{10}$/);
      expect(item.images).toHaveLength(9);
      expect(new Set(item.choices.map(({ text }) => text)).size).toBe(5);
      expect(item.choices.map(({ letter }) => letter)).toEqual(['A', 'B', 'C', 'D', 'E']);
      const sizes = new Set<number>();
      for (const image of item.images) {
        const bytes = await readFile(path.join(path.dirname(paths.items), image.file));
        expect(sha256(bytes)).toBe(image.sha256);
        sizes.add(bytes.length);
      }
      expect(sizes.size).toBe(1);
    }
  });

  it('keys each item to the value its sentence supports, and to where its slices lie', async () => {
    const { items, key, records } = await build(chestCases(4));
    const gold = new Map(
      key.map(({ id, answer }) => [
        id,
        items.find((item) => item.id === id)!.choices.find((c) => c.letter === answer)!.text,
      ]),
    );
    const allowed: Record<string, string[]> = {
      mass: ['Left upper lobe', 'Spiculated'],
      nodule: ['Right lower lobe', 'Solid'],
      effusion: ['Left pleural space', 'Pleural space', 'Small', 'Layering'],
    };
    for (const entry of key) {
      expect(allowed[entry.strata.concept!]).toContain(gold.get(entry.id));
      expect(entry.strata).toMatchObject({ modality: 'CT', region: 'chest', plane: 'axial' });
      expect(new Set(entry.images.map(({ series }) => series)).size).toBe(1);
      const references = entry.images
        .filter(({ role }) => role === 'reference')
        .map(({ position }) => position);
      expect(references).toHaveLength(2);
      expect(entry.images.map(({ id }) => id)).toEqual([
        'img01',
        'img02',
        'img03',
        'img04',
        'img05',
        'img06',
        'img07',
        'img08',
        'img09',
      ]);
    }
    for (const record of records) expect(record.sets[record.selected!]!.accepted).toBe(true);
  });

  it('balances letters, and keeps every patient in one split', async () => {
    const { key, items, summary, splits } = await build(chestCases(6));
    const counts = Object.values(summary.labels);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(18);
    expect(Math.max(...counts) - Math.min(...counts)).toBe(1);
    expect(Math.abs(summary.words.gold - summary.words.distractor)).toBeLessThan(0.15);
    const splitOf = new Map<string, string>();
    for (const { id, caseGroup, strata } of key) {
      const { split } = items.find((item) => item.id === id)!;
      expect(strata.split).toBe(split);
      expect(splitOf.get(caseGroup) ?? split).toBe(split);
      splitOf.set(caseGroup, split);
    }
    expect(splitOf.size).toBe(6);
    expect(splits.groups.map(({ items }) => items)).toEqual([3, 3, 3, 3, 3, 3]);
    expect(splits.counts.dev + splits.counts.validation + splits.counts.test).toBe(18);
  });

  it('puts no position, role or order into the public item: references stand anywhere', async () => {
    const { key } = await build(chestCases(12));
    const places = new Set(
      key.flatMap(({ images }) => images.filter(({ role }) => role === 'reference').map(({ id }) => id)),
    );
    expect(places.size).toBe(9);
  });

  it('writes nothing private into public files', async () => {
    const { paths, items } = await build(chestCases(3));
    const text = await readFile(paths.items, 'utf8');
    for (const secret of [
      'Doe',
      'case-0',
      'volume-',
      'study-',
      'series-',
      'reference',
      'spiculated mass is',
      'secret',
    ]) {
      expect(text, secret).not.toContain(secret);
    }
    const folders = await readdir(paths.itemImages);
    expect(folders.sort()).toEqual(items.map(({ id }) => id));
  });

  it('gives the same bytes for any order of inputs, and others for another secret', async () => {
    const inputs = chestCases(4);
    const first = await build(inputs);
    const turned = await build({
      index: [...inputs.index].reverse(),
      targets: [...inputs.targets].reverse(),
      evidence: [...inputs.evidence].reverse(),
      cases: [...inputs.cases].reverse(),
    });
    for (const file of ['items', 'key', 'splits'] as const) {
      expect(await readFile(turned.paths[file], 'utf8')).toBe(await readFile(first.paths[file], 'utf8'));
    }
    const other = await build(inputs, { secret: 'another' });
    expect(other.items).not.toEqual(first.items);
  });

  it('counts every target that gives no item under its reason', async () => {
    const inputs = chestCases(3);
    const [first, second, third, fourth, fifth, sixth, seventh] = inputs.evidence;
    const evidence = [
      { ...first!, dropped: 'no-direct-rating' },
      { ...second!, comparisons: second!.comparisons.slice(0, 3) },
      { ...third!, comparisons: [...third!.comparisons, third!.references[0]!] },
      { ...fifth!, references: [] },
      sixth!,
      seventh!,
      ...inputs.evidence.slice(7),
    ];
    expect(fourth!.targetId).toBe('case-02-t0');
    const targets = inputs.targets.map((target) => {
      if (target.targetId === sixth!.targetId) return { ...target, dropped: 'not-visual' };
      if (target.targetId !== seventh!.targetId) return target;
      const sentence = { ...target.sentence, text: 'A mass.' };
      return { ...target, sentence, finding: { ...target.finding, text: 'mass' } };
    });
    const { summary, records } = await build({ ...inputs, evidence, targets });
    expect(summary.dropped).toEqual({
      'duplicate-image': 1,
      'no-axis': 1,
      'no-direct-rating': 1,
      'no-evidence': 1,
      'no-reference': 1,
      'too-few-images': 1,
    });
    expect(summary.items).toBe(2);
    expect(records).toHaveLength(8);
    expect(records.filter(({ itemId }) => itemId === null)).toHaveLength(6);
  });

  it('drops only the item whose slices cannot be drawn, and passes a bug on', async () => {
    const broken: Render = async (rows) => {
      if (rows.some((row) => row.volumeId === 'volume-2' && row.position === 40)) {
        throw new GroundmarkError('bad-pixels', 'planted');
      }
      return fakeRender(rows);
    };
    const { summary } = await build(chestCases(2), { render: broken });
    expect(summary).toMatchObject({ items: 5, dropped: { 'render-failed': 1 } });
    const bug: Render = async () => {
      throw new TypeError('planted');
    };
    await expect(build(chestCases(1), { render: bug })).rejects.toThrow(TypeError);
  });

  it('drops an item in which evidence and comparison are the same picture', async () => {
    const blank: Render = async (rows) => {
      const images = await fakeRender(rows);
      return images.map(() => images[0]!);
    };
    const { summary } = await build(chestCases(1), { render: blank });
    expect(summary).toMatchObject({ items: 0, dropped: { 'identical-images': 3 } });
  });

  it('uses a predefined fallback set when no other axis can be asked about', async () => {
    const inputs = chestCases(1);
    const targets = inputs.targets.map((target, i) =>
      i === 0 ? { ...target, sentence: { ...target.sentence, text: 'A large mass is seen.' } } : target,
    );
    const { summary, records, key } = await build({ ...inputs, targets });
    expect(summary.fallbacks).toBe(1);
    const record = records.find(({ targetId }) => targetId === 'case-01-t0')!;
    expect(record.fallback).toBe(true);
    expect(record.sets[record.selected!]!.axisId).toBe('lesion-size');
    expect(key.find(({ id }) => id === record.itemId)!.strata.axis).toBe('extent');
  });

  it('puts two patients who share a study into one case group', async () => {
    const inputs = chestCases(2);
    const index = inputs.index.map((row) => ({ ...row, studyInstanceUid: 'study-shared' }));
    const { key } = await build({ ...inputs, index });
    expect(new Set(key.map(({ caseGroup }) => caseGroup)).size).toBe(1);
  });

  it('keeps the inputs valid records', () => {
    const { targets, evidence } = chestCases(1);
    for (const target of targets) targetSchema.parse(target);
    for (const one of evidence) evidenceSchema.parse(one);
  });
});
