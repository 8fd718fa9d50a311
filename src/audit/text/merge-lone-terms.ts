import type { SparseVector } from '../../util/tfidf.js';

export interface MergedRows {
  /** The same rows with all terms that no other row has turned into one term of the same length. */
  readonly rows: readonly SparseVector[];
  readonly dimension: number;
  /** Coefficients of the merged terms (and a bias after them) as coefficients of the original terms (and the bias). */
  expand(coefficients: Float64Array): Float64Array;
}

/**
 * Rows rotated so that the terms of only one row become one: a fit with an L2 penalty on them gives exactly the same
 * scores, since such a row's coefficients can only lie along its own weights. Word pairs are mostly of that kind, so a
 * large file's fit shrinks by an order of magnitude.
 */
export function mergeLoneTerms(rows: readonly SparseVector[], dimension: number): MergedRows {
  const uses = new Int32Array(dimension);
  for (const { terms } of rows) for (const term of terms) uses[term]! += 1;
  const numbers = new Int32Array(dimension).fill(-1);
  const shares = new Float64Array(dimension).fill(1);
  let next = 0;
  for (let term = 0; term < dimension; term++) if (uses[term]! > 1) numbers[term] = next++;
  const merged = rows.map(({ terms, weights }) => {
    const kept: number[] = [];
    const keptWeights: number[] = [];
    let squares = 0;
    terms.forEach((term, i) => {
      if (uses[term] === 1) squares += weights[i]! ** 2;
      else {
        kept.push(numbers[term]!);
        keptWeights.push(weights[i]!);
      }
    });
    if (squares > 0) {
      const length = Math.sqrt(squares);
      terms.forEach((term, i) => {
        if (uses[term] !== 1) return;
        numbers[term] = next;
        shares[term] = weights[i]! / length;
      });
      kept.push(next++);
      keptWeights.push(length);
    }
    return { terms: Int32Array.from(kept), weights: Float64Array.from(keptWeights) };
  });
  return {
    rows: merged,
    dimension: next,
    expand(coefficients) {
      const all = new Float64Array(dimension + 1);
      for (let term = 0; term < dimension; term++) {
        const number = numbers[term]!;
        if (number >= 0) all[term] = coefficients[number]! * shares[term]!;
      }
      all[dimension] = coefficients[next]!;
      return all;
    },
  };
}
