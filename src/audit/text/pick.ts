/** Scores this close to the extreme count as tied with it. AUDIT-METRICS.md "PICK". */
const TIE = 1e-9;

/** A pick before its p-value is adjusted over the picks of the file. */
export interface PickFigures {
  readonly acc: number | null;
  readonly chance: number | null;
  readonly zNull: number | null;
  readonly goldAmong: number | null;
  readonly goldUnique: number | null;
  readonly itemsWithUniqueExtreme: number;
}

/** Indexes of the options whose score is the item's extreme, ties included. */
export function tiedExtremes(scores: readonly number[], extreme: 'max' | 'min'): number[] {
  const best = extreme === 'max' ? Math.max(...scores) : Math.min(...scores);
  return scores.flatMap((score, index) => (Math.abs(score - best) <= TIE ? [index] : []));
}

/**
 * How often the option of extreme score is the key, ties split evenly, against an exact null in which every option is
 * equally likely to be the key. AUDIT-METRICS.md "PICK".
 *
 * @param scores - one score an option, for each item
 * @param answers - index of each item's key
 * @returns zNull null where the null has no variance: every option of every item is tied
 */
export function pickFigures(
  scores: readonly (readonly number[])[],
  answers: readonly number[],
  extreme: 'max' | 'min',
): PickFigures {
  let won = 0;
  let chance = 0;
  let excess = 0;
  let variance = 0;
  let among = 0;
  let unique = 0;
  let uniqueExtremes = 0;
  scores.forEach((itemScores, i) => {
    const tied = tiedExtremes(itemScores, extreme);
    const k = itemScores.length;
    const hit = tied.includes(answers[i]!);
    const share = hit ? 1 / tied.length : 0;
    won += share;
    chance += 1 / k;
    excess += share - 1 / k;
    if (tied.length < k) variance += 1 / (k * tied.length) - 1 / (k * k);
    if (hit) among++;
    if (tied.length === 1) uniqueExtremes++;
    if (hit && tied.length === 1) unique++;
  });
  const n = scores.length;
  const rate = (value: number): number | null => (n === 0 ? null : value / n);
  return {
    acc: rate(won),
    chance: rate(chance),
    zNull: zOf(excess, variance),
    goldAmong: rate(among),
    goldUnique: rate(unique),
    itemsWithUniqueExtreme: uniqueExtremes,
  };
}

/** An excess over its expectation in standard deviations; null without variance. */
export function zOf(excess: number, variance: number): number | null {
  return variance > 0 ? excess / Math.sqrt(variance) : null;
}
