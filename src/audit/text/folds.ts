import { fnv1a32 } from '../../util/hash.js';
import { normalise } from '../../util/text.js';
import type { AuditItem } from '../audit-item.js';

export const FOLDS = 5;
/** The definition's own seed: folds must not move with --seed, or figures of two runs could not be compared. */
const FOLD_SEED = 0;

/** Fold of each item, by its index alone. AUDIT-METRICS.md "CHOICES-ONLY LR". */
export function plainFolds(items: readonly unknown[]): number[] {
  return items.map((_, i) => foldOf(i));
}

/**
 * Fold of each item when items that share a normalised stem or a set of normalised options stay together, transitively:
 * repeated and mirrored items would otherwise leak from training to test.
 *
 * @param joinStems - false for our own items: their stems are generic by design, so all would fall into one group
 * @returns null with fewer than five option sets, or when all items fall into one fold: nothing could be learnt
 */
export function strictFolds(
  items: readonly AuditItem[],
  { joinStems }: { joinStems: boolean },
): number[] | null {
  const parent = items.map((_, i) => i);
  const root = (i: number): number => {
    let at = i;
    while (parent[at] !== at) {
      parent[at] = parent[parent[at]!]!;
      at = parent[at]!;
    }
    return at;
  };
  // The smaller index stays the root: it names the group's fold.
  const join = (a: number, b: number): void => {
    const [low, high] = [root(a), root(b)].sort((x, y) => x - y) as [number, number];
    parent[high] = low;
  };
  const stems = new Map<string, number>();
  const optionSets = new Map<string, number>();
  items.forEach(({ stem, options }, i) => {
    if (joinStems) joinSame(stems, normalise(stem), i, join);
    joinSame(optionSets, JSON.stringify(options.map(normalise).sort()), i, join);
  });
  if (optionSets.size < FOLDS) return null;
  const folds = items.map((_, i) => foldOf(root(i)));
  return new Set(folds).size < 2 ? null : folds;
}

function foldOf(index: number): number {
  return fnv1a32(`${FOLD_SEED}:${index}`) % FOLDS;
}

function joinSame(
  seen: Map<string, number>,
  value: string,
  i: number,
  join: (a: number, b: number) => void,
): void {
  const first = seen.get(value);
  if (first === undefined) seen.set(value, i);
  else join(first, i);
}
