import type { KeyEntry } from '../domain/item.js';
import { evidenceChance } from '../domain/protocol/index.js';

/** With fewer items the exact average would tell something about single items. */
const MIN_ITEMS = 20;

/** What a guesser gets, 0 to 1, who names 1, 2 or 3 of the shown images at random. */
export interface ChanceLevels {
  readonly evidence: readonly [pick1: number, pick2: number, pick3: number];
}

/** Chance of the evidence score, averaged over the items; null when there are too few items to publish it. */
export function chanceLevels(key: readonly KeyEntry[]): ChanceLevels | null {
  if (key.length < MIN_ITEMS) return null;
  const average = (picks: number): number =>
    key.reduce((sum, entry) => sum + evidenceChance(entry.images, picks), 0) / key.length;
  return { evidence: [average(1), average(2), average(3)] };
}
