import { GroundmarkError } from '../domain/error.js';
import { LETTERS, type Item, type KeyEntry } from '../domain/item.js';
import { publicItemSchema, type PublicItem } from '../domain/release.js';
import { byCodeUnit } from '../adapters/store/index.js';

/** Where an item's image lies in the bundle, relative to items.jsonl. */
export function publicImagePath(itemId: string, imageId: string): string {
  return `images/${itemId}/${imageId}.png`;
}

/**
 * The items as they are published, by id: known fields only, in the contract's order, choices by letter and images by
 * id, so that neither a field nor an order carries anything private.
 *
 * @throws {GroundmarkError} `bad-item` naming the item and field
 */
export function toPublicItems(items: readonly Item[]): PublicItem[] {
  return items.map(toPublicItem).sort((a, b) => byCodeUnit(a.id, b.id));
}

function toPublicItem(item: Item): PublicItem {
  const candidate = {
    schemaVersion: item.schemaVersion,
    id: item.id,
    question: item.question,
    choices: item.choices
      .map(({ letter, text }) => ({ letter, text }))
      .sort((a, b) => byCodeUnit(a.letter, b.letter)),
    images: item.images
      .map(({ id, sha256, width, height }) => ({
        id,
        file: publicImagePath(item.id, id),
        sha256,
        width,
        height,
      }))
      .sort((a, b) => byCodeUnit(a.id, b.id)),
    split: item.split,
  };
  const parsed = publicItemSchema.safeParse(candidate);
  if (parsed.success) return parsed.data;
  const field = parsed.error.issues[0]!.path.join('.');
  throw new GroundmarkError(
    'bad-item',
    `An item of mcq/items.jsonl cannot be published: field ${field}: ${parsed.error.issues[0]!.message}. Build it again.`,
    { field },
  );
}

/** Why a set of items is not well-formed beyond its fields; [] when it is. */
export function itemProblems(items: readonly PublicItem[]): string[] {
  const problems: string[] = [];
  const seen = new Set<string>();
  for (const { id, choices, images } of items) {
    // Folder names may differ in case only on some disks.
    if (seen.has(id.toLowerCase())) problems.push(`item id ${id} stands twice`);
    seen.add(id.toLowerCase());
    if (choices.map(({ letter }) => letter).join('') !== LETTERS.join('')) {
      problems.push(`item ${id} does not have the letters A to E once each, in order`);
    }
    if (new Set(choices.map(({ text }) => text)).size < choices.length) {
      problems.push(`item ${id} has two equal choices`);
    }
    if (new Set(images.map((image) => image.id)).size < images.length) {
      problems.push(`item ${id} has an image id twice`);
    }
    for (const image of images) {
      if (image.file !== publicImagePath(id, image.id)) {
        problems.push(`item ${id}, image ${image.id}: its file is not ${publicImagePath(id, image.id)}`);
      }
    }
  }
  return problems;
}

/** Why a key does not belong to the items; [] when every item has its entry and every shown image its place in it. */
export function keyProblems(
  items: readonly Pick<PublicItem, 'id' | 'images'>[],
  key: readonly KeyEntry[],
): string[] {
  const entries = new Map(key.map((entry) => [entry.id, entry]));
  const problems: string[] = [];
  if (entries.size < key.length) problems.push('an item has two entries in the key');
  for (const { id, images } of items) {
    const entry = entries.get(id);
    const shown = images.map((image) => image.id).sort(byCodeUnit);
    if (entry === undefined) problems.push(`item ${id} has no entry in the key`);
    else if (
      entry.images
        .map((image) => image.id)
        .sort(byCodeUnit)
        .join() !== shown.join()
    ) {
      problems.push(`item ${id} shows other images than its key entry lists`);
    }
  }
  const ids = new Set(items.map(({ id }) => id));
  for (const { id } of key) if (!ids.has(id)) problems.push(`the key has an entry ${id} without an item`);
  return problems;
}
