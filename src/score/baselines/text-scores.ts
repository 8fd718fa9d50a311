import type { Item } from '../../domain/item.js';
import { codePointLength } from '../../util/text.js';
import { cosine, fitTfidf } from '../../util/tfidf.js';

/** A number for each choice of an item, in order; a text baseline takes the greatest. */
export type ChoiceScores = (item: Item) => number[];

/** Code points of the trimmed choice. AUDIT-METRICS "longestChars". */
export const lengthScores: ChoiceScores = (item) =>
  item.choices.map((choice) => codePointLength(choice.text.trim()));

/** TF-IDF cosine with the question. AUDIT-METRICS "mostSimilarToStem". */
export function similarityScores(items: readonly Item[]): ChoiceScores {
  const fitted = fitOn(items);
  return (item) => {
    const stem = fitted.vector(item.question.trim());
    return item.choices.map((choice) => cosine(fitted.vector(choice.text.trim()), stem));
  };
}

/** Mean TF-IDF cosine with the other choices. AUDIT-METRICS "mostCentral". */
export function centralityScores(items: readonly Item[]): ChoiceScores {
  const fitted = fitOn(items);
  return (item) => {
    const rows = item.choices.map((choice) => fitted.vector(choice.text.trim()));
    return rows.map(
      (row, i) =>
        rows.reduce((sum, other, j) => (i === j ? sum : sum + cosine(row, other)), 0) / (rows.length - 1),
    );
  };
}

/** One fit on all questions followed by all choices. */
function fitOn(items: readonly Item[]) {
  return fitTfidf([
    ...items.map((item) => item.question.trim()),
    ...items.flatMap((item) => item.choices.map((choice) => choice.text.trim())),
  ]);
}
