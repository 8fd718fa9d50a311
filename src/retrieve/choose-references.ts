import {
  REFERENCE_CAP,
  type Candidate,
  type Rating,
  type RatingValue,
  type SliceRef,
} from '../domain/evidence.js';
import { sliceKey } from './volumes.js';

/** One pool slice with every reviewer's rating. */
export interface RatedCandidate {
  readonly slice: SliceRef;
  readonly ratings: Readonly<Record<string, RatingValue>>;
  /** Sum of the reviewers' own strengths; 0 when none gives any. */
  readonly strength: number;
  readonly nominatedBy: number;
}

const POINTS: Readonly<Record<RatingValue, number>> = { direct: 2, possible: 1, unassessable: 0 };

/** The pool's candidates with the ratings given to them, in the pool's order. */
export function joinRatings(candidates: readonly Candidate[], ratings: readonly Rating[]): RatedCandidate[] {
  return candidates.map(({ slice, nominatedBy }) => {
    const own = ratings.filter((rating) => sliceKey(rating.slice) === sliceKey(slice));
    own.sort((a, b) => (a.reviewer < b.reviewer ? -1 : a.reviewer > b.reviewer ? 1 : 0));
    return {
      slice,
      ratings: Object.fromEntries(own.map(({ reviewer, rating }) => [reviewer, rating])),
      strength: own.reduce((sum, { strength }) => sum + (strength ?? 0), 0),
      nominatedBy: nominatedBy.length,
    };
  });
}

/**
 * Up to three strongest slices, by position; none when no judgment is `direct` or `possible`. PROTOCOL.md §3.7.
 *
 * Strength: direct by more reviewers, then possible by more, then the reviewers' own strengths, then more nominations,
 * then the lower position. A slice that is only `possible` never joins one that is `direct`.
 */
export function chooseReferences(candidates: readonly RatedCandidate[]): SliceRef[] {
  const seen = candidates.filter(({ ratings }) => points(ratings) > 0);
  const direct = seen.filter(({ ratings }) => Object.values(ratings).includes('direct'));
  const eligible = direct.length > 0 ? direct : seen;
  const strongest = [...eligible].sort(
    (a, b) =>
      points(b.ratings) - points(a.ratings) ||
      b.strength - a.strength ||
      b.nominatedBy - a.nominatedBy ||
      a.slice.position - b.slice.position,
  );
  return strongest
    .slice(0, REFERENCE_CAP)
    .map(({ slice }) => slice)
    .sort((a, b) => a.position - b.position);
}

function points(ratings: Readonly<Record<string, RatingValue>>): number {
  return Object.values(ratings).reduce((sum, rating) => sum + POINTS[rating], 0);
}
