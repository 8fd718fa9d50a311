import type { Audit } from '../../domain/audit.js';
import { mean } from '../../util/stats.js';
import { codePointLength, words } from '../../util/text.js';
import type { AuditItem } from '../audit-item.js';

/** Mean lengths: keys over items, distractors pooled over all items. AUDIT-METRICS.md "LENGTH". */
export function lengthMeans(items: readonly AuditItem[]): Audit['length'] {
  const gold = items.map(({ options, answer }) => options[answer]!);
  const distractors = items.flatMap(({ options, answer }) => options.filter((_, j) => j !== answer));
  const wordCount = (text: string): number => words(text).length;
  return {
    goldMeanWords: mean(gold.map(wordCount)),
    distractorMeanWords: mean(distractors.map(wordCount)),
    goldMeanChars: mean(gold.map(codePointLength)),
    distractorMeanChars: mean(distractors.map(codePointLength)),
    stemMeanWords: mean(items.map(({ stem }) => wordCount(stem))),
  };
}
