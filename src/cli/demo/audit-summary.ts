import { FEATURE_TITLES } from '../../audit/index.js';
import type { Audit } from '../../domain/audit.js';
import { percent, type ReportAudit } from '../../score/index.js';

/** The audit figures that the report page shows, and its flags. */
export function auditSummary({ length, labels, choicesOnlyLr, picks, evidence, flags }: Audit): ReportAudit {
  const number = (value: number | null): string => (value === null ? '–' : value.toFixed(2));
  const strict = choicesOnlyLr?.strict ?? null;
  const summary = [
    {
      name: 'Mean words, key / distractors',
      value: `${number(length.goldMeanWords)} / ${number(length.distractorMeanWords)}`,
    },
    { name: 'Letters evenly spread, p', value: number(labels.p) },
    {
      name: 'Choices-only classifier',
      value: percent(strict?.acc ?? null),
      note: `chance ${percent(strict?.chance ?? null)}; folds that keep like items together`,
    },
    {
      name: 'Longest choice is the key',
      value: percent(picks.longestWords.acc),
      note: `chance ${percent(picks.longestWords.chance)}`,
    },
    {
      name: 'Most central choice is the key',
      value: percent(picks.mostCentral.acc),
      note: `chance ${percent(picks.mostCentral.chance)}`,
    },
  ];
  const features = Object.entries(evidence?.features ?? {}).map(([name, { auc, ci95 }]) => ({
    name: `Evidence told by: ${(FEATURE_TITLES[name] ?? name).toLowerCase()} (AUC)`,
    value: number(auc),
    note: ci95 === null ? '0.5: not at all' : `${number(ci95[0])}–${number(ci95[1])}; 0.5: not at all`,
  }));
  return { summary: [...summary, ...features], flags };
}
