import type { Audit } from '../../domain/audit.js';
import { chiSquareUpperTail } from '../../util/stats-tests.js';
import type { AuditItem } from '../audit-item.js';

/**
 * Where the key stands, against keys spread evenly over each item's own options. AUDIT-METRICS.md "LABELS".
 *
 * @returns chi2 and p null when no item has two options
 */
export function labelDistribution(items: readonly AuditItem[]): Audit['labels'] {
  const positions = items.reduce((most, { options }) => Math.max(most, options.length), 0);
  const observed = new Array<number>(positions).fill(0);
  const expected = new Array<number>(positions).fill(0);
  for (const { options, answer } of items) {
    observed[answer]! += 1;
    for (let j = 0; j < options.length; j++) expected[j]! += 1 / options.length;
  }
  const df = Math.max(0, positions - 1);
  const chi2 = observed.reduce((sum, o, j) => sum + (o - expected[j]!) ** 2 / expected[j]!, 0);
  const most = Math.max(...observed);
  return {
    observed,
    expected,
    chi2: df === 0 ? null : chi2,
    df,
    p: df === 0 ? null : chiSquareUpperTail(chi2, df),
    bestPosition: items.length === 0 ? null : observed.indexOf(most),
    bestPositionAcc: items.length === 0 ? null : most / items.length,
  };
}
