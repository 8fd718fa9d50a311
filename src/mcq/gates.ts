import { GroundmarkError } from '../domain/error.js';
import { rng } from '../util/rng.js';
import { codePointLength, tokens } from '../util/text.js';

/** Answers from the text alone: no images, no report, no key. */
export interface TextGate {
  readonly name: string;
  /** Index of the choice it picks. The first of equals: the shuffle then decides. */
  pick(stem: string, choices: readonly string[]): Promise<number>;
}

export type GateTrial = {
  readonly gate: string;
  readonly shuffle: number;
  /** Index into the set's choices, not into the shuffled ones. */
  readonly picked: number;
  readonly right: boolean;
};

/** Shuffled versions that every gate sees. PROTOCOL.md §3.13. */
export const SHUFFLES = 3;

/** Picks the longest choice in code points. */
export const longestGate: TextGate = {
  name: 'offline/longest',
  pick: async (_, choices) => largest(choices.map(codePointLength)),
};

/** Picks the choice that shares most words with the others. */
export const mostCentralGate: TextGate = {
  name: 'offline/most-central',
  pick: async (_, choices) =>
    largest(
      choices.map((choice, i) =>
        choices.reduce((sum, other, j) => (i === j ? sum : sum + overlap(choice, other)), 0),
      ),
    ),
};

/** Picks the choice that shares most words with the stem. */
export const mostSimilarGate: TextGate = {
  name: 'offline/most-similar',
  pick: async (stem, choices) => largest(choices.map((choice) => overlap(stem, choice))),
};

const GATES: readonly TextGate[] = [longestGate, mostCentralGate, mostSimilarGate];

/**
 * The gates of `questions.gates`; two offline ones when it names none.
 *
 * @throws {GroundmarkError} `unknown-gate`
 */
export function gatesNamed(names: readonly string[]): TextGate[] {
  if (names.length === 0) return [longestGate, mostCentralGate];
  return names.map((name) => {
    const gate = GATES.find((candidate) => candidate.name === name);
    if (gate) return gate;
    throw new GroundmarkError(
      'unknown-gate',
      `questions.gates names ${name}, which is not built in. Use ${GATES.map((known) => known.name).join(', ')}.`,
      { gate: name },
    );
  });
}

/** Every gate's answers to three shuffled versions of a set, gate by gate. */
export async function runGates(
  gates: readonly TextGate[],
  set: { readonly stem: string; readonly choices: readonly string[]; readonly supported: number },
  seed: string,
): Promise<GateTrial[]> {
  const trials: GateTrial[] = [];
  for (const gate of gates) {
    for (let shuffle = 0; shuffle < SHUFFLES; shuffle++) {
      const order = rng(seed, 'gate', gate.name, shuffle).shuffle(set.choices.map((_, i) => i));
      const place = await gate.pick(
        set.stem,
        order.map((i) => set.choices[i]!),
      );
      const picked = order[place]!;
      trials.push({ gate: gate.name, shuffle, picked, right: picked === set.supported });
    }
  }
  return trials;
}

/** Share of trials that were right, 0–1. */
export function rightRate(trials: readonly GateTrial[]): number {
  return trials.filter((trial) => trial.right).length / trials.length;
}

/** Whether the text gives the set away: every gate right in every shuffle. */
export function isGivenAway(trials: readonly GateTrial[]): boolean {
  return trials.length > 0 && trials.every((trial) => trial.right);
}

const CHANCE = 1 / 5;

/**
 * How good a set is to keep, smaller is better: the share of right trials (`hardest`), or its distance from one in five
 * (`nearest-chance`: a set that text-only readers always get wrong leaks as well, PROTOCOL.md §4).
 */
export function selectionCost(trials: readonly GateTrial[], selection: 'hardest' | 'nearest-chance'): number {
  return selection === 'hardest' ? rightRate(trials) : Math.abs(rightRate(trials) - CHANCE);
}

function largest(scores: readonly number[]): number {
  return scores.reduce((best, score, i) => (score > scores[best]! + 1e-9 ? i : best), 0);
}

/** Cosine of the two sets of words. */
function overlap(a: string, b: string): number {
  const left = new Set(tokens(a));
  const right = new Set(tokens(b));
  if (left.size === 0 || right.size === 0) return 0;
  return [...left].filter((word) => right.has(word)).length / Math.sqrt(left.size * right.size);
}
