import type { Deps } from '../../adapters/deps.js';
import { readJsonl, writeJsonl } from '../../adapters/store/index.js';
import { nominationSchema } from '../../domain/evidence.js';
import { buildPool } from '../build-pools.js';
import { rankVolumes } from '../series-rules.js';
import { loadRules, loadTargets, takenVolumes, type RetrieveInput } from './records.js';

/** Pools of at most 15 slices, one for each target that is asked about (`retrieve/pools.jsonl`). */
export async function runPools(
  { paths }: RetrieveInput,
  deps: Deps,
): Promise<{ pools: number; empty: number }> {
  const rules = await loadRules();
  const [volumes, targets, nominations] = await Promise.all([
    takenVolumes(paths, deps),
    loadTargets(paths, deps),
    readJsonl(deps.store, paths.nominations, nominationSchema),
  ]);
  const pools = targets
    .filter(({ dropped }) => dropped === null)
    .map((target) => {
      const own = volumes.filter(({ caseId }) => caseId === target.caseId);
      const named = nominations.filter(({ caseId }) => caseId === target.caseId);
      return buildPool(target, rankVolumes(own, target.finding.concept, rules), named);
    });
  await writeJsonl(deps.store, paths.pools, pools);
  return { pools: pools.length, empty: pools.filter(({ candidates }) => candidates.length === 0).length };
}
