/** Point probabilities of the counts that scores are tested against. Continuous tails: stats-tests.ts. */

/** Number of ways to choose k of n; 0 outside 0 <= k <= n. Exact while it is below 2^53. */
export function choose(n: number, k: number): number {
  if (k < 0 || k > n) return 0;
  let ways = 1;
  for (let i = 1; i <= Math.min(k, n - k); i++) ways = Math.round((ways * (n - Math.min(k, n - k) + i)) / i);
  return ways;
}

/** P(X >= k), X ~ Binomial(n, p); summed from the far end, so a small tail keeps its digits. */
export function binomialUpperTail(k: number, n: number, p: number): number {
  if (k <= 0) return 1;
  let sum = 0;
  for (let i = n; i >= k; i--) sum += binomialPmf(i, n, p);
  return Math.min(1, sum);
}

function binomialPmf(k: number, n: number, p: number): number {
  if (p <= 0 || p >= 1) return k === (p <= 0 ? 0 : n) ? 1 : 0;
  let logWays = 0;
  for (let i = 1; i <= k; i++) logWays += Math.log((n - k + i) / i);
  return Math.exp(logWays + k * Math.log(p) + (n - k) * Math.log1p(-p));
}

/** P(`hits` of the `draws` are among the `successes` of the `population`), drawn without replacement. */
export function hypergeometricPmf(
  hits: number,
  population: number,
  successes: number,
  draws: number,
): number {
  return (choose(successes, hits) * choose(population - successes, draws - hits)) / choose(population, draws);
}

/**
 * How many of independent trials with unequal probabilities succeed: P(X = 0), P(X = 1), … P(X = n).
 *
 * Exact by convolution, O(n²).
 */
export function poissonBinomialPmf(probabilities: readonly number[]): Float64Array {
  const pmf = new Float64Array(probabilities.length + 1);
  pmf[0] = 1;
  probabilities.forEach((p, i) => {
    for (let k = i + 1; k > 0; k--) pmf[k] = pmf[k]! * (1 - p) + pmf[k - 1]! * p;
    pmf[0] = pmf[0]! * (1 - p);
  });
  return pmf;
}

/**
 * The central interval of a count: at most (1 - level) / 2 of the probability lies below `low`, and as much above `high`.
 *
 * @param pmf - P(X = 0), P(X = 1), …
 * @param level - such as 0.95
 */
export function centralInterval(pmf: ArrayLike<number>, level: number): readonly [low: number, high: number] {
  // The slack keeps a tail that equals alpha in exact arithmetic from being split by rounding.
  const alpha = (1 - level) / 2 + 1e-12;
  let low = 0;
  for (let below = pmf[0]!; below <= alpha && low < pmf.length - 1; below += pmf[low]!) low++;
  let high = pmf.length - 1;
  for (let above = pmf[high]!; above <= alpha && high > 0; above += pmf[high]!) high--;
  return [low, high];
}
