import { describe, expect, it } from 'vitest';
import { rng } from '../../src/util/rng.js';
import {
  binomialUpperTail,
  bootstrapInterval,
  centralInterval,
  choose,
  clusteredStandardError,
  drawClusters,
  hypergeometricPmf,
  mean,
  numberClusters,
  poissonBinomialPmf,
  quantileOfSorted,
  wilsonInterval,
} from '../../src/util/stats.js';

describe('wilsonInterval', () => {
  // Newcombe 1998, Statistics in Medicine 17:857, table I, method 3.
  it.each([
    { passes: 81, n: 263, low: 0.2553, high: 0.3662 },
    { passes: 15, n: 148, low: 0.0624, high: 0.1605 },
    { passes: 0, n: 20, low: 0, high: 0.1611 },
    { passes: 1, n: 29, low: 0.0061, high: 0.1718 },
  ])('of $passes in $n is $low to $high, as Newcombe prints it', ({ passes, n, low, high }) => {
    const [a, b] = wilsonInterval(passes, n)!;
    expect(a).toBeCloseTo(low, 4);
    expect(b).toBeCloseTo(high, 4);
  });

  it('ends exactly at 0 and at 1', () => {
    expect(wilsonInterval(0, 10)![0]).toBe(0);
    expect(wilsonInterval(10, 10)![1]).toBe(1);
    expect(wilsonInterval(10, 10)![0]).toBeCloseTo(0.722467200137, 10); // scipy 1 binomtest(...).proportion_ci('wilson')
  });

  it('of nothing is null, not 0 and not NaN', () => {
    expect(wilsonInterval(0, 0)).toBeNull();
    expect(mean([])).toBeNull();
  });
});

describe('counts', () => {
  it('chooses 3 of 12 in 220 ways, and never outside the set', () => {
    expect(choose(12, 3)).toBe(220);
    expect(choose(52, 5)).toBe(2_598_960);
    expect(choose(3, 4)).toBe(0);
    expect(choose(3, -1)).toBe(0);
  });

  it('gives the hypergeometric probabilities of drawing 3 of 9 with 3 successes', () => {
    // 20/84, 45/84, 18/84, 1/84
    expect([0, 1, 2, 3].map((hits) => hypergeometricPmf(hits, 9, 3, 3) * 84)).toEqual(
      [20, 45, 18, 1].map((value) => expect.closeTo(value, 9) as number),
    );
  });

  it.each([
    { k: 150, n: 500, p: 0.25, tail: 0.006414715601039628 },
    { k: 30, n: 30, p: 0.2, tail: 1.0737418240000018e-21 },
    { k: 20, n: 60, p: 0.2, tail: 0.010668297571044266 },
    { k: 0, n: 5, p: 0.2, tail: 1 },
    { k: 1, n: 5, p: 0, tail: 0 },
    { k: 5, n: 5, p: 1, tail: 1 },
  ])('gives P(X >= $k) of Binomial($n, $p) as scipy does', ({ k, n, p, tail }) => {
    expect(binomialUpperTail(k, n, p) / (tail || 1)).toBeCloseTo(tail === 0 ? 0 : 1, 9);
  });

  it('counts trials of unequal chance exactly', () => {
    // 0.1, 0.5, 0.9 by hand: none = 0.9·0.5·0.1; one = 0.1·0.5·0.1 + 0.9·0.5·0.1 + 0.9·0.5·0.9
    const pmf = [...poissonBinomialPmf([0.1, 0.5, 0.9])];
    expect(pmf).toEqual([0.045, 0.455, 0.455, 0.045].map((p) => expect.closeTo(p, 12) as number));
  });

  it('gives the central intervals of Binomial(60, 0.2) as scipy does', () => {
    const pmf = poissonBinomialPmf(new Array<number>(60).fill(0.2));
    expect(centralInterval(pmf, 0.95)).toEqual([6, 18]);
    expect(centralInterval(pmf, 0.99)).toEqual([5, 20]);
  });

  it('keeps a certain count certain', () => {
    expect(centralInterval(poissonBinomialPmf([1, 1, 0]), 0.95)).toEqual([2, 2]);
    expect(centralInterval(poissonBinomialPmf([]), 0.95)).toEqual([0, 0]);
  });
});

describe('clusteredStandardError', () => {
  it('is that of independent items when every cluster has one: sqrt(1/12) for 1, 1, 0, 0', () => {
    expect(clusteredStandardError([1, 1, 0, 0], [0, 1, 2, 3])).toBeCloseTo(0.2886751346, 9);
  });

  it('grows when items of a cluster agree: sqrt(1/12 + 1/16)', () => {
    expect(clusteredStandardError([1, 1, 0, 0], [0, 0, 1, 1])).toBeCloseTo(0.3818813079, 9);
  });

  it('shrinks when items of a cluster disagree: sqrt(1/12 − 1/16)', () => {
    expect(clusteredStandardError([1, 0, 1, 0], [0, 0, 1, 1])).toBeCloseTo(0.1443375673, 9);
  });

  it('is null with one cluster, where nothing can be said', () => {
    expect(clusteredStandardError([1, 0, 1], [0, 0, 0])).toBeNull();
    expect(clusteredStandardError([], [])).toBeNull();
  });
});

describe('bootstrapInterval', () => {
  it('repeats from its seed and holds the mean', () => {
    const { ids, count } = numberClusters(['a', 'a', 'b', 'b', 'c', 'c', 'd', 'd']);
    const values = [1, 1, 0, 1, 0, 0, 1, 0];
    const once = bootstrapInterval(values, ids, drawClusters(count, 500, rng(1, 'test')))!;
    const again = bootstrapInterval(values, ids, drawClusters(count, 500, rng(1, 'test')))!;
    expect(again).toEqual(once);
    expect(once[0]).toBeLessThanOrEqual(0.5);
    expect(once[1]).toBeGreaterThanOrEqual(0.5);
  });

  it('has no width when all clusters are alike, and is null with one cluster', () => {
    expect(bootstrapInterval([1, 0, 1, 0], [0, 0, 1, 1], drawClusters(2, 100, rng(0)))).toEqual([0.5, 0.5]);
    expect(bootstrapInterval([1, 0], [0, 0], drawClusters(1, 100, rng(0)))).toBeNull();
  });

  it('draws as many clusters as there are', () => {
    for (const draw of drawClusters(7, 20, rng(3)))
      expect(draw.reduce((sum, times) => sum + times, 0)).toBe(7);
  });

  it('reads quantiles between order statistics as type 7 does', () => {
    expect(quantileOfSorted([1, 2, 3, 4], 0.25)).toBe(1.75);
    expect(quantileOfSorted([5], 0.9)).toBe(5);
  });
});
