import type { KeyEntry } from '../domain/item.js';

/** Neighbours of a reference image up to this many positions away count as it does. PROTOCOL.md §2. */
const TOLERANCE_SLICES = 2;
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
    key.reduce((sum, entry) => sum + evidenceChance(entry, picks), 0) / key.length;
  return { evidence: [average(1), average(2), average(3)] };
}

/** Hypergeometric chance that `picks` random images pass the evidence rule of PROTOCOL.md §2. */
export function evidenceChance({ images }: Pick<KeyEntry, 'images'>, picks: number): number {
  const references = images.filter(({ role }) => role === 'reference');
  const acceptable = images.filter(({ series, position }) =>
    references.some((r) => r.series === series && Math.abs(r.position - position) <= TOLERANCE_SLICES),
  ).length;
  const needed = references.length >= 3 ? 2 : 1;
  let passing = 0;
  for (let hits = needed; hits <= picks; hits++) {
    if (2 * hits >= picks) {
      passing += choose(acceptable, hits) * choose(images.length - acceptable, picks - hits);
    }
  }
  return passing / choose(images.length, picks);
}

function choose(n: number, k: number): number {
  if (k < 0 || k > n) return 0;
  let result = 1;
  for (let i = 0; i < k; i++) result = (result * (n - i)) / (i + 1);
  return result;
}
