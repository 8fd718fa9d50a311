import type { SparseVector } from '../../util/tfidf.js';
import { mergeLoneTerms } from './merge-lone-terms.js';

export interface LogisticModel {
  /** w · x + b. */
  score(row: SparseVector): number;
}

/**
 * Norm of the gradient at which the fit counts as done. The objective is at least as curved as ½|w|², so no coefficient
 * is then farther than this from its optimum.
 */
const TOLERANCE = 1e-4;
const NEWTON_STEPS = 60;

/**
 * Logistic regression minimising ½|w|² + Σ log(1 + exp(−y(w·x + b))), y = ±1, with b unpenalised.
 *
 * Newton steps whose linear systems are solved by conjugate gradients with a diagonal preconditioner (Lin, Weng and
 * Keerthi 2008), and a halving line search. All sums run in a fixed order, so equal rows get equal scores.
 *
 * @param rows - one an example
 * @param positive - whether y = 1; at least one of each
 * @param dimension - number of terms; every term of `rows` is below it
 */
export function fitLogistic(
  rows: readonly SparseVector[],
  positive: readonly boolean[],
  dimension: number,
): LogisticModel {
  const merged = mergeLoneTerms(rows, dimension);
  const w = merged.expand(minimise(buildProblem(merged.rows, positive, merged.dimension), positive));
  return {
    score: (row) => {
      let sum = w[dimension]!;
      for (let i = 0; i < row.terms.length; i++) sum += row.weights[i]! * w[row.terms[i]!]!;
      return sum;
    },
  };
}

/** The coefficients at the minimum, the bias last. */
function minimise(problem: Problem, positive: readonly boolean[]): Float64Array {
  const share = positive.filter(Boolean).length / positive.length;
  let w: Float64Array = new Float64Array(problem.size);
  w[problem.size - 1] = Math.log(share / (1 - share));
  let loss = problem.loss(w);
  for (let step = 0; step < NEWTON_STEPS; step++) {
    const { gradient, curvature } = problem.derivatives(w);
    const norm = Math.sqrt(dot(gradient, gradient));
    if (norm <= TOLERANCE) break;
    const direction = solveNewton(problem, gradient, curvature, 0.1 * norm);
    const slope = dot(gradient, direction);
    let size = 1;
    let next = moved(w, direction, size);
    let nextLoss = problem.loss(next);
    while (nextLoss > loss + 1e-4 * size * slope && size > 1e-8) {
      size /= 2;
      next = moved(w, direction, size);
      nextLoss = problem.loss(next);
    }
    if (!(nextLoss <= loss)) break;
    w = next;
    loss = nextLoss;
  }
  return w;
}

interface Problem {
  readonly size: number;
  loss(w: Float64Array): number;
  derivatives(w: Float64Array): { gradient: Float64Array; curvature: Float64Array };
  /** Hessian times v; `curvature` holds p(1 − p) of each row. */
  hessianTimes(v: Float64Array, curvature: Float64Array): Float64Array;
  hessianDiagonal(curvature: Float64Array): Float64Array;
}

function buildProblem(
  rows: readonly SparseVector[],
  positive: readonly boolean[],
  dimension: number,
): Problem {
  const starts = new Int32Array(rows.length + 1);
  rows.forEach((row, r) => (starts[r + 1] = starts[r]! + row.terms.length));
  const terms = new Int32Array(starts[rows.length]!);
  const weights = new Float64Array(starts[rows.length]!);
  rows.forEach((row, r) => {
    terms.set(row.terms, starts[r]);
    weights.set(row.weights, starts[r]);
  });
  const project = (v: Float64Array): Float64Array => {
    const out = new Float64Array(rows.length);
    for (let r = 0; r < rows.length; r++) {
      let sum = v[dimension]!;
      for (let i = starts[r]!; i < starts[r + 1]!; i++) sum += weights[i]! * v[terms[i]!]!;
      out[r] = sum;
    }
    return out;
  };
  /** penalty · v + Xᵀu, with power 2 for squared features. */
  const gather = (v: Float64Array | null, u: Float64Array, power: 1 | 2): Float64Array => {
    const out = v ? Float64Array.from(v) : new Float64Array(dimension + 1).fill(1);
    out[dimension] = 0;
    for (let r = 0; r < rows.length; r++) {
      const value = u[r]!;
      out[dimension] += value;
      for (let i = starts[r]!; i < starts[r + 1]!; i++) {
        const weight = weights[i]!;
        out[terms[i]!]! += value * (power === 1 ? weight : weight * weight);
      }
    }
    return out;
  };
  return {
    size: dimension + 1,
    loss(w) {
      let sum = 0;
      for (let i = 0; i < dimension; i++) sum += 0.5 * w[i]! * w[i]!;
      project(w).forEach((z, r) => (sum += softplus(positive[r] ? -z : z)));
      return sum;
    },
    derivatives(w) {
      const error = project(w);
      const curvature = new Float64Array(rows.length);
      for (let r = 0; r < rows.length; r++) {
        const p = 1 / (1 + Math.exp(-error[r]!));
        curvature[r] = p * (1 - p);
        error[r] = p - (positive[r] ? 1 : 0);
      }
      return { gradient: gather(w, error, 1), curvature };
    },
    hessianTimes(v, curvature) {
      const projected = project(v);
      for (let r = 0; r < projected.length; r++) projected[r]! *= curvature[r]!;
      return gather(v, projected, 1);
    },
    hessianDiagonal: (curvature) => gather(null, curvature, 2),
  };
}

/** The d with H d = −gradient, to the given residual norm. */
function solveNewton(
  problem: Problem,
  gradient: Float64Array,
  curvature: Float64Array,
  tolerance: number,
): Float64Array {
  const diagonal = problem.hessianDiagonal(curvature);
  const solution = new Float64Array(problem.size);
  const residual = gradient.map((g) => -g);
  const scaled = residual.map((r, i) => r / diagonal[i]!);
  const direction = Float64Array.from(scaled);
  let energy = dot(residual, scaled);
  for (let i = 0; i < 500 && Math.sqrt(dot(residual, residual)) > tolerance; i++) {
    const image = problem.hessianTimes(direction, curvature);
    const step = energy / dot(direction, image);
    for (let j = 0; j < solution.length; j++) {
      solution[j]! += step * direction[j]!;
      residual[j]! -= step * image[j]!;
      scaled[j] = residual[j]! / diagonal[j]!;
    }
    const nextEnergy = dot(residual, scaled);
    const keep = nextEnergy / energy;
    for (let j = 0; j < direction.length; j++) direction[j] = scaled[j]! + keep * direction[j]!;
    energy = nextEnergy;
  }
  return solution;
}

function moved(w: Float64Array, direction: Float64Array, size: number): Float64Array {
  return w.map((value, i) => value + size * direction[i]!);
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!;
  return sum;
}

/** log(1 + exp(z)) without overflow. */
function softplus(z: number): number {
  return z > 0 ? z + Math.log1p(Math.exp(-z)) : Math.log1p(Math.exp(z));
}
