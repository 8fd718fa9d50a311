import type { Deps } from '../../adapters/deps.js';
import { writeJsonl } from '../../adapters/store/index.js';
import { judgeSeries } from '../series-rules.js';
import { loadMeasures, loadRules, loadVolumes, volumeKey, type RetrieveInput } from './records.js';

/** Judges every stack by the series rules (`retrieve/series.jsonl`). */
export async function runSeries(
  { paths }: RetrieveInput,
  deps: Deps,
): Promise<{ stacks: number; taken: number }> {
  const [rules, volumes, measures] = await Promise.all([
    loadRules(),
    loadVolumes(paths, deps),
    loadMeasures(paths, deps),
  ]);
  const records = volumes.map((volume) => judgeSeries(volume, rules, measures.get(volumeKey(volume))));
  await writeJsonl(deps.store, paths.series, records);
  return { stacks: records.length, taken: records.filter(({ taken }) => taken).length };
}
