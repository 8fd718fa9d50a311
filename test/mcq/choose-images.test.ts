import { describe, expect, it } from 'vitest';
import type { IndexRow } from '../../src/domain/index-row.js';
import { chooseImages, sliceKey } from '../../src/mcq/choose-images.js';
import { rng } from '../../src/util/rng.js';
import { anEvidence, aSlice, aStack, aTarget } from '../helpers/mcq-fixtures.js';

const rows = new Map<string, IndexRow>(
  [...aStack('case-01', 'v1', 40), ...aStack('case-01', 'v2', 40)].map((row) => [sliceKey(row), row]),
);
const target = aTarget({ sentence: 'Mass.', concept: 'mass' });
const evidence = (references: number[], comparisons: number[]) =>
  anEvidence(target, 'v1', references, comparisons);
const choose = (input: ReturnType<typeof evidence>, seed = 1) =>
  chooseImages(input, (slice) => rows.get(sliceKey(slice)), rng(seed));

describe('the images of an item', () => {
  it('are references and comparisons in a seeded order', () => {
    const input = evidence([20, 21], [0, 5, 10, 15, 30]);
    const positions = (seed: number) => choose(input, seed).images!.map(({ slice }) => slice.position);
    expect([...positions(1)].sort((a, b) => a - b)).toEqual([0, 5, 10, 15, 20, 21, 30]);
    expect(positions(1)).toEqual(positions(1));
    expect(new Set([1, 2, 3, 4].map((seed) => positions(seed).join())).size).toBeGreaterThan(1);
    const references = choose(input).images!.filter(({ role }) => role === 'reference');
    expect(references.map(({ slice }) => slice.position).sort()).toEqual([20, 21]);
  });

  it('are twelve at most, the references all kept', () => {
    const { images } = choose(evidence([20, 21, 22], [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]));
    expect(images).toHaveLength(12);
    expect(images!.filter(({ role }) => role === 'reference')).toHaveLength(3);
  });

  it.each([
    { why: 'six images', references: [20], comparisons: [0, 1, 2, 3, 4], dropped: 'too-few-images' },
    { why: 'no reference', references: [], comparisons: [0, 1, 2, 3, 4, 5, 6], dropped: 'no-reference' },
    {
      why: 'a slice 2 away',
      references: [20],
      comparisons: [0, 1, 2, 3, 4, 5, 22],
      dropped: 'comparison-acceptable',
    },
    { why: 'a slice 3 away', references: [20], comparisons: [0, 1, 2, 3, 4, 5, 23], dropped: null },
    {
      why: 'a slice twice',
      references: [20],
      comparisons: [0, 1, 2, 3, 4, 5, 5],
      dropped: 'duplicate-image',
    },
    {
      why: 'a slice not indexed',
      references: [20],
      comparisons: [0, 1, 2, 3, 4, 5, 99],
      dropped: 'slice-not-indexed',
    },
  ])('with $why: $dropped', ({ references, comparisons, dropped }) => {
    expect(choose(evidence(references, comparisons)).dropped).toBe(dropped);
  });

  it('may lie at the same position of another stack of the same series', () => {
    const input = evidence([20], [0, 1, 2, 3, 4, 5]);
    const other = { ...aSlice('v2', 20), seriesInstanceUid: 'series-v1' };
    expect(choose({ ...input, comparisons: [...input.comparisons, other] }).dropped).toBeNull();
  });

  it.each([
    ['possible', 'comparison-rated'],
    ['direct', 'comparison-rated'],
    ['unassessable', null],
  ] as const)('with a comparison rated %s: %s', (rating, dropped) => {
    const input = evidence([20], [0, 1, 2, 3, 4, 5, 6]);
    const candidates = [...input.candidates, { ...aSlice('v1', 6), ratings: { 'reader-2': rating } }];
    expect(choose({ ...input, candidates }).dropped).toBe(dropped);
  });
});
