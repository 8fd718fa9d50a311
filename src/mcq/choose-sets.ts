import { balanceWords, meanWords, type MeanWords } from './balance-words.js';
import type { BuiltSets } from './build-sets.js';
import { spreadGold } from './spread-gold.js';

/**
 * The set that each item uses, with the whole corpus in view: the best ranked one, but no gold text too often, and gold
 * and distractors of one mean length.
 *
 * @param built - sets of each item, in order of item id; each has at least one ranked set
 * @returns `selected`: an index into each item's `sets`
 */
export function chooseSets(built: readonly BuiltSets[]): { selected: number[]; words: MeanWords } {
  const ranked = built.map(({ sets, ranked }) =>
    ranked.map((i) => ({
      index: i,
      choices: sets[i]!.choices.map(({ text }) => text),
      supported: sets[i]!.supported,
    })),
  );
  const orders = spreadGold(ranked);
  const preferred = ranked.map((alternatives, i) => orders[i]!.map((place) => alternatives[place]!));
  const chosen = balanceWords(preferred).map((place, i) => preferred[i]![place]!);
  return { selected: chosen.map(({ index }) => index), words: meanWords(chosen) };
}
