import { describe, expect, it } from 'vitest';
import { balanceLabels } from '../../src/mcq/balance-labels.js';
import { balanceWords, meanWords } from '../../src/mcq/balance-words.js';
import { spreadGold } from '../../src/mcq/spread-gold.js';

const ids = (n: number): string[] => Array.from({ length: n }, (_, i) => `gm-${String(i).padStart(3, '0')}`);

describe('answer letters', () => {
  it.each([1, 4, 5, 7, 43, 513])('of %i items differ by one in count at most', (n) => {
    const letters = [...balanceLabels(ids(n), 'secret').values()];
    const counts = ['A', 'B', 'C', 'D', 'E'].map(
      (letter) => letters.filter((other) => other === letter).length,
    );
    expect(letters).toHaveLength(n);
    expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1);
  });

  it('do not depend on the order of items, and do on the secret', () => {
    const sorted = (map: ReadonlyMap<string, string>) => [...map].sort();
    const forward = sorted(balanceLabels(ids(40), 'secret'));
    expect(sorted(balanceLabels(ids(40).reverse(), 'secret'))).toEqual(forward);
    expect(sorted(balanceLabels(ids(40), 'another'))).not.toEqual(forward);
  });
});

describe('words', () => {
  const even = { choices: ['a b', 'c d', 'e f', 'g h', 'i j'], supported: 0 };
  const longGold = { choices: ['a b c', 'c d', 'e f', 'g h', 'i j'], supported: 0 };
  const shortGold = { choices: ['a', 'c d', 'e f', 'g h', 'i j'], supported: 0 };

  it('are counted for gold and for all distractors', () => {
    // gold 3 and 2, mean 2.5; distractors 4 x 2 and 4 x 2, mean 2
    expect(meanWords([longGold, even])).toEqual({ gold: 2.5, distractor: 2 });
    expect(meanWords([])).toEqual({ gold: 0, distractor: 0 });
  });

  it('make no swap while gold and distractors are within 0.15', () => {
    // 1 of 7 items is one word longer: a difference of 1/7 = 0.143
    expect(balanceWords(Array.from({ length: 7 }, (_, i) => [i === 0 ? longGold : even, shortGold]))).toEqual(
      [0, 0, 0, 0, 0, 0, 0],
    );
  });

  it('swap single sets until the difference is below 0.15', () => {
    // All four golds are one word longer: 1.0. Three even swaps leave 0.25, four leave 0.
    const chosen = balanceWords(Array.from({ length: 4 }, () => [longGold, even]));
    expect(chosen).toEqual([1, 1, 1, 1]);
    // A shorter gold swaps away two words at once.
    const mixed = balanceWords(Array.from({ length: 4 }, () => [longGold, shortGold]));
    expect(mixed.filter((set) => set === 1)).toHaveLength(2);
  });

  it('stop when no swap helps', () => {
    expect(balanceWords([[longGold], [longGold]])).toEqual([0, 0]);
  });
});

describe('gold texts', () => {
  const complete = { choices: ['Complete', 'Partial', 'Nodular', 'Layering', 'Septated'], supported: 0 };
  const sided = { choices: ['Left', 'Right', 'Front', 'Back', 'Top'], supported: 1 };

  it('that are gold wherever they appear are worn after two uses: 3 - 3/5 is over 2', () => {
    expect(spreadGold(Array.from({ length: 4 }, () => [complete, sided]))).toEqual([
      [0, 1],
      [0, 1],
      [1, 0],
      [1, 0],
    ]);
  });

  it('that are distractors as well wear off more slowly', () => {
    const elsewhere = { ...complete, supported: 1 };
    // Gold of items 1 and 2, a distractor of 3 to 7: as gold of item 8, 3 - 8/5 is not over 2.
    const items = [
      [complete],
      [complete],
      ...Array.from({ length: 5 }, () => [elsewhere]),
      [complete, sided],
    ];
    expect(spreadGold(items).at(-1)).toEqual([0, 1]);
  });

  it('stay when an item has no other set', () => {
    expect(spreadGold(Array.from({ length: 5 }, () => [complete]))).toEqual([[0], [0], [0], [0], [0]]);
  });
});
