import type { ChoicesOnlyResult } from '../../domain/audit.js';
import { fitWeights, termCounter, unigramsAndBigrams, type SparseVector } from '../../util/tfidf.js';
import type { AuditItem } from '../audit-item.js';
import { FOLDS, plainFolds, strictFolds } from './folds.js';
import { fitLogistic } from './logistic.js';
import { pickFigures } from './pick.js';

/**
 * How well the key is told from its distractors without the question: five-fold logistic regression on the options'
 * words and word pairs. `strict` is the figure to report. AUDIT-METRICS.md "CHOICES-ONLY LR".
 *
 * @returns strict null where {@link strictFolds} is
 */
export function choicesOnly(
  items: readonly AuditItem[],
  options: { joinStems: boolean },
): ChoicesOnlyResult & { strict: ChoicesOnlyResult | null } {
  const counter = termCounter(unigramsAndBigrams);
  const questions = items.map((item) => ({
    options: item.options.map((option) => counter.count(option)),
    answer: item.answer,
  }));
  const plain = plainFolds(items);
  const strict = strictFolds(items, options);
  const result = crossValidate(questions, plain, counter.vocabularySize());
  if (strict === null) return { ...result, strict: null };
  const same = strict.every((fold, i) => fold === plain[i]);
  return { ...result, strict: same ? result : crossValidate(questions, strict, counter.vocabularySize()) };
}

/** An item as term counts. */
interface CountedItem {
  readonly options: readonly SparseVector[];
  readonly answer: number;
}

function crossValidate(
  items: readonly CountedItem[],
  folds: readonly number[],
  vocabularySize: number,
): ChoicesOnlyResult {
  const scores = new Array<number[]>(items.length);
  const foldItems: number[] = [];
  const foldAcc: (number | null)[] = [];
  for (let fold = 0; fold < FOLDS; fold++) {
    const tested = items.map((_, i) => i).filter((i) => folds[i] === fold);
    const score = train(
      items.filter((_, i) => folds[i] !== fold),
      vocabularySize,
    );
    for (const i of tested) scores[i] = items[i]!.options.map(score);
    foldItems.push(tested.length);
    foldAcc.push(
      pickFigures(
        tested.map((i) => scores[i]!),
        tested.map((i) => items[i]!.answer),
        'max',
      ).acc,
    );
  }
  const { acc, chance, zNull } = pickFigures(
    scores,
    items.map(({ answer }) => answer),
    'max',
  );
  return { acc, chance, zNull, foldItems, foldAcc };
}

/** The score of an option; 0 for every option when there is nothing to learn from. */
function train(items: readonly CountedItem[], vocabularySize: number): (option: SparseVector) => number {
  const counts = items.flatMap(({ options }) => options);
  const positive = items.flatMap(({ options, answer }) => options.map((_, j) => j === answer));
  if (!positive.includes(true) || !positive.includes(false)) return () => 0;
  const weigh = fitWeights(counts, vocabularySize);
  const model = fitLogistic(counts.map(weigh), positive, vocabularySize);
  return (option) => model.score(weigh(option));
}
