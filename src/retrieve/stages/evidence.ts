import type { Deps } from '../../adapters/deps.js';
import { readJsonl, writeJsonl } from '../../adapters/store/index.js';
import {
  poolSchema,
  ratingSchema,
  type Evidence,
  type Pool,
  type Rating,
  type RatingValue,
} from '../../domain/evidence.js';
import type { Target } from '../../domain/finding.js';
import { IMAGES_MIN } from '../../domain/item.js';
import { rng } from '../../util/rng.js';
import { chooseComparisons } from '../choose-comparisons.js';
import { chooseReferences, joinRatings } from '../choose-references.js';
import { sliceKey, type CaseVolume } from '../volumes.js';
import { loadTargets, takenVolumes, type RetrieveInput } from './records.js';

/** Reference evidence and comparison slices of every target, or why it is dropped (`retrieve/evidence.jsonl`). */
export async function runEvidence(
  { paths }: RetrieveInput,
  deps: Deps,
): Promise<{ kept: number; dropped: Record<string, number> }> {
  const [volumes, targets, pools, ratings] = await Promise.all([
    takenVolumes(paths, deps),
    loadTargets(paths, deps),
    readJsonl(deps.store, paths.pools, poolSchema),
    readJsonl(deps.store, paths.ratings, ratingSchema),
  ]);
  const evidence = targets.map((target) =>
    evidenceOf(
      target,
      pools.find(({ targetId }) => targetId === target.targetId),
      ratings.filter(({ targetId }) => targetId === target.targetId),
      volumes.filter(({ caseId }) => caseId === target.caseId),
      deps.seed,
    ),
  );
  await writeJsonl(deps.store, paths.evidence, evidence);
  const dropped: Record<string, number> = {};
  for (const { dropped: reason } of evidence)
    if (reason !== null) dropped[reason] = (dropped[reason] ?? 0) + 1;
  return { kept: evidence.filter(({ dropped: reason }) => reason === null).length, dropped };
}

function evidenceOf(
  target: Target,
  pool: Pool | undefined,
  ratings: readonly Rating[],
  volumes: readonly CaseVolume[],
  seed: number,
): Evidence {
  const { sentence, targetId, caseId } = target;
  const base: Evidence = {
    schemaVersion: 1,
    targetId,
    caseId,
    finding: { text: sentence.text, start: sentence.start, end: sentence.end },
    references: [],
    comparisons: [],
    candidates: [],
    dropped: target.dropped,
  };
  if (target.dropped !== null) return base;
  if (pool === undefined || pool.candidates.length === 0) return { ...base, dropped: 'no-nomination' };
  const rated = joinRatings(pool.candidates, ratings);
  const candidates = rated.map(({ slice, ratings: given }) => ({ ...slice, ratings: { ...given } }));
  const references = chooseReferences(rated);
  if (references.length === 0) return { ...base, candidates, dropped: 'no-visible-evidence' };
  const volume = volumes.find(({ volumeId }) => volumeId === references[0]!.volumeId)!;
  const given = new Map<string, RatingValue[]>();
  for (const { slice, rating } of ratings) {
    given.set(sliceKey(slice), [...(given.get(sliceKey(slice)) ?? []), rating]);
  }
  const comparisons = chooseComparisons(
    { volume, others: volumes, references, ratings: given },
    rng(seed, 'comparisons', targetId),
  );
  const enough = references.length + comparisons.length >= IMAGES_MIN;
  return { ...base, references, comparisons, candidates, dropped: enough ? null : 'too-few-comparisons' };
}
