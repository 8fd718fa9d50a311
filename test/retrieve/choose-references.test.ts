import { describe, expect, it } from 'vitest';
import type { RatingValue } from '../../src/domain/evidence.js';
import { chooseReferences, type RatedCandidate } from '../../src/retrieve/choose-references.js';
import { aSlice } from '../helpers/volumes.js';

const rated = (position: number, ratings: RatingValue[], strength = 0, nominatedBy = 0): RatedCandidate => ({
  slice: aSlice(position),
  ratings: Object.fromEntries(ratings.map((rating, i) => [`reader-${i + 1}`, rating])),
  strength,
  nominatedBy,
});

const positions = (candidates: RatedCandidate[]): number[] =>
  chooseReferences(candidates).map(({ position }) => position);

describe('the reference evidence of a target', () => {
  it.each<{ why: string; candidates: RatedCandidate[]; expected: number[] }>([
    { why: 'nothing rated gives none', candidates: [rated(1, [])], expected: [] },
    {
      why: 'all unassessable gives none',
      candidates: [rated(1, ['unassessable', 'unassessable'])],
      expected: [],
    },
    {
      why: 'one possible judgment keeps the target',
      candidates: [rated(4, ['possible', 'unassessable'])],
      expected: [4],
    },
    {
      why: 'direct by both before direct by one',
      candidates: [
        rated(1, ['direct', 'unassessable']),
        rated(2, ['direct', 'direct']),
        rated(3, ['direct', 'direct']),
        rated(4, ['direct', 'direct']),
      ],
      expected: [2, 3, 4],
    },
    {
      why: 'direct and possible before direct and unassessable',
      candidates: [
        rated(1, ['direct', 'unassessable']),
        rated(2, ['direct', 'direct']),
        rated(3, ['direct', 'direct']),
        rated(4, ['possible', 'direct']),
      ],
      expected: [2, 3, 4],
    },
    {
      why: 'possible slices never fill up beside direct ones',
      candidates: [
        rated(5, ['direct', 'direct']),
        rated(6, ['possible', 'possible']),
        rated(7, ['possible', 'possible']),
      ],
      expected: [5],
    },
    {
      why: 'only possible slices: up to three, most reviewers first',
      candidates: [
        rated(1, ['possible']),
        rated(2, ['possible', 'possible']),
        rated(3, ['possible']),
        rated(4, ['possible']),
      ],
      expected: [1, 2, 3],
    },
    {
      why: 'strength decides among equals',
      candidates: [
        rated(1, ['direct'], 1),
        rated(2, ['direct'], 9),
        rated(3, ['direct'], 8),
        rated(4, ['direct'], 7),
      ],
      expected: [2, 3, 4],
    },
    {
      why: 'then nominations',
      candidates: [
        rated(1, ['direct']),
        rated(2, ['direct'], 0, 2),
        rated(3, ['direct'], 0, 1),
        rated(4, ['direct'], 0, 1),
      ],
      expected: [2, 3, 4],
    },
  ])('$why', ({ candidates, expected }) => {
    expect(positions(candidates)).toEqual(expected);
  });
});
