import { words } from '../util/text.js';

/** Choices of one set, with the supported one's index. */
export interface SetWords {
  readonly choices: readonly string[];
  readonly supported: number;
}

/** Mean words of a choice: of the supported ones, and of all distractors pooled. */
export interface MeanWords {
  readonly gold: number;
  readonly distractor: number;
}

/** Largest difference of the two means that a corpus may have. */
export const WORD_GAP_MAX = 0.15;

export function meanWords(sets: readonly SetWords[]): MeanWords {
  let gold = 0;
  let distractor = 0;
  let distractors = 0;
  for (const { choices, supported } of sets) {
    choices.forEach((choice, i) => {
      if (i === supported) gold += words(choice).length;
      else {
        distractor += words(choice).length;
        distractors++;
      }
    });
  }
  return {
    gold: sets.length === 0 ? 0 : gold / sets.length,
    distractor: distractors === 0 ? 0 : distractor / distractors,
  };
}

/**
 * Which of its alternatives every item uses: the first, but where the mean words of gold and distractors differ by 0.15
 * or more, single swaps are made, each the one that lowers the difference most, until they do not.
 *
 * @param items - alternatives of each item, the preferred one first
 * @returns an index into each item's alternatives
 */
export function balanceWords(items: readonly (readonly SetWords[])[]): number[] {
  const chosen = items.map(() => 0);
  const gap = (): number => {
    const { gold, distractor } = meanWords(items.map((sets, i) => sets[chosen[i]!]!));
    return Math.abs(gold - distractor);
  };
  let current = gap();
  while (current >= WORD_GAP_MAX) {
    let best: { item: number; set: number; value: number } | null = null;
    for (const [item, sets] of items.entries()) {
      const kept = chosen[item]!;
      for (const set of sets.keys()) {
        if (set === kept) continue;
        chosen[item] = set;
        const value = gap();
        if (value < current - 1e-12 && (best === null || value < best.value)) best = { item, set, value };
      }
      chosen[item] = kept;
    }
    if (best === null) return chosen;
    chosen[best.item] = best.set;
    current = best.value;
  }
  return chosen;
}
