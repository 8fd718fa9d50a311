import { POOL_CAP, type Candidate, type Nomination, type Pool } from '../domain/evidence.js';
import type { Target } from '../domain/finding.js';
import { sliceKey, sliceRef, type CaseVolume } from './volumes.js';

/** Slices on either side of a nomination that join the pool. */
export const DEFAULT_NEIGHBOURS = 2;

/**
 * The pool of one target: the nominated slices of the most suitable stack that has any, their neighbours, at most 15.
 *
 * Order of preference when the cap cuts: named by more reviewers, nearer to a nomination, higher confidence, lower
 * position. The candidates come back by position.
 *
 * @param volumes - stacks that could show the target, most suitable first
 * @param nominations - all reviewers' nominations of the target's case
 */
export function buildPool(
  target: Target,
  volumes: readonly CaseVolume[],
  nominations: readonly Nomination[],
  neighbours: number = DEFAULT_NEIGHBOURS,
): Pool {
  const empty: Pool = {
    schemaVersion: 1,
    caseId: target.caseId,
    targetId: target.targetId,
    candidates: [],
    cut: 0,
  };
  for (const volume of volumes) {
    const own = nominations.filter(({ slice }) => slice?.volumeId === volume.volumeId);
    if (own.length === 0) continue;
    const candidates = gather(volume, own, neighbours);
    const kept = prefer(candidates).slice(0, POOL_CAP);
    kept.sort((a, b) => a.slice.position - b.slice.position);
    return { ...empty, candidates: kept, cut: candidates.length - kept.length };
  }
  return empty;
}

function gather(volume: CaseVolume, nominations: readonly Nomination[], neighbours: number): Candidate[] {
  const positions = new Map(volume.rows.map((row) => [sliceKey(row), row.position]));
  const found = new Map<number, { by: Set<string>; distance: number; confidence: number }>();
  for (const { slice, reviewer, confidence } of nominations) {
    const centre = positions.get(sliceKey(slice!));
    if (centre === undefined) continue;
    for (let position = centre - neighbours; position <= centre + neighbours; position++) {
      if (position < 0 || position >= volume.rows.length) continue;
      const distance = Math.abs(position - centre);
      const entry = found.get(position) ?? { by: new Set<string>(), distance: Infinity, confidence: 0 };
      if (distance === 0) entry.by.add(reviewer);
      entry.distance = Math.min(entry.distance, distance);
      entry.confidence = Math.max(entry.confidence, (confidence ?? 0.5) / (1 + distance));
      found.set(position, entry);
    }
  }
  return [...found]
    .sort(([a], [b]) => a - b)
    .map(([position, { by, distance, confidence }]) => ({
      slice: sliceRef(volume.rows[position]!),
      nominatedBy: [...by].sort(),
      neighbourDistance: distance,
      confidence,
    }));
}

/** Best first: see `buildPool`. */
function prefer(candidates: readonly Candidate[]): Candidate[] {
  return [...candidates].sort(
    (a, b) =>
      b.nominatedBy.length - a.nominatedBy.length ||
      a.neighbourDistance - b.neighbourDistance ||
      b.confidence - a.confidence ||
      a.slice.position - b.slice.position,
  );
}
