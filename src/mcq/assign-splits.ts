import { splits, type Split } from '../domain/item.js';
import { sha256 } from '../util/hash.js';

/** What stays together: a patient with all of their cases, or several patients who share a study. */
export interface SplitGroup {
  readonly key: string;
  /** How many items the group has. */
  readonly items: number;
}

export type SplitMode = 'balanced' | 'hash';
/** Shares of any sum. */
export type SplitRatios = Readonly<Partial<Record<Split, number>>>;

/**
 * The split of every group.
 *
 * - `balanced`: largest groups first, each to the split that misses most items; the sizes come out near the ratios, and no split
 *   with a share stays empty when there are groups enough.
 * - `hash`: by a hash of seed and key alone, so that adding a group moves no other; the sizes come out near the ratios
 *   only when there are many groups.
 */
export function assignSplits(
  groups: readonly SplitGroup[],
  options: { readonly mode: SplitMode; readonly ratios: SplitRatios; readonly seed: number },
): Map<string, Split> {
  const { mode, seed } = options;
  const total = splits.reduce((sum, split) => sum + (options.ratios[split] ?? 0), 0);
  const shares = splits.map((split) => ({ split, share: (options.ratios[split] ?? 0) / total }));
  const usable = shares.filter(({ share }) => share > 0);
  if (mode === 'hash') return new Map(groups.map(({ key }) => [key, byHash(key, seed, usable)]));

  const items = groups.reduce((sum, group) => sum + group.items, 0);
  const places = usable.map(({ split, share }) => ({ split, missing: share * items, empty: true }));
  const ordered = groups
    .map((group) => ({ ...group, tie: sha256(`split\u0000${seed}\u0000${group.key}`) }))
    .sort((a, b) => b.items - a.items || (a.tie < b.tie ? -1 : 1));
  let left = groups.filter((group) => group.items > 0).length;
  return new Map(
    ordered.map((group) => {
      const empty = places.filter((place) => place.empty);
      const open = group.items > 0 && empty.length > 0 && left <= empty.length ? empty : places;
      const place = open.reduce((best, candidate) => (candidate.missing > best.missing ? candidate : best));
      place.missing -= group.items;
      if (group.items > 0) {
        place.empty = false;
        left--;
      }
      return [group.key, place.split];
    }),
  );
}

function byHash(
  key: string,
  seed: number,
  shares: readonly { readonly split: Split; readonly share: number }[],
): Split {
  const unit = Number.parseInt(sha256(`split\u0000${seed}\u0000${key}`).slice(0, 12), 16) / 2 ** 48;
  let upTo = 0;
  for (const { split, share } of shares) {
    upTo += share;
    if (unit < upTo) return split;
  }
  return shares.at(-1)!.split;
}
