import type { KeyEntry } from '../../domain/item.js';
import { LETTERS } from '../../domain/item.js';
import type { Chance, GuesserInterval, PickChance } from '../../domain/score.js';
import { centralInterval, mean, poissonBinomialPmf } from '../../util/stats.js';
import { evidenceChance } from '../../domain/protocol/index.js';

/** P(the right letter) of a guesser. */
export const ANSWER_CHANCE = 1 / LETTERS.length;

/** Numbers of images that a guesser picks. */
export const PICK_COUNTS = [1, 2, 3] as const;

/**
 * What guessing scores on these items, averaged over them, with the exact spread of `baseline/random`. PROTOCOL.md §2.
 *
 * `baseline/random` names 1, 2 or 3 images, each number equally often, and any letter; its intervals are central ones
 * of a Poisson-binomial count.
 */
export function chanceScores(key: readonly KeyEntry[]): Chance {
  const byPick = PICK_COUNTS.map((picks) => key.map((entry) => evidenceChance(entry.images, picks)));
  const random = key.map((_, i) => mean(byPick.map((chances) => chances[i]!))!);
  return {
    answer: ANSWER_CHANCE,
    evidence: pickChance(byPick, 1),
    joint: pickChance(byPick, ANSWER_CHANCE),
    randomInterval: {
      answer: guesserInterval(key.map(() => ANSWER_CHANCE)),
      evidence: guesserInterval(random),
      joint: guesserInterval(random.map((p) => p * ANSWER_CHANCE)),
    },
  };
}

function pickChance(byPick: readonly (readonly number[])[], factor: number): PickChance {
  const [pick1, pick2, pick3] = byPick.map((chances) => (mean(chances) ?? 0) * factor);
  return { pick1: pick1!, pick2: pick2!, pick3: pick3!, best: Math.max(pick1!, pick2!, pick3!) };
}

function guesserInterval(probabilities: readonly number[]): GuesserInterval {
  const pmf = poissonBinomialPmf(probabilities);
  const expected = probabilities.reduce((sum, p) => sum + p, 0);
  return {
    expected,
    passes95: [...centralInterval(pmf, 0.95)],
    passes99: [...centralInterval(pmf, 0.99)],
  };
}
