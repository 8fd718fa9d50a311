import { LETTERS, type Letter } from '../domain/item.js';
import { rng } from '../util/rng.js';

/**
 * The answer letter of every item: as often each as can be (counts differ by at most one), for any order of the ids.
 *
 * @param secret - not the public seed: whoever could repeat the draw would have the key
 */
export function balanceLabels(itemIds: readonly string[], secret: string): Map<string, Letter> {
  const random = rng(secret, 'labels');
  const order = random.shuffle([...itemIds].sort());
  let block: Letter[] = [];
  return new Map(
    order.map((id) => {
      if (block.length === 0) block = random.shuffle(LETTERS);
      return [id, block.pop()!];
    }),
  );
}
