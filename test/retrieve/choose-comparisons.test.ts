import { describe, expect, it } from 'vitest';
import type { RatingValue } from '../../src/domain/evidence.js';
import { chooseComparisons } from '../../src/retrieve/choose-comparisons.js';
import { rng } from '../../src/util/rng.js';
import { aSlice, aVolume } from '../helpers/volumes.js';

const none = new Map<string, readonly RatingValue[]>();

describe('the comparison slices of an item', () => {
  it('fill the item to 7–12 images and are never acceptable as evidence, for 200 seeds', () => {
    const volume = aVolume(30);
    const sizes = new Set<number>();
    for (let seed = 0; seed < 200; seed++) {
      const references = [aSlice(10), aSlice(11), aSlice(12)];
      const chosen = chooseComparisons({ volume, others: [], references, ratings: none }, rng(seed));
      const total = chosen.length + 3;
      sizes.add(total);
      expect(total).toBeGreaterThanOrEqual(7);
      expect(total).toBeLessThanOrEqual(12);
      for (const { position } of chosen) expect(position < 8 || position > 14).toBe(true);
      expect(new Set(chosen.map(({ position }) => position)).size).toBe(chosen.length);
    }
    expect([...sizes].sort((a, b) => a - b)).toEqual([7, 8, 9, 10, 11, 12]);
  });

  it('leave out every slice that anyone rated direct or possible', () => {
    const volume = aVolume(14);
    const ratings = new Map<string, readonly RatingValue[]>([
      ['1.2.3.1.0#0', ['unassessable', 'possible']],
      ['1.2.3.1.1#0', ['direct']],
      ['1.2.3.1.2#0', ['unassessable', 'unassessable']],
    ]);
    for (let seed = 0; seed < 50; seed++) {
      const chosen = chooseComparisons({ volume, others: [], references: [aSlice(6)], ratings }, rng(seed));
      const positions = chosen.map(({ position }) => position);
      expect(positions).not.toContain(0);
      expect(positions).not.toContain(1);
    }
  });

  it('come as neighbours when the references are neighbours', () => {
    const volume = aVolume(40);
    const chosen = chooseComparisons(
      { volume, others: [], references: [aSlice(20), aSlice(21), aSlice(22)], ratings: none },
      rng('pattern'),
    );
    const positions = chosen.map(({ position }) => position);
    const beside = positions.filter((p) => positions.includes(p + 1) || positions.includes(p - 1));
    expect(beside.length / positions.length).toBeGreaterThan(0.6);
  });

  it('come from a second stack only away from where the finding lies', () => {
    // Eight slices: 5 to 7 are acceptable or references, so five are left and one more is wanted at least.
    const volume = aVolume(6);
    const second = aVolume(20, { seriesInstanceUid: '1.2.3.2', volumeId: 'vol-2', seriesNumber: 3 });
    const chosen = chooseComparisons(
      { volume, others: [volume, second], references: [aSlice(5)], ratings: none },
      rng(1),
    );
    expect(chosen.length + 1).toBe(7);
    for (const slice of chosen.filter(({ volumeId }) => volumeId === 'vol-2')) {
      // The reference lies at 25 mm; three slices of 5 mm on either side are off limits.
      expect(Math.abs(slice.position * 5 - 25)).toBeGreaterThan(15);
    }
  });

  it('are too few when the stack is short, and say so by their number', () => {
    const chosen = chooseComparisons(
      { volume: aVolume(8), others: [], references: [aSlice(3)], ratings: none },
      rng(1),
    );
    expect(chosen.map(({ position }) => position)).toEqual([0, 6, 7]);
  });

  it('stand apart in groups as the references do, while the stack has room', () => {
    const volume = aVolume(40);
    for (let seed = 0; seed < 50; seed++) {
      const references = [aSlice(20), aSlice(21)];
      const chosen = chooseComparisons({ volume, others: [], references, ratings: none }, rng(seed));
      const positions = chosen.map(({ position }) => position);
      // Runs of neighbours are no longer than the references' own run of two.
      const longest = positions.filter((p) => positions.includes(p + 1) && positions.includes(p + 2));
      expect(longest).toEqual([]);
    }
  });
});
