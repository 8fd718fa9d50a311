import type { Audit } from '../../domain/audit.js';
import { itemsSha256, type AuditItem } from '../audit-item.js';
import { choicesOnly } from './choices-only.js';
import { cueFigures } from './cues.js';
import { countDuplicates } from './duplicates.js';
import { goldTextInStem } from './gold-text-in-stem.js';
import { heuristicPicks } from './heuristics.js';
import { labelDistribution } from './labels.js';
import { lengthMeans } from './length.js';
import { tokenZ } from './token-z.js';

export type TextFigures = Pick<
  Audit,
  | 'labels'
  | 'picks'
  | 'length'
  | 'tfidfVocabulary'
  | 'choicesOnlyLr'
  | 'duplicates'
  | 'cues'
  | 'tokenZ'
  | 'goldTextInStem'
>;

/** Every figure that needs stem, options and key alone. AUDIT-METRICS.md. */
export function textFigures(items: readonly AuditItem[], options: { joinStems: boolean }): TextFigures {
  const { picks, vocabularySize } = heuristicPicks(items);
  return {
    labels: labelDistribution(items),
    picks,
    length: lengthMeans(items),
    tfidfVocabulary: vocabularySize,
    choicesOnlyLr: choicesOnly(items, options),
    duplicates: countDuplicates(items),
    cues: cueFigures(items),
    tokenZ: tokenZ(items),
    goldTextInStem: goldTextInStem(items),
  };
}

/** Counts, chance and the hash that tells whether two importers read the same items. */
export function datasetFigures(
  items: readonly AuditItem[],
): Pick<Audit['dataset'], 'scored' | 'optionsPerItem' | 'optionsTotal' | 'chance' | 'itemsSha256'> {
  const optionsPerItem: Record<string, number> = {};
  let optionsTotal = 0;
  let chance = 0;
  for (const { options } of items) {
    optionsPerItem[options.length] = (optionsPerItem[options.length] ?? 0) + 1;
    optionsTotal += options.length;
    chance += 1 / options.length;
  }
  return {
    scored: items.length,
    optionsPerItem,
    optionsTotal,
    chance: items.length === 0 ? null : chance / items.length,
    itemsSha256: itemsSha256(items),
  };
}
