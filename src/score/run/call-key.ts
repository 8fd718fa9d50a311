import { sha256 } from '../../util/hash.js';

/** Names one call of a run (model and condition have a folder each): item and epoch. */
export interface CallPlace {
  readonly itemId: string;
  readonly epoch: number;
}

/**
 * A name for a call that every provider takes as a batch's `custom_id`: at most 64 letters, digits, `-` and `_`. Readable as
 * far as the item's id is, and never the same for two calls.
 */
export function callKey({ itemId, epoch }: CallPlace): string {
  const readable = itemId.replace(/[^A-Za-z0-9_-]/gu, '_').slice(0, 32);
  return `${readable}-e${epoch}-${sha256(JSON.stringify([itemId, epoch])).slice(0, 12)}`;
}
