import { metrics, type Metric, type Pair } from '../../domain/score.js';
import { clusteredStandardError, holm, mean, normalTwoSided, Z95 } from '../../util/stats.js';
import { itemMeans, type ScoredModel } from './score-model.js';

type Comparison = Pick<Pair, 'a' | 'b' | 'metric' | 'difference' | 'ci95' | 'clusteredSe' | 'p'>;

/**
 * Every pair of models on every score: the mean difference a − b over the same items, its interval and p from the
 * standard error of the differences clustered by case (normal), and Holm over the pairs of that score.
 * arXiv:2411.00640 app. A.
 *
 * @param clusters - the case of each item, numbered from 0
 */
export function comparePairs(models: readonly ScoredModel[], clusters: readonly number[]): Pair[] {
  return metrics.flatMap((metric) => {
    const values = models.map((scored) => itemMeans(scored, metric));
    const pairs: Comparison[] = [];
    for (let a = 0; a < models.length; a++) {
      for (let b = a + 1; b < models.length; b++) {
        const differences = values[a]!.map((value, item) => value - values[b]![item]!);
        pairs.push(comparePair(models[a]!.model, models[b]!.model, metric, differences, clusters));
      }
    }
    const adjusted = holm(pairs.map(({ p }) => p));
    return pairs.map((pair, i) => ({ ...pair, pHolm: adjusted[i]! }));
  });
}

function comparePair(
  a: string,
  b: string,
  metric: Metric,
  differences: readonly number[],
  clusters: readonly number[],
): Comparison {
  const difference = mean(differences)!;
  const se = clusteredStandardError(differences, clusters);
  const ci95: [number, number] | null =
    se === null ? null : [Math.max(-1, difference - Z95 * se), Math.min(1, difference + Z95 * se)];
  return { a, b, metric, difference, ci95, clusteredSe: se, p: pValue(difference, se, clusters) };
}

/**
 * With no spread at all the normal test would say 0; then p is what turning the sign of whole cases could give at best,
 * 2^(1 − cases).
 */
function pValue(difference: number, se: number | null, clusters: readonly number[]): number | null {
  if (se === null) return null;
  if (Math.abs(difference) < 1e-12) return 1;
  if (se > 1e-12) return normalTwoSided(difference / se);
  return 2 ** (1 - new Set(clusters).size);
}
