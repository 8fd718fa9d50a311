import type { SetWords } from './balance-words.js';

/** How often a text may be the gold choice beyond a fifth of its appearances, before another set is preferred. */
const WORN_BEYOND = 2;

/**
 * The alternatives of every item in a new order of preference: sets whose gold text is worn go last.
 *
 * A text that is nearly always the answer where it appears ("Complete", "Focal") can be picked without the images, so
 * items are gone through once, and a set whose gold text has been gold too often for its appearances waits until the
 * item has no other. Ids in a fixed order give the same result for any order of cases.
 *
 * @param items - alternatives of each item, the preferred one first
 * @returns for each item, indices into its alternatives
 */
export function spreadGold(items: readonly (readonly SetWords[])[]): number[][] {
  const gold = new Map<string, number>();
  const shown = new Map<string, number>();
  const count = (map: Map<string, number>, text: string): number => map.get(text) ?? 0;
  return items.map((sets) => {
    const isWorn = ({ choices, supported }: SetWords): boolean => {
      const text = choices[supported]!;
      return count(gold, text) + 1 - (count(shown, text) + 1) / choices.length > WORN_BEYOND;
    };
    const all = sets.map((_, i) => i);
    const order = [...all.filter((i) => !isWorn(sets[i]!)), ...all.filter((i) => isWorn(sets[i]!))];
    const { choices, supported } = sets[order[0]!]!;
    gold.set(choices[supported]!, count(gold, choices[supported]!) + 1);
    for (const text of choices) shown.set(text, count(shown, text) + 1);
    return order;
  });
}
