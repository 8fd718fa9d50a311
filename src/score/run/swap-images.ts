import { EXIT, GroundmarkError } from '../../domain/error.js';
import type { Item, KeyEntry } from '../../domain/item.js';
import { sha256 } from '../../util/hash.js';

/** For each item id, the item whose images take the place of its own: where it has too few, with more of its case. */
export type SwapPlan = ReadonlyMap<string, Item>;

/**
 * Gives each item the images of another case: of the same modality where the key knows it, and as many, or the first so many of
 * an item that has more. Where no item has as many, images of other items of its case follow its own. Adding an item moves
 * few of the others.
 *
 * @param key - null: cases and modalities are not known; then two items are of one case when they share an image
 * @throws {GroundmarkError} `no-swap-partner` naming items that no other case fits
 */
export function planSwaps(items: readonly Item[], key: readonly KeyEntry[] | null, seed: number): SwapPlan {
  const entries = new Map((key ?? []).map((entry) => [entry.id, entry]));
  const hashes = new Map(
    items.map((item) => [item.id, new Set(item.images.map(({ sha256: hash }) => hash))]),
  );
  const plan = new Map<string, Item>();
  const alone: string[] = [];
  for (const item of items) {
    const entry = entries.get(item.id);
    const own = hashes.get(item.id)!;
    const fits = (other: Item): boolean => {
      if (other.id === item.id || other.images.length < item.images.length) return false;
      const otherEntry = entries.get(other.id);
      if (entry && otherEntry) {
        if (entry.caseGroup === otherEntry.caseGroup) return false;
        if (entry.strata.modality !== otherEntry.strata.modality) return false;
      }
      return other.images.every(({ sha256: hash }) => !own.has(hash));
    };
    const partner =
      best(items.filter(fits), item, seed) ??
      best(items.map((other) => withMoreOfItsCase(other, items, entries)).filter(fits), item, seed);
    if (partner === null) alone.push(item.id);
    else plan.set(item.id, partner);
  }
  if (alone.length > 0) throw noPartner(alone, items.length);
  return plan;
}

/** An item with the images, each once, of all items of its case and modality; without a key it stays as it is. */
function withMoreOfItsCase(item: Item, items: readonly Item[], entries: ReadonlyMap<string, KeyEntry>): Item {
  const entry = entries.get(item.id);
  if (!entry) return item;
  const images = new Map(item.images.map((image) => [image.sha256, image]));
  for (const other of items) {
    const its = entries.get(other.id);
    if (its?.caseGroup !== entry.caseGroup || its.strata.modality !== entry.strata.modality) continue;
    for (const image of other.images) if (!images.has(image.sha256)) images.set(image.sha256, image);
  }
  return { ...item, images: [...images.values()] };
}

/** As many images before more; then by lot. */
function best(candidates: readonly Item[], item: Item, seed: number): Item | null {
  let found: { readonly other: Item; readonly rank: string } | null = null;
  for (const other of candidates) {
    const surplus = other.images.length - item.images.length;
    const rank = `${String(surplus).padStart(3, '0')} ${sha256(JSON.stringify([seed, 'swap', item.id, other.id]))}`;
    if (found === null || rank < found.rank) found = { other, rank };
  }
  return found?.other ?? null;
}

function noPartner(alone: readonly string[], items: number): GroundmarkError {
  const named = alone.slice(0, 5).join(', ');
  return new GroundmarkError(
    'no-swap-partner',
    `--condition swapped: ${alone.length} of ${items} items have no partner, such as ${named}: no other case has as many images ` +
      `of the same modality. Run the other conditions, or a set with more cases.`,
    { items: alone.slice(0, 100), count: alone.length },
    { exit: EXIT.badInput },
  );
}
