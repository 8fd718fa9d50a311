import type { AuditFigures, Flag } from '../domain/audit.js';
import { normalTwoSided } from '../util/stats-tests.js';
import type { AuditRules } from './rules.js';

/** What is wrong with the file as a whole, in the order of the rules. */
export function datasetFlags(
  audit: AuditFigures,
  rules: AuditRules,
  { own }: { readonly own: boolean },
): Flag[] {
  return [
    ...labelFlags(audit, rules),
    ...pickFlags(audit, rules),
    ...choicesOnlyFlags(audit, rules),
    ...cueFlags(audit, rules),
    ...lengthFlags(audit, rules),
    ...repetitionFlags(audit, rules, own),
    ...evidenceFlags(audit, rules),
  ];
}

function labelFlags({ labels }: AuditFigures, rules: AuditRules): Flag[] {
  const { threshold } = rules['label-imbalance'];
  if (labels.p === null || labels.p > threshold) return [];
  const message = 'The answers are not spread evenly over the positions.';
  return [{ rule: 'label-imbalance', value: labels.p, threshold, message }];
}

function pickFlags({ picks }: AuditFigures, rules: AuditRules): Flag[] {
  const { threshold, maxP } = rules['pick-shortcut'];
  return Object.entries(picks).flatMap(([name, { acc, chance, pHolm }]) => {
    if (acc === null || chance === null || pHolm === null) return [];
    if (pHolm > maxP || Math.abs(acc - chance) < threshold) return [];
    const message = `Picking by ${name} alone is right ${percent(acc)} of the time (chance ${percent(chance)}).`;
    return [{ rule: 'pick-shortcut', figure: name, value: Math.abs(acc - chance), threshold, message }];
  });
}

function choicesOnlyFlags({ choicesOnlyLr }: AuditFigures, rules: AuditRules): Flag[] {
  const { threshold, maxP } = rules['choices-only'];
  const { acc, chance, zNull } = choicesOnlyLr.strict ?? choicesOnlyLr;
  if (acc === null || chance === null || zNull === null) return [];
  if (normalTwoSided(zNull) > maxP || Math.abs(acc - chance) < threshold) return [];
  const message = `A classifier that sees only the options is right ${percent(acc)} of the time (chance ${percent(chance)}).`;
  return [{ rule: 'choices-only', value: Math.abs(acc - chance), threshold, message }];
}

function cueFlags({ cues, tokenZ, goldTextInStem }: AuditFigures, rules: AuditRules): Flag[] {
  const far = (rule: 'cue-words' | 'answer-in-stem', z: number | null, message: string): Flag[] => {
    const { threshold } = rules[rule];
    return z === null || Math.abs(z) < threshold ? [] : [{ rule, value: Math.abs(z), threshold, message }];
  };
  const bound = rules['token-cue'].threshold;
  return [
    ...far('cue-words', cues.absoluteWords.zNull, 'Absolute words go with the answer, or against it.'),
    ...far('cue-words', cues.hedgeWords.zNull, 'Hedge words go with the answer, or against it.'),
    ...far('cue-words', cues.allOfTheAbove.zNull, '"All of the above" goes with the answer, or against it.'),
    ...far(
      'cue-words',
      cues.noneOfTheAbove.zNull,
      '"None of the above" goes with the answer, or against it.',
    ),
    ...(tokenZ.overBonferroni05 < Math.max(1, bound)
      ? []
      : [
          {
            rule: 'token-cue',
            value: tokenZ.overBonferroni05,
            threshold: bound,
            message: 'Single words of the options go with the answer, or against it; tokenZ lists them.',
          },
        ]),
    ...far(
      'answer-in-stem',
      goldTextInStem.zNull,
      'The right option stands in its stem more, or less, often than the wrong ones.',
    ),
  ];
}

function lengthFlags({ length, dataset }: AuditFigures, rules: AuditRules): Flag[] {
  const { threshold, minItems } = rules['mean-length-gap'];
  const { goldMeanWords, distractorMeanWords } = length;
  if (dataset.scored < minItems || goldMeanWords === null || !distractorMeanWords) return [];
  const value = Math.abs(goldMeanWords / distractorMeanWords - 1);
  const message = 'Right and wrong options differ in their mean number of words.';
  return value < threshold ? [] : [{ rule: 'mean-length-gap', value, threshold, message }];
}

function repetitionFlags({ duplicates, dataset }: AuditFigures, rules: AuditRules, own: boolean): Flag[] {
  const flags: Flag[] = [];
  const empty = rules['empty-options'].threshold;
  if (duplicates.emptyOptions >= Math.max(1, empty)) {
    const message = 'Options without text.';
    flags.push({ rule: 'empty-options', value: duplicates.emptyOptions, threshold: empty, message });
  }
  const { threshold } = rules['duplicate-items'];
  const share = duplicates.stems.extraStemAndOptionSetNormalised / Math.max(1, dataset.scored);
  if (!own && share > 0 && share >= threshold) {
    const message = 'Items that repeat the stem and the options of another.';
    flags.push({ rule: 'duplicate-items', value: share, threshold, message });
  }
  return flags;
}

function evidenceFlags({ evidence }: AuditFigures, rules: AuditRules): Flag[] {
  if (!evidence) return [];
  const flags: Flag[] = [];
  const { threshold } = rules['evidence-shortcut'];
  for (const [name, { auc, ci95 }] of Object.entries(evidence.features)) {
    if (auc === null || ci95 === null) continue;
    const value = Math.max(ci95[0] - 0.5, 0.5 - ci95[1]);
    if (value <= 0 || value < threshold) continue;
    const message = `The ${name} of the images alone tells evidence from other images (AUC ${auc.toFixed(2)}).`;
    flags.push({ rule: 'evidence-shortcut', figure: name, value, threshold, message });
  }
  const lost = evidence.unreadableImages.length;
  const bound = rules['unreadable-image'].threshold;
  if (lost >= Math.max(1, bound)) {
    const message = 'Image files that could not be read.';
    flags.push({ rule: 'unreadable-image', value: lost, threshold: bound, message });
  }
  return flags;
}

function percent(rate: number): string {
  return `${(100 * rate).toFixed(1)} %`;
}
