import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  csvRows,
  demoRun,
  filesBelow,
  hashesBelow,
  jsonLines,
  oneJson,
  sha256,
  type DemoName,
  type DemoRun,
} from '../helpers/e2e.js';
import { acceptable, evidenceByChance, tails, type Key, type PublicItem } from './protocol.js';

const MINUTES = 60_000;

let runs: Record<DemoName, DemoRun>;

beforeAll(async () => {
  // The first has both cores to itself, so that its time is the one a user sees.
  const first = await demoRun('seed-0');
  const [oneWorker, second] = await Promise.all([demoRun('seed-0-one-worker'), demoRun('seed-1')]);
  runs = { 'seed-0': first, 'seed-0-one-worker': oneWorker, 'seed-1': second };
}, 15 * MINUTES);

/** What the same seed must give byte for byte. */
const REPEATABLE = [
  /^release\/public\//u,
  /^mcq\/(items|key)\.jsonl$/u,
  /^mcq\/splits\.json$/u,
  /^mcq\/images\//u,
  /^extract\/[^/]+\.jsonl$/u,
  /^retrieve\//u,
  /^audit\//u,
  /^runs\//u,
  /^report\.html$/u,
  /^cases/u,
  /^planted\.jsonl$/u,
  /^groundmark\.yaml$/u,
];
const repeatable = (file: string): boolean => REPEATABLE.some((pattern) => pattern.test(file));

describe('groundmark demo', () => {
  it('ends with 0 and prints one JSON object and nothing else on stdout under --json', () => {
    const { code, stdout, stderr, seconds } = runs['seed-0'];
    expect({ code, stderr }).toEqual({ code: 0, stderr });
    const summary = oneJson(stdout);
    expect(summary).toMatchObject({ cases: 18, patients: 17, items: expect.any(Number) as number });
    const figures = summary['figures'] as { ok: boolean; name: string }[];
    expect(figures.filter(({ ok }) => !ok)).toEqual([]);
    process.stdout.write(`demo, seed 0, 2 workers: ${seconds.toFixed(0)} s\n`);
  });

  it('tells people its scores and where the report is, on stdout, when --json is not given', () => {
    const { code, stdout, folder } = runs['seed-0-one-worker'];
    expect(code).toBe(0);
    expect(stdout).toContain(`Report: ${path.join(folder, 'report.html')}`);
    expect(stdout).toMatch(/^baseline\/oracle +100\.0 % +100\.0 % +100\.0 %$/mu);
    expect(stdout).toMatch(/^ok {3}Targets whose every reference image is within 2 positions/mu);
    expect(stdout).not.toMatch(/^MISS/mu);
  });

  it('shows progress on stderr', () => {
    expect(runs['seed-0'].stderr).toMatch(/^(?:phantoms|Contact sheets|Blind nomination): \d+\/\d+, about/mu);
  });

  it('gives the same bytes for one worker and for two', async () => {
    const [two, one] = await Promise.all(
      (['seed-0', 'seed-0-one-worker'] as const).map((name) => hashesBelow(runs[name].folder, repeatable)),
    );
    expect(Object.keys(two!).length).toBeGreaterThan(2000);
    expect(one).toEqual(two);
    for (const file of [
      'report.html',
      'runs/scores.json',
      'mcq/key.jsonl',
      'retrieve/evidence.jsonl',
      'extract/index.jsonl',
      'release/public/commitment.json',
    ]) {
      expect(Object.keys(two!)).toContain(file);
    }
  });

  it('leaves no file but those of the workspace', async () => {
    const top = new Set(
      (await filesBelow(runs['seed-0'].folder)).map((file) => file.split('/').slice(0, 1).join('/')),
    );
    expect([...top].sort()).toEqual([
      '.groundmark',
      'audit',
      'cases',
      'cases.csv',
      'extract',
      'groundmark.yaml',
      'mcq',
      'planted.jsonl',
      'release',
      'report.html',
      'retrieve',
      'runs',
    ]);
    const litter = (await filesBelow(runs['seed-0'].folder)).filter((file) => /\.tmp$|partial/u.test(file));
    expect(litter).toEqual([]);
  });

  it('gives other items and other letters for another seed', async () => {
    const [a, b] = await Promise.all(
      (['seed-0', 'seed-1'] as const).map((name) => jsonLines<Key>(runs[name].folder, 'mcq/key.jsonl')),
    );
    const ids = new Set(a!.map(({ id }) => id));
    expect(b!.filter(({ id }) => ids.has(id))).toEqual([]);
    const letters = (keys: readonly Key[]): string => keys.map(({ answer }) => answer).join('');
    expect(letters(a!)).not.toBe(letters(b!));
    const images = async (name: DemoName): Promise<string[]> =>
      (await jsonLines<PublicItem>(runs[name].folder, 'mcq/items.jsonl')).flatMap((item) =>
        item.images.map((image) => image.sha256),
      );
    const first = new Set(await images('seed-0'));
    expect((await images('seed-1')).filter((hash) => first.has(hash))).toEqual([]);
  });
});

describe.each(['seed-0', 'seed-1'] as const)('the benchmark of demo %s', (name) => {
  let folder = '';
  let items: PublicItem[] = [];
  let keys = new Map<string, Key>();
  const keyOf = (item: PublicItem): Key => keys.get(item.id)!;

  beforeAll(async () => {
    folder = runs[name].folder;
    items = await jsonLines<PublicItem>(folder, 'release/public/items.jsonl');
    keys = new Map((await jsonLines<Key>(folder, 'mcq/key.jsonl')).map((key) => [key.id, key]));
  });

  it('has at least 40 items, each with an entry in the key', () => {
    expect(items.length).toBeGreaterThanOrEqual(40);
    expect(items.map(({ id }) => id).sort()).toEqual([...keys.keys()].sort());
  });

  it('has five choices, A to E, all different, in each item', () => {
    for (const { choices } of items) {
      expect(choices.map(({ letter }) => letter)).toEqual(['A', 'B', 'C', 'D', 'E']);
      expect(new Set(choices.map(({ text }) => text.toLowerCase())).size).toBe(5);
    }
  });

  it('shows 7 to 12 images with ids that only count, and the key knows the same ones', () => {
    for (const item of items) {
      const ids = item.images.map(({ id }) => id);
      expect(ids.length).toBeGreaterThanOrEqual(7);
      expect(ids.length).toBeLessThanOrEqual(12);
      expect(ids).toEqual(ids.map((_, i) => `img${String(i + 1).padStart(2, '0')}`));
      expect(
        keyOf(item)
          .images.map(({ id }) => id)
          .sort(),
      ).toEqual(ids);
    }
  });

  it('has 1 to 3 reference images an item and no comparison image that would count as evidence', () => {
    for (const item of items) {
      const key = keyOf(item);
      const references = key.images.filter(({ role }) => role === 'reference').map(({ id }) => id);
      expect(references.length).toBeGreaterThanOrEqual(1);
      expect(references.length).toBeLessThanOrEqual(3);
      expect([...acceptable(key)].sort()).toEqual(references.sort());
    }
  });

  it('does not put the reference images in places that follow from the ids', () => {
    const places = [...keys.values()].flatMap(({ images }) =>
      images.flatMap(({ role }, i) => (role === 'reference' ? [(i + 0.5) / images.length] : [])),
    );
    const mean = places.reduce((sum, place) => sum + place, 0) / places.length;
    // Uniform places have a standard deviation of 0.289: five standard errors.
    expect(Math.abs(mean - 0.5)).toBeLessThan((5 * 0.289) / Math.sqrt(places.length));
  });

  it('spreads the letters evenly to within one', () => {
    const counts = ['A', 'B', 'C', 'D', 'E'].map(
      (letter) => [...keys.values()].filter(({ answer }) => answer === letter).length,
    );
    expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1);
  });

  it('names no modality in a stem', () => {
    const modality =
      /\b(?:CT|CTA|MRI?|MRA|PET|SPECT|FLAIR|T1|T2|DWI|FDG)\b|tomogra|magnetic|resonance|ultraso|radiogra|x-ray/iu;
    expect(items.map(({ question }) => question).filter((question) => modality.test(question))).toEqual([]);
  });

  it('has key choices and distractors of the same mean length, to 0.15 words', () => {
    const words = { gold: [] as number[], other: [] as number[] };
    for (const item of items) {
      for (const { letter, text } of item.choices)
        words[letter === keyOf(item).answer ? 'gold' : 'other'].push(text.trim().split(/\s+/u).length);
    }
    const mean = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0) / values.length;
    expect(words.gold).toHaveLength(items.length);
    expect(words.other).toHaveLength(items.length * 4);
    expect(Math.abs(mean(words.gold) - mean(words.other))).toBeLessThan(0.15);
  });

  it('has no patient, case or case group in two splits', async () => {
    const patientOf = new Map(
      (await csvRows(path.join(folder, 'cases.csv'))).map((row) => [row['case_id']!, row['patient_id']!]),
    );
    const file = JSON.parse(await readFile(path.join(folder, 'mcq/splits.json'), 'utf8')) as {
      groups: { caseIds: string[]; split: string; items: number }[];
      counts: Record<string, number>;
    };
    const splits = new Map<string, Set<string>>();
    const note = (unit: string, split: string): unknown =>
      splits.set(unit, (splits.get(unit) ?? new Set()).add(split));
    for (const { caseIds, split } of file.groups) {
      for (const caseId of caseIds) {
        note(caseId, split);
        note(patientOf.get(caseId)!, split);
      }
    }
    for (const item of items) note(`group ${keyOf(item).caseGroup}`, item.split);
    expect([...splits].filter(([, of]) => of.size !== 1)).toEqual([]);
    // One phantom patient has two cases, so that there is something to get wrong.
    expect(patientOf.size).toBe(18);
    expect(new Set(patientOf.values()).size).toBe(17);
    for (const split of ['dev', 'validation', 'test']) {
      const count = items.filter((item) => item.split === split).length;
      expect(count).toBeGreaterThan(0);
      expect(file.counts[split]).toBe(count);
      expect(
        file.groups.filter((group) => group.split === split).reduce((n, group) => n + group.items, 0),
      ).toBe(count);
    }
  });

  it('publishes exactly the named images, with the named hash and size, and equal bytes within an item', async () => {
    const root = path.join(folder, 'release/public');
    const named = items.flatMap(({ images }) => images.map(({ file }) => file)).sort();
    expect((await filesBelow(path.join(root, 'images'))).map((file) => `images/${file}`)).toEqual(named);
    for (const item of items) {
      const sizes = new Set<number>();
      for (const image of item.images) {
        const bytes = await readFile(path.join(root, image.file));
        expect(sha256(bytes)).toBe(image.sha256);
        // IHDR is always the first chunk: width and height at bytes 16 and 20. PNG 3rd ed. §11.2.1.
        expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([image.width, image.height]);
        sizes.add(bytes.length);
      }
      expect(sizes.size).toBe(1);
      expect(new Set(item.images.map((image) => image.sha256)).size).toBe(item.images.length);
    }
  });

  it('rests at least 95 % of its targets on slices within 2 positions of what was planted', async () => {
    const planted = await jsonLines<Planted>(folder, 'planted.jsonl');
    const evidence = (await jsonLines<Evidence>(folder, 'retrieve/evidence.jsonl')).filter(
      ({ dropped }) => dropped === null,
    );
    const oneSpaced = (text: string): string => text.trim().split(/\s+/u).join(' ');
    const agreeing = evidence.filter(({ caseId, finding, references }) => {
      const slices = planted
        .filter(
          (one) =>
            one.caseId === caseId && one.askable && oneSpaced(one.sentence) === oneSpaced(finding.text),
        )
        .flatMap((one) => one.slices);
      return references.every((reference) =>
        slices.some(
          (slice) =>
            slice.seriesInstanceUid === reference.seriesInstanceUid &&
            Math.abs(slice.position - reference.position) <= 2,
        ),
      );
    });
    expect(evidence.length).toBeGreaterThanOrEqual(items.length);
    expect(agreeing.length / evidence.length).toBeGreaterThanOrEqual(0.95);
  });

  it('scores the oracle 1 and the random guesser as chance allows', async () => {
    const scores = JSON.parse(await readFile(path.join(folder, 'runs/scores.json'), 'utf8')) as {
      models: { model: string; n: number; answer: Rate; evidence: Rate; joint: Rate }[];
      chance: { answer: number; evidence: Record<string, number>; joint: Record<string, number> };
      items: { model: string; answer: boolean; evidence: boolean; joint: boolean }[];
    };
    const oracle = scores.models.find(({ model }) => model === 'baseline/oracle')!;
    expect([oracle.n, oracle.answer.rate, oracle.evidence.rate, oracle.joint.rate]).toEqual([
      items.length,
      1,
      1,
      1,
    ]);
    const all = items.map(keyOf);
    const mean = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0) / values.length;
    const byCount = [1, 2, 3].map((count) => all.map((key) => evidenceByChance(key, count)));
    byCount.forEach((chances, i) => {
      expect(scores.chance.evidence[`pick${i + 1}`]).toBeCloseTo(mean(chances), 10);
      expect(scores.chance.joint[`pick${i + 1}`]).toBeCloseTo(mean(chances) / 5, 10);
    });
    expect(scores.chance.answer).toBe(0.2);
    const evidence = all.map((_, i) => mean(byCount.map((chances) => chances[i]!)));
    const expected = {
      answer: all.map(() => 0.2),
      evidence,
      joint: evidence.map((p) => p / 5),
    };
    const replies = scores.items.filter(({ model }) => model === 'baseline/random');
    expect(replies).toHaveLength(items.length);
    for (const metric of ['answer', 'evidence', 'joint'] as const) {
      const { low, high } = tails(expected[metric], replies.filter((reply) => reply[metric]).length);
      expect(low).toBeGreaterThan(0.005);
      expect(high).toBeGreaterThan(0.005);
    }
  });
});

interface Planted {
  readonly caseId: string;
  readonly sentence: string;
  readonly askable: boolean;
  readonly slices: readonly { readonly seriesInstanceUid: string; readonly position: number }[];
}

interface Evidence {
  readonly caseId: string;
  readonly dropped: string | null;
  readonly finding: { readonly text: string };
  readonly references: readonly { readonly seriesInstanceUid: string; readonly position: number }[];
}

interface Rate {
  readonly rate: number;
}
