import type { Deps } from '../../adapters/deps.js';
import { readJsonl, writeJsonl } from '../../adapters/store/index.js';
import { nominationSchema } from '../../domain/evidence.js';
import { buildPool } from '../build-pools.js';
import { rankVolumes, type RankedVolume } from '../series-rules.js';
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
      const wanted = { concept: target.finding.concept, region: target.region };
      const { ranked, left } = rankVolumes(own, wanted, rules);
      const pool = buildPool(
        target,
        ranked.map(({ volume }) => volume),
        named,
      );
      return { ...pool, series: ranked.map(choice), leftOut: left.map(choice) };
    });
  await writeJsonl(deps.store, paths.pools, pools);
  return { pools: pools.length, empty: pools.filter(({ candidates }) => candidates.length === 0).length };
}

/** Why a stack comes where it does. */
function choice({ volume, weight, because }: RankedVolume) {
  const { volumeId, seriesInstanceUid, seriesDescription } = volume;
  return { volumeId, seriesInstanceUid, seriesDescription, weight, because: [...because] };
}
