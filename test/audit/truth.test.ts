import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import type { Audit } from '../../src/domain/audit.js';
import { runAudit } from '../../src/audit/index.js';
import { testDeps } from '../helpers/deps.js';
import { describeShared, sharedPath } from '../helpers/shared.js';

/** TRUTH.json: figures of an independent implementation, rounded to six decimals. */
const ROUNDING = 1.1e-6;
/** Another solver: AUDIT-METRICS.md "CHOICES-ONLY LR". */
const REGRESSION = 0.003;

const PICKS = {
  longestChars: 'pick_longest_chars',
  longestWords: 'pick_longest_words',
  shortestChars: 'pick_shortest_chars',
  shortestWords: 'pick_shortest_words',
  mostSimilarToStem: 'pick_most_similar_to_stem',
  leastSimilarToStem: 'pick_least_similar_to_stem',
  mostCentral: 'pick_most_central',
  leastCentral: 'pick_least_central',
} as const;

interface TruthPick {
  acc: number;
  chance: number;
  z_null: number;
  gold_among: number;
  gold_unique: number;
  items_with_unique_extreme: number;
}
type Cue = Record<'applicability' | 'productivity' | 'coverage' | 'chance', number>;
type Above = Record<'items' | 'options' | 'gold' | 'expected_gold', number>;
type Truth = Record<(typeof PICKS)[keyof typeof PICKS], TruthPick> & {
  items_sha256: string;
  items_read: number;
  items_scored: number;
  options_per_item: Record<string, number>;
  options_total: number;
  label_distribution: { observed: number[]; chi2: number; df: number; p: number; best_position_acc: number };
  length: Record<string, number>;
  tfidf_vocabulary: number;
  choices_only_lr: { acc: number; fold_items: number[] };
  choices_only_lr_strict: { acc: number; z_null: number; fold_items: number[] };
  duplicate_options: Record<string, number>;
  duplicate_stems: Record<string, number>;
  empty_options: number;
  all_of_the_above: Above;
  none_of_the_above: Above;
  absolute_words: Cue;
  hedge_words: Cue;
  gold_text_in_stem: { gold: number; distractors: number };
  token_z: {
    tokens_tested: number;
    over_bonferroni_05: number;
    top: { token: string; n: number; gold: number; z: number }[];
  };
};

const near = (actual: number | null, expected: number): void => {
  expect(Math.abs(actual! - expected)).toBeLessThanOrEqual(ROUNDING * Math.max(1, Math.abs(expected)));
};

describeShared('audit figures of real files', 'mcq', () => {
  it.each([
    { name: 'medqa_4opt', file: 'medqa/medqa_usmle_4opt_test.jsonl', format: 'medqa' },
    { name: 'medqa_5opt', file: 'medqa/medqa_usmle_5opt_test.jsonl', format: 'medqa' },
    { name: 'arc_challenge_test', file: 'arc/ARC-Challenge-Test.jsonl', format: 'arc' },
    { name: 'mmlu_pro_health', file: 'mmlu_pro/mmlu_pro_health_test.jsonl', format: 'medqa' },
    { name: 'mmlu_all57', file: 'mmlu/test', format: 'mmlu' },
  ])('of $name equal the independent ones', { timeout: 300_000 }, async ({ name, file, format }) => {
    const truths = JSON.parse(readFileSync(sharedPath('mcq', 'TRUTH.json'), 'utf8')) as {
      datasets: Record<string, Truth>;
    };
    const audit = await runAudit({ files: [path.resolve(sharedPath('mcq', file))] }, testDeps());
    expect(audit.dataset.format).toBe(format);
    compare(audit, truths.datasets[name]!);
  });
});

function compare(audit: Audit, truth: Truth): void {
  const { dataset, labels, length } = audit;
  expect(dataset).toMatchObject({
    itemsSha256: truth.items_sha256,
    items: truth.items_read,
    scored: truth.items_scored,
    optionsPerItem: truth.options_per_item,
    optionsTotal: truth.options_total,
  });
  expect(labels.observed).toEqual(truth.label_distribution.observed);
  near(labels.chi2, truth.label_distribution.chi2);
  near(labels.p! / truth.label_distribution.p, 1);
  near(labels.bestPositionAcc, truth.label_distribution.best_position_acc);
  for (const [name, truthName] of Object.entries(PICKS) as [keyof typeof PICKS, keyof Truth][]) {
    const pick = audit.picks[name];
    const expected = truth[truthName] as TruthPick;
    near(pick.acc, expected.acc);
    near(pick.chance, expected.chance);
    near(pick.zNull, expected.z_null);
    near(pick.goldAmong, expected.gold_among);
    near(pick.goldUnique, expected.gold_unique);
    expect(pick.itemsWithUniqueExtreme).toBe(expected.items_with_unique_extreme);
  }
  near(length.goldMeanWords, truth.length.gold_mean_words!);
  near(length.distractorMeanWords, truth.length.distractor_mean_words!);
  near(length.goldMeanChars, truth.length.gold_mean_chars!);
  near(length.distractorMeanChars, truth.length.distractor_mean_chars!);
  near(length.stemMeanWords, truth.length.stem_mean_words!);
  expect(audit.tfidfVocabulary).toBe(truth.tfidf_vocabulary);
  compareRegression(audit, truth);
  compareWords(audit, truth);
}

function compareRegression({ choicesOnlyLr }: Audit, truth: Truth): void {
  expect(choicesOnlyLr.foldItems).toEqual(truth.choices_only_lr.fold_items);
  expect(choicesOnlyLr.strict!.foldItems).toEqual(truth.choices_only_lr_strict.fold_items);
  expect(Math.abs(choicesOnlyLr.acc! - truth.choices_only_lr.acc)).toBeLessThan(REGRESSION);
  expect(Math.abs(choicesOnlyLr.strict!.acc! - truth.choices_only_lr_strict.acc)).toBeLessThan(REGRESSION);
}

function compareWords({ duplicates, cues, goldTextInStem, tokenZ }: Audit, truth: Truth): void {
  expect(duplicates).toEqual({
    options: {
      itemsExact: truth.duplicate_options.items_exact,
      itemsNormalised: truth.duplicate_options.items_normalised,
      itemsGoldRepeatedExact: truth.duplicate_options.items_gold_repeated_exact,
      itemsGoldRepeatedNormalised: truth.duplicate_options.items_gold_repeated_normalised,
      extraOptionsExact: truth.duplicate_options.extra_options_exact,
    },
    stems: {
      extraExact: truth.duplicate_stems.extra_exact,
      extraNormalised: truth.duplicate_stems.extra_normalised,
      extraStemAndOptionsExact: truth.duplicate_stems.extra_stem_and_options_exact,
      extraStemAndOptionSetNormalised: truth.duplicate_stems.extra_stem_and_option_set_normalised,
    },
    emptyOptions: truth.empty_options,
  });
  for (const [cue, expected] of [
    [cues.absoluteWords, truth.absolute_words],
    [cues.hedgeWords, truth.hedge_words],
  ] as const) {
    expect(cue.applicability).toBe(expected.applicability);
    near(cue.productivity, expected.productivity);
    near(cue.coverage, expected.coverage);
    near(cue.chance, expected.chance);
  }
  for (const [cue, expected] of [
    [cues.allOfTheAbove, truth.all_of_the_above],
    [cues.noneOfTheAbove, truth.none_of_the_above],
  ] as const) {
    expect([cue.items, cue.options, cue.gold]).toEqual([expected.items, expected.options, expected.gold]);
    near(cue.expectedGold, expected.expected_gold);
  }
  expect(goldTextInStem).toMatchObject(truth.gold_text_in_stem);
  expect(tokenZ.tokensTested).toBe(truth.token_z.tokens_tested);
  expect(tokenZ.overBonferroni05).toBe(truth.token_z.over_bonferroni_05);
  truth.token_z.top.forEach((expected, i) => {
    expect(tokenZ.top[i]).toMatchObject({ token: expected.token, n: expected.n, gold: expected.gold });
    near(tokenZ.top[i]!.z, expected.z);
  });
}
