import type { Deps } from '../../adapters/deps.js';
import { keepStep, readJsonl, writeJsonl } from '../../adapters/store/index.js';
import { poolSchema, type Rating, type RatingValue } from '../../domain/evidence.js';
import { fileRatings, fileRatingSchema, type Unused } from '../file-reviewer.js';
import {
  byCase,
  caseRows,
  loadRows,
  loadTargets,
  readReaderFile,
  takenVolumes,
  type ReviewInput,
} from './records.js';

/** The check: every reviewer rates every candidate at full resolution, now with the finding (`retrieve/ratings.jsonl`). */
export async function runCheck(
  { paths, codeVersion, images, reviewers, makeReviewer }: ReviewInput,
  deps: Deps,
): Promise<{ ratings: Record<RatingValue, number>; unused: Record<string, Unused> }> {
  const [volumes, targets, pools] = await Promise.all([
    takenVolumes(paths, deps),
    loadTargets(paths, deps),
    readJsonl(deps.store, paths.pools, poolSchema),
  ]);
  const rows = caseRows(await loadRows(paths, deps));
  const asked = targets.filter(({ dropped }) => dropped === null);
  const ratings: Rating[] = [];
  const unused: Record<string, Unused> = {};
  const progress = deps.progress.start('Check with the report sentence', reviewers.length * asked.length);
  for (const config of reviewers) {
    const reviewer = makeReviewer(config);
    if (reviewer === null) {
      const lines = await readReaderFile(config.ratings, paths, deps, fileRatingSchema);
      const found = fileRatings(lines, config.id, rows, asked);
      ratings.push(...found.ratings);
      unused[config.id] = found.unused;
      progress.tick(asked.length);
      continue;
    }
    for (const [caseId, own] of byCase(asked)) {
      deps.signal.throwIfAborted();
      const inputs = own.flatMap((target) => {
        const pool = pools.find(({ targetId }) => targetId === target.targetId);
        const stack = volumes.find(
          ({ caseId: of, volumeId }) => of === caseId && volumeId === pool?.candidates[0]?.slice.volumeId,
        );
        if (pool === undefined || stack === undefined) return [];
        const candidates = pool.candidates.map(({ slice }) => slice);
        return [
          { targetId: target.targetId, check: { finding: target.finding, stack: stack.rows, candidates } },
        ];
      });
      const checks = inputs.map(({ check }) => check);
      const step = { step: 'check', codeVersion, images, config, seed: deps.seed, checks };
      const answers = await keepStep(deps.store, paths.steps, step, () => reviewer.rate(checks));
      answers.forEach((answer, i) => {
        for (const { slice, rating, strength } of answer) {
          const base = { schemaVersion: 1 as const, caseId, targetId: inputs[i]!.targetId };
          ratings.push({ ...base, reviewer: config.id, model: reviewer.model, slice, rating, strength });
        }
      });
      progress.tick(own.length);
    }
  }
  progress.done();
  await writeJsonl(deps.store, paths.ratings, ratings);
  const counts: Record<RatingValue, number> = { direct: 0, possible: 0, unassessable: 0 };
  for (const { rating } of ratings) counts[rating] += 1;
  return { ratings: counts, unused };
}
