import { describe, expect, it } from 'vitest';
import { heuristicPicks } from '../../src/audit/text/heuristics.js';
import { pickFigures } from '../../src/audit/text/pick.js';

describe('pick by extreme score', () => {
  it('splits ties evenly and takes their variance into account', () => {
    // Item 1: two of three tied, key among them: 1/2, variance 1/6 - 1/9. Item 2: the only longest: 1, 1/3 - 1/9.
    // Item 3: all tied: 1/3, no variance. z = (11/6 - 1) / sqrt(5/18).
    const result = pickFigures(
      [
        [3, 3, 1],
        [5, 1, 1],
        [2, 2, 2],
      ],
      [0, 0, 1],
      'max',
    );
    expect(result.acc).toBeCloseTo(0.611111, 6);
    expect(result.chance).toBeCloseTo(1 / 3, 12);
    expect(result.zNull).toBeCloseTo(1.581139, 6);
    expect(result.goldAmong).toBe(1);
    expect(result.goldUnique).toBeCloseTo(1 / 3, 12);
    expect(result.itemsWithUniqueExtreme).toBe(1);
  });

  it('takes the lowest score when asked for the least', () => {
    expect(pickFigures([[3, 1, 2]], [1], 'min').acc).toBe(1);
  });

  it('has no z where every option of every item is tied', () => {
    const result = pickFigures(
      [
        [1, 1],
        [0, 0, 0],
      ],
      [0, 2],
      'max',
    );
    expect(result.zNull).toBeNull();
    expect(result.acc).toBeCloseTo(5 / 12, 12);
  });

  it('counts scores closer than a billionth as tied', () => {
    expect(pickFigures([[1, 1 + 1e-10]], [0], 'max').acc).toBe(0.5);
  });

  it('gives nulls, not NaN, for no items', () => {
    expect(pickFigures([], [], 'max')).toEqual({
      acc: null,
      chance: null,
      zNull: null,
      goldAmong: null,
      goldUnique: null,
      itemsWithUniqueExtreme: 0,
    });
  });
});

describe('the eight rules', () => {
  it('counts code points, not UTF-16 units: 𝛼𝛽 is shorter than abc', () => {
    const items = [{ stem: 's', options: ['𝛼𝛽', 'abc'], answer: 1 }];
    expect(heuristicPicks(items).picks.longestChars.acc).toBe(1);
  });

  it('sees the option that repeats the stem, and the one most like the others', () => {
    const items = [
      {
        stem: 'Which lobe holds the nodule?',
        options: ['upper lobe', 'upper field', 'lower field'],
        answer: 0,
      },
    ];
    const { picks } = heuristicPicks(items);
    expect(picks.mostSimilarToStem.acc).toBe(1);
    // "upper field" shares a word with each of the others; they share none with each other.
    expect(picks.mostCentral.acc).toBe(0);
  });

  it('leaves two options always tied in centrality, so that pick has no p', () => {
    const { picks } = heuristicPicks([{ stem: '', options: ['a b', 'b c d'], answer: 0 }]);
    expect(picks.mostCentral).toMatchObject({ acc: 0.5, zNull: null, pHolm: null });
  });
});
