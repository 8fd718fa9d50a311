import { GroundmarkError } from '../domain/error.js';
import type { KeyEntry } from '../domain/item.js';
import { normaliseImageId } from '../domain/protocol/index.js';

/** A key entry and the line it was read from, from 1. */
export interface PlacedKeyEntry {
  readonly entry: KeyEntry;
  readonly line: number;
}

/**
 * Checks what scoring needs of a key beyond its fields.
 *
 * @throws {GroundmarkError} `no-items`, `duplicate-key`, `duplicate-image`, `no-reference`; each names file and line
 */
export function checkKey(key: readonly PlacedKeyEntry[], file: string): void {
  if (key.length === 0) {
    throw new GroundmarkError('no-items', `${file} holds no key entry, so there is nothing to score.`, {
      file,
    });
  }
  const lines = new Map<string, number>();
  for (const { entry, line } of key) {
    const fail = (code: string, what: string): GroundmarkError =>
      new GroundmarkError(code, `${file}, line ${line}: item ${entry.id} ${what}`, {
        file,
        line,
        itemId: entry.id,
      });
    const earlier = lines.get(entry.id);
    if (earlier !== undefined)
      throw fail('duplicate-key', `is already on line ${earlier}. Keep one of the two.`);
    lines.set(entry.id, line);
    const ids = entry.images.map((image) => normaliseImageId(image.id));
    if (new Set(ids).size < ids.length)
      throw fail('duplicate-image', `has two images with the same id. Ids are compared without case.`);
    if (!entry.images.some((image) => image.role === 'reference'))
      throw fail('no-reference', `has no image with the role "reference", so its evidence cannot be scored.`);
  }
}
