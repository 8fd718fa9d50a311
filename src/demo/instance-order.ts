import type { Rng } from '../util/rng.js';
import type { InstanceOrder } from './recipe.js';

/**
 * The InstanceNumber of each slice, given in spatial order. No reader may take it for the order in space, so most
 * orders are such that it isn't: `descending` and `reversed` run from the far end (reversed starts at 101), `shuffled`
 * is any order, `restarted` counts the even and then the odd slices, each from 1.
 */
export function instanceNumbers(count: number, order: InstanceOrder, random: Rng): number[] {
  const up = Array.from({ length: count }, (_, i) => i);
  switch (order) {
    case 'ascending':
      return up.map((i) => i + 1);
    case 'descending':
      return up.map((i) => count - i);
    case 'reversed':
      return up.map((i) => 100 + count - i);
    case 'shuffled':
      return random.shuffle(up.map((i) => i + 1));
    case 'restarted':
      return up.map((i) => Math.floor(i / 2) + 1);
  }
}
