/** Upper tail of the chi-square distribution: P(X >= x). 1 for x <= 0. */
export function chiSquareUpperTail(x: number, df: number): number {
  if (df <= 0) throw new RangeError(`chiSquareUpperTail: ${df} degrees of freedom; at least 1 is needed`);
  return gammaUpper(df / 2, x / 2);
}

/** P(|Z| >= |z|) for a standard normal Z; accurate far out in the tail. */
export function normalTwoSided(z: number): number {
  return gammaUpper(0.5, (z * z) / 2);
}

/** P(Z >= z) for a standard normal Z. */
export function normalUpperTail(z: number): number {
  const half = normalTwoSided(z) / 2;
  return z >= 0 ? half : 1 - half;
}

/** The z below which a standard normal lies with probability p, for p in (0, 1). Bisection: exact to rounding. */
export function normalQuantile(p: number): number {
  if (!(p > 0 && p < 1)) throw new RangeError(`normalQuantile: p = ${p}; it must lie between 0 and 1`);
  if (p < 0.5) return -normalQuantile(1 - p);
  const tail = 1 - p;
  let low = 0;
  let high = 40;
  for (let i = 0; i < 100; i++) {
    const middle = (low + high) / 2;
    if (normalUpperTail(middle) > tail) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/**
 * Holm's step-down adjusted p-values, in the order given. A null stays null and is not counted as a test.
 *
 * Holm 1979: the i-th smallest of m is multiplied by m - i + 1, made monotone, cut at 1.
 */
export function holm(pValues: readonly (number | null)[]): (number | null)[] {
  const order = pValues
    .map((p, index) => ({ p, index }))
    .filter((entry): entry is { p: number; index: number } => entry.p !== null)
    .sort((a, b) => a.p - b.p || a.index - b.index);
  const adjusted = pValues.map((): number | null => null);
  let floor = 0;
  order.forEach(({ p, index }, rank) => {
    floor = Math.max(floor, Math.min(1, p * (order.length - rank)));
    adjusted[index] = floor;
  });
  return adjusted;
}

/** Regularised upper incomplete gamma Q(a, x): a series below a + 1, a continued fraction (Lentz) above. */
function gammaUpper(a: number, x: number): number {
  if (x <= 0) return 1;
  const front = Math.exp(a * Math.log(x) - x - logGamma(a));
  if (x < a + 1) {
    let term = 1 / a;
    let sum = term;
    for (let n = 1; n < 10_000 && term > sum * 1e-17; n++) {
      term *= x / (a + n);
      sum += term;
    }
    return Math.max(0, 1 - front * sum);
  }
  let b = x + 1 - a;
  let c = 1e300;
  let d = 1 / b;
  let fraction = d;
  for (let n = 1; n < 10_000; n++) {
    const numerator = -n * (n - a);
    b += 2;
    d = 1 / (numerator * d + b);
    c = b + numerator / c;
    const change = c * d;
    fraction *= change;
    if (Math.abs(change - 1) < 1e-16) break;
  }
  return front * fraction;
}

/** Lanczos coefficients for g = 7, n = 9 (Godfrey's table, relative error below 1e-14). */
const LANCZOS = [
  0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059,
  12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7,
];

function logGamma(a: number): number {
  if (a < 0.5) return Math.log(Math.PI / Math.sin(Math.PI * a)) - logGamma(1 - a);
  const shifted = a - 1;
  const sum = LANCZOS.reduce((total, coefficient, i) =>
    i === 0 ? coefficient : total + coefficient / (shifted + i),
  );
  const t = shifted + 7.5;
  return 0.5 * Math.log(2 * Math.PI) + (shifted + 0.5) * Math.log(t) - t + Math.log(sum);
}
