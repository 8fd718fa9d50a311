import type { Rng } from './rng.js';

export {
  binomialUpperTail,
  centralInterval,
  choose,
  hypergeometricPmf,
  poissonBinomialPmf,
} from './distributions.js';
export { chiSquareUpperTail, holm, normalQuantile, normalTwoSided, normalUpperTail } from './stats-tests.js';

export type Interval = readonly [low: number, high: number];

/** The z of a two-sided 95 % interval. */
export const Z95 = 1.959963984540054;

/** Arithmetic mean, or null of nothing. */
export function mean(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
}

/**
 * Wilson's score interval of a rate, or null when n is 0 (Wilson 1927; Newcombe 1998, method 3).
 *
 * @param passes - may be fractional when several epochs were averaged within an item
 */
export function wilsonInterval(passes: number, n: number, z = Z95): Interval | null {
  if (n === 0) return null;
  const p = passes / n;
  const centre = p + (z * z) / (2 * n);
  const half = z * Math.sqrt((p * (1 - p)) / n + (z * z) / (4 * n * n));
  const scale = 1 + (z * z) / n;
  return [
    p <= 0 ? 0 : Math.max(0, (centre - half) / scale),
    p >= 1 ? 1 : Math.min(1, (centre + half) / scale),
  ];
}

/** For each value its cluster's number: clusters are numbered from 0 in order of first appearance. */
export function numberClusters(names: readonly string[]): {
  readonly ids: readonly number[];
  readonly count: number;
} {
  const numbers = new Map<string, number>();
  const ids = names.map((name) => {
    const known = numbers.get(name);
    if (known !== undefined) return known;
    numbers.set(name, numbers.size);
    return numbers.size - 1;
  });
  return { ids, count: numbers.size };
}

/**
 * Standard error of the mean when values of one cluster go together, or null with fewer than two clusters.
 *
 * SE² = s²/n + (1/n²) Σ_clusters Σ_{i≠j} (x_i − x̄)(x_j − x̄); arXiv:2411.00640 app. A.
 *
 * @param clusters - one number a value, from 0
 */
export function clusteredStandardError(
  values: readonly number[],
  clusters: readonly number[],
): number | null {
  const n = values.length;
  const average = mean(values);
  const sums = new Map<number, number>();
  let squares = 0;
  values.forEach((value, i) => {
    const deviation = value - average!;
    squares += deviation * deviation;
    sums.set(clusters[i]!, (sums.get(clusters[i]!) ?? 0) + deviation);
  });
  if (sums.size < 2) return null;
  let squaredSums = 0;
  for (const sum of sums.values()) squaredSums += sum * sum;
  const variance = squares / (n - 1) / n + (squaredSums - squares) / (n * n);
  return Math.sqrt(Math.max(0, variance));
}

/** One draw of clusters with replacement: how often each cluster was drawn. */
export type ClusterDraw = Uint16Array;

/** `draws` seeded bootstrap draws of `clusterCount` clusters; use the same ones for every metric and model. */
export function drawClusters(clusterCount: number, draws: number, random: Rng): ClusterDraw[] {
  return Array.from({ length: draws }, () => {
    const times = new Uint16Array(clusterCount);
    for (let i = 0; i < clusterCount; i++) times[random.int(clusterCount)]! += 1;
    return times;
  });
}

/** 95 % percentile interval of the mean over whole-cluster resamples, or null with fewer than two clusters. */
export function bootstrapInterval(
  values: readonly number[],
  clusters: readonly number[],
  draws: readonly ClusterDraw[],
): Interval | null {
  const clusterCount = draws[0]?.length ?? 0;
  if (clusterCount < 2) return null;
  const sums = new Float64Array(clusterCount);
  const sizes = new Float64Array(clusterCount);
  values.forEach((value, i) => {
    sums[clusters[i]!]! += value;
    sizes[clusters[i]!]! += 1;
  });
  const means = Float64Array.from(draws, (times) => {
    let sum = 0;
    let size = 0;
    times.forEach((count, c) => {
      sum += count * sums[c]!;
      size += count * sizes[c]!;
    });
    return sum / size;
  }).sort();
  return [quantileOfSorted(means, 0.025), quantileOfSorted(means, 0.975)];
}

/** Quantile by linear interpolation between order statistics (Hyndman and Fan 1996, type 7). */
export function quantileOfSorted(sorted: ArrayLike<number>, q: number): number {
  const at = (sorted.length - 1) * q;
  const low = sorted[Math.floor(at)]!;
  return low + (at - Math.floor(at)) * (sorted[Math.ceil(at)]! - low);
}
