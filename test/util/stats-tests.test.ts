import { describe, expect, it } from 'vitest';
import {
  chiSquareUpperTail,
  holm,
  normalQuantile,
  normalTwoSided,
  normalUpperTail,
} from '../../src/util/stats-tests.js';

/** Expected values: closed forms, NIST tables, and TRUTH.json (computed with another library). */
describe('tails and quantiles', () => {
  it.each([
    { x: 3.841458820694124, df: 1, p: 0.05 },
    { x: 5.991464547107979, df: 2, p: 0.05 },
    { x: 9.487729036781154, df: 4, p: 0.05 },
    { x: 15.392773, df: 3, p: 0.00150998 },
    { x: 0, df: 3, p: 1 },
    { x: 2, df: 2, p: 0.36787944117144233 },
  ])('a chi-square of $x on $df degrees of freedom has an upper tail of $p', ({ x, df, p }) => {
    expect(chiSquareUpperTail(x, df)).toBeCloseTo(p, 8);
  });

  it('keeps its digits far out: exp(-50) for 100 on 2 degrees of freedom', () => {
    expect(chiSquareUpperTail(100, 2) / 1.9287498479639178e-22).toBeCloseTo(1, 10);
  });

  it.each([
    { z: 0, p: 0.5 },
    { z: 1.959963984540054, p: 0.025 },
    { z: -1.959963984540054, p: 0.975 },
    { z: 3, p: 0.0013498980316300933 },
  ])('a standard normal lies above $z with probability $p', ({ z, p }) => {
    expect(normalUpperTail(z)).toBeCloseTo(p, 12);
  });

  it('counts both tails', () => {
    expect(normalTwoSided(-2.5758293035489004)).toBeCloseTo(0.01, 12);
  });

  it.each([
    { p: 0.975, z: 1.959963984540054 },
    { p: 0.5, z: 0 },
    { p: 0.005, z: -2.5758293035489004 },
  ])('the quantile of $p is $z', ({ p, z }) => {
    expect(normalQuantile(p)).toBeCloseTo(z, 10);
  });

  it('refuses a probability outside 0 to 1 and a test without degrees of freedom', () => {
    expect(() => normalQuantile(1)).toThrow(RangeError);
    expect(() => chiSquareUpperTail(1, 0)).toThrow(RangeError);
  });
});

describe('Holm', () => {
  it('multiplies the smallest by the number of tests, the next by one less, and stays monotone', () => {
    // 0.01 × 4, 0.02 × 3, 0.03 × 2 (raised to 0.06), 0.04 × 1 (raised to 0.06).
    const adjusted = holm([0.04, 0.01, 0.03, 0.02]);
    [0.06, 0.04, 0.06, 0.06].forEach((p, i) => expect(adjusted[i]).toBeCloseTo(p, 12));
  });

  it('leaves a missing p out of the count and cuts at 1', () => {
    expect(holm([null, 0.6, 0.01])).toEqual([null, 0.6, 0.02]);
    expect(holm([0.7, 0.8])).toEqual([1, 1]);
  });
});
