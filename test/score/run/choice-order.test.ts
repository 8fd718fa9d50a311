import { describe, expect, it } from 'vitest';
import { LETTERS } from '../../../src/domain/item.js';
import { itemLetter, shuffledOrder } from '../../../src/score/run/choice-order.js';
import { anItem, lettersOf } from './an-item.js';

describe('shuffledOrder', () => {
  it('is the five letters, each once, and the same again for item, epoch and seed', () => {
    for (let i = 0; i < 50; i++) {
      const order = shuffledOrder(anItem(`item-${i}`), 1, 0);
      expect([...order].sort().join('')).toBe('ABCDE');
      expect(shuffledOrder(anItem(`item-${i}`), 1, 0)).toEqual(order);
    }
  });

  it('differs between items, epochs and seeds', () => {
    const of = (id: string, epoch: number, seed: number): string =>
      shuffledOrder(anItem(id), epoch, seed).join('');
    const vary = (make: (i: number) => string): number =>
      new Set(Array.from({ length: 20 }, (_, i) => make(i))).size;
    // 20 draws from 120 orders: 18 different ones are to be expected.
    expect(vary((i) => of(`item-${i}`, 1, 0))).toBeGreaterThan(12);
    expect(vary((i) => of('item', i + 1, 0))).toBeGreaterThan(12);
    expect(vary((i) => of('item', 1, i))).toBeGreaterThan(12);
  });

  it('shows every choice about equally often at every place, E too', () => {
    const first: Record<string, number> = { A: 0, B: 0, C: 0, D: 0, E: 0 };
    for (let i = 0; i < 1000; i++) first[shuffledOrder(anItem(`item-${i}`), 1, 0)[0]!]! += 1;
    // 200 each; four standard deviations of a count are 51.
    for (const count of Object.values(first)) expect(Math.abs(count - 200)).toBeLessThan(51);
  });
});

describe('itemLetter', () => {
  it.each([
    { answer: 'A', own: 'C' },
    { answer: 'B', own: 'E' },
    { answer: 'C', own: 'A' },
    { answer: 'D', own: 'B' },
    { answer: 'E', own: 'D' },
    { answer: 'e', own: 'D' },
    { answer: ' b ', own: 'E' },
    { answer: 'F', own: 'F' },
    { answer: 'AB', own: 'AB' },
    { answer: '', own: '' },
    { answer: null, own: null },
  ])('choices shown as C, E, A, B, D: the reply $answer means $own', ({ answer, own }) => {
    expect(itemLetter(answer, lettersOf('CEABD'))).toBe(own);
  });

  it('leaves the letter alone when the choices stood in their own order', () => {
    expect(['A', 'E', 'e', 'F', null].map((answer) => itemLetter(answer, null))).toEqual([
      'A',
      'E',
      'e',
      'F',
      null,
    ]);
  });

  it('whoever picks the place at which a choice stands gets that choice back, for every letter', () => {
    for (let i = 0; i < 200; i++) {
      const order = shuffledOrder(anItem(`item-${i}`), 1 + (i % 3), i % 5);
      for (const own of LETTERS) expect(itemLetter(LETTERS[order.indexOf(own)]!, order)).toBe(own);
    }
  });
});
