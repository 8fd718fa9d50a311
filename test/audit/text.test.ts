import { describe, expect, it } from 'vitest';
import type { AuditItem } from '../../src/audit/audit-item.js';
import { choicesOnly } from '../../src/audit/text/choices-only.js';
import { cueFigures } from '../../src/audit/text/cues.js';
import { countDuplicates } from '../../src/audit/text/duplicates.js';
import { plainFolds, strictFolds } from '../../src/audit/text/folds.js';
import { goldTextInStem } from '../../src/audit/text/gold-text-in-stem.js';
import { labelDistribution } from '../../src/audit/text/labels.js';
import { lengthMeans } from '../../src/audit/text/length.js';
import { fitLogistic } from '../../src/audit/text/logistic.js';
import { tokenZ } from '../../src/audit/text/token-z.js';
import { rng } from '../../src/util/rng.js';

const item = (stem: string, options: string[], answer = 0): AuditItem => ({ stem, options, answer });

describe('labels', () => {
  it('expects each position only from items that have it', () => {
    // Two items of two options, one of four: E = (2/2 + 1/4, same, 1/4, 1/4); O = (3, 0, 0, 0).
    const labels = labelDistribution([
      item('', ['a', 'b']),
      item('', ['a', 'b']),
      item('', ['a', 'b', 'c', 'd']),
    ]);
    expect(labels.observed).toEqual([3, 0, 0, 0]);
    expect(labels.expected).toEqual([1.25, 1.25, 0.25, 0.25]);
    // (1.75² + 1.25²)/1.25 + 0.25 + 0.25
    expect(labels.chi2).toBeCloseTo(4.2, 12);
    expect(labels).toMatchObject({ df: 3, bestPosition: 0, bestPositionAcc: 1 });
  });
});

describe('length', () => {
  it('pools the distractors of all items', () => {
    const means = lengthMeans([item('one two', ['a b', 'c', 'd'], 0), item('one', ['x', 'y y y'], 1)]);
    expect(means.goldMeanWords).toBe(2.5);
    expect(means.distractorMeanWords).toBe(1);
    expect(means.stemMeanWords).toBe(1.5);
    expect(means.goldMeanChars).toBe(4);
  });
});

describe('duplicates', () => {
  it('tells exact from normalised, and a repeated key from a repeated distractor', () => {
    const { options, emptyOptions } = countDuplicates([
      item('q', ['lung', 'lung', '']),
      item('q', ['liver', ' Liver'.trim(), 'x']),
      item('q', ['x', 'y', 'y']),
    ]);
    expect(options).toEqual({
      itemsExact: 2,
      itemsNormalised: 3,
      itemsGoldRepeatedExact: 1,
      itemsGoldRepeatedNormalised: 2,
      extraOptionsExact: 2,
    });
    expect(emptyOptions).toBe(1);
  });

  it('finds an item again when its options were reordered', () => {
    const { stems } = countDuplicates([item('Q one', ['a', 'b']), item('q  ONE', ['B', 'a'])]);
    expect(stems).toEqual({
      extraExact: 0,
      extraNormalised: 1,
      extraStemAndOptionsExact: 0,
      extraStemAndOptionSetNormalised: 1,
    });
  });
});

describe('cues', () => {
  it('counts a word only where some but not all options have it', () => {
    const { absoluteWords } = cueFigures([
      item('', ['always so', 'so', 'not so']),
      item('', ['never', 'always', 'so'], 2),
      item('', ['only', 'only that']),
      item('', ['small', 'large']),
    ]);
    // Item 1: the one option with "always" is the key; item 2: two options, neither the key. Productivity (1 + 0) / 2.
    expect(absoluteWords).toMatchObject({ applicability: 2, productivity: 0.5, coverage: 0.5 });
    expect(absoluteWords.chance).toBeCloseTo(1 / 3, 12);
  });

  it.each([
    { option: 'All of the above', all: 1, none: 0 },
    { option: 'all these statements', all: 1, none: 0 },
    { option: 'Both of the above.', all: 1, none: 0 },
    { option: 'None of these', all: 0, none: 1 },
    { option: 'neither of the above', all: 0, none: 1 },
    { option: 'overall above average', all: 0, none: 0 },
    { option: 'all lobes', all: 0, none: 0 },
  ])('"$option" is all-of-the-above: $all, none-of-the-above: $none', ({ option, all, none }) => {
    const cues = cueFigures([item('', [option, 'x', 'y', 'z'])]);
    expect([cues.allOfTheAbove.options, cues.noneOfTheAbove.options]).toEqual([all, none]);
    expect(cues.allOfTheAbove.expectedGold).toBe(all / 4);
  });
});

describe('token z', () => {
  it('finds the word that goes with the key and is silent on one that does not', () => {
    // "marked" is in 20 keys of two options: z = (20 - 10) / sqrt(5) = 4.472136. "plain" in 20 distractors: the reverse.
    const items = Array.from({ length: 20 }, (_, i) => item('', [`marked both t${i}`, `plain both u${i}`]));
    const { tokensTested, overBonferroni05, top } = tokenZ(items);
    expect(tokensTested).toBe(3);
    expect(overBonferroni05).toBe(2);
    expect(top[0]).toMatchObject({ token: 'marked', n: 20, gold: 20 });
    expect(top[0]!.z).toBeCloseTo(4.472136, 6);
    expect(top[2]).toMatchObject({ token: 'both', n: 40, z: 0 });
  });
});

describe('key text in the stem', () => {
  it('compares keys with distractors and ignores empty options', () => {
    const figures = goldTextInStem([
      item('Is the LEFT lung affected?', ['left  lung', 'right lung', '']),
      item('Left or right?', ['both', 'left', 'right']),
    ]);
    expect(figures).toMatchObject({ gold: 1, distractors: 2, options: 3 });
  });
});

describe('folds', () => {
  it('follow FNV-1a of seed and index', () => {
    // TRUTH.json, medqa_4opt: fold_items.
    const counts = [0, 0, 0, 0, 0];
    for (const fold of plainFolds(new Array(1273).fill(0))) counts[fold]! += 1;
    expect(counts).toEqual([256, 256, 250, 255, 256]);
  });

  it('keep items that share a stem or a set of options together, also through a third', () => {
    const others = Array.from({ length: 8 }, (_, i) => item(`other ${i}`, [`o${i}`, `p${i}`]));
    const items = [item('s', ['a', 'b']), ...others, item('S', ['c', 'd']), item('t', ['D', 'C'])];
    const folds = strictFolds(items, { joinStems: true })!;
    expect(folds[9]).toBe(folds[0]);
    expect(folds[10]).toBe(folds[0]);
  });

  it('are null with fewer than five sets of options', () => {
    const items = Array.from({ length: 50 }, (_, i) => item(`question ${i}`, ['yes', 'no', 'maybe']));
    expect(strictFolds(items, { joinStems: true })).toBeNull();
  });

  it('are null when one stem joins everything, unless stems are generic by design', () => {
    const items = Array.from({ length: 50 }, (_, i) => item('What is shown?', [`a${i}`, `b${i}`]));
    expect(strictFolds(items, { joinStems: true })).toBeNull();
    expect(new Set(strictFolds(items, { joinStems: false })).size).toBe(5);
  });
});

describe('choices-only regression', () => {
  const random = rng('choices');
  const word = (): string => `w${random.int(60)}`;

  it('finds a word that only keys have, and stays at chance where the key was drawn at random', () => {
    const draw = (): string[] => Array.from({ length: 4 }, () => `${word()} ${word()} ${word()}`);
    const clean = Array.from({ length: 200 }, (_, i) => item(`q${i}`, draw(), random.int(4)));
    const planted = clean.map(({ stem, options, answer }) =>
      item(
        stem,
        options.map((option, j) => (j === answer ? `${option} proven` : option)),
        answer,
      ),
    );
    expect(choicesOnly(planted, { joinStems: true }).strict!.acc).toBeGreaterThan(0.95);
    expect(Math.abs(choicesOnly(clean, { joinStems: true }).strict!.zNull!)).toBeLessThan(3);
  });

  it('gives chance, and no z, when there is nothing to learn from', () => {
    expect(choicesOnly([item('q', ['a', 'b'])], { joinStems: true })).toMatchObject({
      acc: 0.5,
      zNull: null,
      strict: null,
    });
  });

  it('solves a problem whose optimum is known in closed form', () => {
    // One feature x = ±1, y = sign x, m rows a side: w = 2m / (1 + exp(w)), b = 0. For m = 1 (bisection in Python): w = 0.6748316.
    const row = (x: number) => ({ terms: Int32Array.of(0), weights: Float64Array.of(x) });
    const model = fitLogistic([row(1), row(-1)], [true, false], 1);
    expect(model.score(row(1))).toBeCloseTo(0.6748316, 4);
    expect(model.score(row(-1))).toBeCloseTo(-0.6748316, 4);
  });
});
