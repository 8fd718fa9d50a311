import type { Audit } from '../../domain/audit.js';
import { normalQuantile } from '../../util/stats-tests.js';
import { tokens } from '../../util/text.js';
import type { AuditItem } from '../audit-item.js';

/** A token is tested when at least this many options hold it. AUDIT-METRICS.md "TOKEN Z". */
const MIN_OPTIONS = 20;
const TOP = 12;

/** Tokens that go with the key more, or less, often than chance (Gardner et al. 2021, for k options). */
export function tokenZ(items: readonly AuditItem[]): Audit['tokenZ'] {
  const counts = new Map<string, { n: number; gold: number; expected: number; variance: number }>();
  for (const { options, answer } of items) {
    const p = 1 / options.length;
    options.forEach((option, j) => {
      for (const token of new Set(tokens(option))) {
        const count = counts.get(token) ?? { n: 0, gold: 0, expected: 0, variance: 0 };
        count.n++;
        if (j === answer) count.gold++;
        count.expected += p;
        count.variance += p * (1 - p);
        counts.set(token, count);
      }
    });
  }
  const tested = [...counts]
    .filter(([, { n, variance }]) => n >= MIN_OPTIONS && variance > 0)
    .map(([token, { n, gold, expected, variance }]) => ({
      token,
      n,
      gold,
      z: (gold - expected) / Math.sqrt(variance),
    }))
    .sort((a, b) => Math.abs(b.z) - Math.abs(a.z) || (a.token < b.token ? -1 : 1));
  const bound = tested.length === 0 ? Infinity : normalQuantile(1 - 0.05 / (2 * tested.length));
  return {
    tokensTested: tested.length,
    overBonferroni05: tested.filter(({ z }) => Math.abs(z) > bound).length,
    top: tested.slice(0, TOP),
  };
}
