import type { Evidence } from '../domain/evidence.js';
import type { Target } from '../domain/finding.js';
import type { IndexRow } from '../domain/index-row.js';
import { opaqueId } from '../util/hash.js';
import { rng } from '../util/rng.js';
import { buildSets, type BuildSetsOptions, type BuiltSets } from './build-sets.js';
import { chooseImages, sliceKey, type ChosenImage } from './choose-images.js';
import type { QuestionData } from './question-data.js';

/** A target with its sets and its images, or the reason why it gives no item. */
export interface Prepared {
  readonly itemId: string;
  readonly target: Target;
  readonly built: BuiltSets;
  readonly chosen: readonly ChosenImage[];
  dropped: string | null;
}

export interface PrepareInput {
  readonly targets: readonly Target[];
  readonly evidence: readonly Evidence[];
  readonly index: readonly IndexRow[];
  readonly caseIds: ReadonlySet<string>;
  readonly data: QuestionData;
  readonly options: BuildSetsOptions;
  readonly secret: string;
}

const NOTHING: BuiltSets = { axes: [], sets: [], ranked: [] };

/** Every kept target in order of its item id: images chosen, sets built. Nothing is drawn yet. */
export async function prepareItems(input: PrepareInput): Promise<Prepared[]> {
  const { secret } = input;
  const evidenceOf = new Map(input.evidence.map((evidence) => [evidence.targetId, evidence]));
  const rowOf = new Map(input.index.map((row) => [`${row.caseId}\u0000${sliceKey(row)}`, row]));
  const ofCase = new Map<string, Target[]>();
  for (const target of input.targets) {
    ofCase.set(target.caseId, [...(ofCase.get(target.caseId) ?? []), target]);
  }
  const prepared: Prepared[] = [];
  for (const target of input.targets) {
    if (target.dropped !== null) continue;
    const { targetId, caseId } = target;
    const itemId = `gm-${opaqueId(secret, 'item', targetId)}`;
    const evidence = evidenceOf.get(targetId) ?? null;
    const drop = (dropped: string, built = NOTHING): void => {
      prepared.push({ itemId, target, built, chosen: [], dropped });
    };
    if (!input.caseIds.has(caseId)) drop('unknown-case');
    else if (!evidence) drop('no-evidence');
    else if (evidence.dropped !== null) drop(evidence.dropped);
    else {
      const { images, dropped } = chooseImages(
        evidence,
        (slice) => rowOf.get(`${caseId}\u0000${sliceKey(slice)}`),
        rng(secret, 'images', targetId),
      );
      const seed = opaqueId(secret, 'contrast-sets', targetId, 32);
      const built = await buildSets(target, ofCase.get(caseId)!, input.data, input.options, seed);
      if (images === null) drop(dropped, built);
      else if (built.sets.length === 0) drop('no-axis', built);
      else if (built.ranked.length === 0) drop('no-valid-set', built);
      else prepared.push({ itemId, target, built, chosen: images, dropped: null });
    }
  }
  return prepared.sort((a, b) => (a.itemId < b.itemId ? -1 : a.itemId > b.itemId ? 1 : 0));
}
