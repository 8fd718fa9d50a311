import { GroundmarkError } from '../domain/error.js';
import { rng } from '../util/rng.js';
import { CHOICES, type Axis } from './axis.js';

/** Five parallel values of one axis, made without a look at the report. */
export interface ProposedSet {
  readonly axisId: string;
  readonly valueIds: readonly string[];
}

/** Writes candidate sets. It is given an axis and a seed, never a target: no private text can reach a choice. */
export interface ContrastSetGenerator {
  readonly name: string;
  /** Up to `count` different sets, in seeded order. */
  propose(axis: Axis, count: number, seed: string): Promise<ProposedSet[]>;
}

/** Sets drawn at random from the values of `data/axes`: every value is as likely as every other to be in one. */
export const offlineRulesGenerator: ContrastSetGenerator = {
  name: 'offline/rules',
  async propose(axis, count, seed) {
    const random = rng(seed, 'contrast-sets', axis.id);
    const ids = axis.values.map(({ id }) => id);
    if (combinations(ids.length) <= count) {
      return random.shuffle(subsets(ids, CHOICES)).map((valueIds) => ({ axisId: axis.id, valueIds }));
    }
    const order = new Map(ids.map((id, i) => [id, i]));
    const sets = new Map<string, ProposedSet>();
    for (let tries = 0; sets.size < count && tries < 4 * count; tries++) {
      const valueIds = random
        .shuffle(ids)
        .slice(0, CHOICES)
        .sort((a, b) => order.get(a)! - order.get(b)!);
      sets.set(valueIds.join('|'), { axisId: axis.id, valueIds });
    }
    return [...sets.values()];
  },
};

/** @throws {GroundmarkError} `unknown-generator` */
export function generatorNamed(name: string): ContrastSetGenerator {
  if (name === offlineRulesGenerator.name) return offlineRulesGenerator;
  throw new GroundmarkError(
    'unknown-generator',
    `questions.generator names ${name}, which is not built yet. Use ${offlineRulesGenerator.name}.`,
    { generator: name },
  );
}

/** How many sets of five `n` values have. */
function combinations(n: number): number {
  return (n * (n - 1) * (n - 2) * (n - 3) * (n - 4)) / 120;
}

function subsets(ids: readonly string[], size: number): string[][] {
  if (size === 0) return [[]];
  return ids.flatMap((id, i) => subsets(ids.slice(i + 1), size - 1).map((rest) => [id, ...rest]));
}
