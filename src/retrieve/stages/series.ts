import type { Deps } from '../../adapters/deps.js';
import { writeJsonl } from '../../adapters/store/index.js';
import { judgeSeries } from '../series-rules.js';
import { loadRules, loadVolumes, type RetrieveInput } from './records.js';

/** Judges every stack by the series rules (`retrieve/series.jsonl`). */
export async function runSeries(
  { paths }: RetrieveInput,
  deps: Deps,
): Promise<{ stacks: number; taken: number }> {
  const rules = await loadRules();
  const records = (await loadVolumes(paths, deps)).map((volume) => judgeSeries(volume, rules));
  await writeJsonl(deps.store, paths.series, records);
  return { stacks: records.length, taken: records.filter(({ taken }) => taken).length };
}
