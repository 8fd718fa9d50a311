import type { Audit } from '../../domain/audit.js';
import { normalise } from '../../util/text.js';
import type { AuditItem } from '../audit-item.js';
import { zOf } from './pick.js';

/**
 * Options whose text stands in the stem: keys, and distractors for comparison. AUDIT-METRICS.md "GOLD_TEXT_IN_STEM".
 *
 * @returns zNull of the keys among those options when every option is equally likely to be the key
 */
export function goldTextInStem(items: readonly AuditItem[]): Audit['goldTextInStem'] {
  let gold = 0;
  let options = 0;
  let expected = 0;
  let variance = 0;
  for (const item of items) {
    const stem = normalise(item.stem);
    const inStem = item.options.map((option) => option !== '' && stem.includes(normalise(option)));
    const n = inStem.filter(Boolean).length;
    const p = n / item.options.length;
    options += n;
    gold += inStem[item.answer] ? 1 : 0;
    expected += p;
    variance += p * (1 - p);
  }
  return { gold, distractors: options - gold, options, zNull: zOf(gold - expected, variance) };
}
