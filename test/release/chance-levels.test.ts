import { describe, expect, it } from 'vitest';
import type { KeyEntry } from '../../src/domain/item.js';
import { evidenceChance } from '../../src/domain/protocol/index.js';
import { chanceLevels } from '../../src/release/chance-levels.js';

/** Ten images far apart in one series, of which the first `references` are evidence. */
function entry(references: number): KeyEntry {
  return {
    schemaVersion: 1,
    id: 'q',
    answer: 'A',
    images: Array.from({ length: 10 }, (_, i) => ({
      id: `img${i}`,
      series: 's',
      position: 10 * i,
      role: i < references ? ('reference' as const) : ('comparison' as const),
    })),
    caseGroup: 'g',
    strata: {},
  };
}

describe('evidenceChance', () => {
  // Counted by hand. One of ten: 1/10; in a pair 9/45; three picks need two hits.
  // Two of ten in three picks: 8/120. Three of ten need two hits: 3/45 and (21 + 1)/120.
  it.each([
    { references: 1, picks: 1, chance: 0.1 },
    { references: 1, picks: 2, chance: 0.2 },
    { references: 1, picks: 3, chance: 0 },
    { references: 2, picks: 2, chance: 17 / 45 },
    { references: 2, picks: 3, chance: 8 / 120 },
    { references: 3, picks: 1, chance: 0 },
    { references: 3, picks: 2, chance: 3 / 45 },
    { references: 3, picks: 3, chance: 22 / 120 },
  ])(
    'is $chance for $picks random images and $references references of ten',
    ({ references, picks, chance }) => {
      expect(evidenceChance(entry(references).images, picks)).toBeCloseTo(chance, 12);
    },
  );

  it('counts an image two positions from a reference, not one three away', () => {
    const near = entry(1);
    near.images[1]!.position = 2;
    near.images[2]!.position = 3;
    expect(evidenceChance(near.images, 1)).toBeCloseTo(0.2, 12);
  });
});

describe('chanceLevels', () => {
  it('says nothing for fewer than 20 items', () => {
    expect(chanceLevels(Array.from({ length: 19 }, () => entry(1)))).toBeNull();
    expect(chanceLevels(Array.from({ length: 20 }, () => entry(1)))!.evidence[0]).toBeCloseTo(0.1, 12);
  });
});
