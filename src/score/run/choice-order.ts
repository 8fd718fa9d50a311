import { LETTERS, type Item, type Letter } from '../../domain/item.js';
import { rng } from '../../util/rng.js';

/**
 * The item's own letters in the order in which its choices are shown: `['C', 'A', …]` means that choice C stands first and
 * is called A. A stream of its own for every item and epoch, the same for all models.
 */
export function shuffledOrder(item: Pick<Item, 'id' | 'choices'>, epoch: number, seed: number): Letter[] {
  return rng(seed, 'choice-order', item.id, epoch).shuffle(item.choices.map(({ letter }) => letter));
}

/**
 * A reply's letter as the item's own. Blanks and case are let pass, as in scoring; whatever is no shown letter stays as it
 * is, and no key equals it.
 *
 * @param order - null: the choices stood in the item's order, under its letters
 */
export function itemLetter(answer: string | null, order: readonly Letter[] | null): string | null {
  if (answer === null || order === null) return answer;
  const place = (LETTERS as readonly string[]).indexOf(answer.trim().toUpperCase());
  return order[place] ?? answer;
}
