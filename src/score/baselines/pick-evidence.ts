import type { Item } from '../../domain/item.js';
import type { Rng } from '../../util/rng.js';
import { PICK_COUNTS } from '../aggregate/index.js';

/**
 * One, two or three images of the item at random: each number equally often, each set of that size equally often.
 *
 * The intervals of `chance.randomInterval` are exact for this rule; change both together.
 */
export function pickEvidence(item: Item, random: Rng): string[] {
  const count = random.pick(PICK_COUNTS);
  return random
    .shuffle(item.images)
    .slice(0, count)
    .map((image) => image.id);
}
