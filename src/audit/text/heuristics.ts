import { pickNames, type PickName, type PickResult } from '../../domain/audit.js';
import { holm, normalTwoSided } from '../../util/stats-tests.js';
import { codePointLength, words } from '../../util/text.js';
import { cosine, fitTfidf, type SparseVector } from '../../util/tfidf.js';
import type { AuditItem } from '../audit-item.js';
import { pickFigures, type PickFigures } from './pick.js';

export interface HeuristicResult {
  readonly picks: Record<PickName, PickResult>;
  /** Tokens of all stems and options: the terms of the similarity. */
  readonly vocabularySize: number;
}

/** The eight rules that pick an option without knowing anything. AUDIT-METRICS.md "LENGTH", "TF-IDF". */
export function heuristicPicks(items: readonly AuditItem[]): HeuristicResult {
  const answers = items.map(({ answer }) => answer);
  const chars = items.map(({ options }) => options.map(codePointLength));
  const wordCounts = items.map(({ options }) => options.map((option) => words(option).length));
  const fit = fitTfidf([...items.map(({ stem }) => stem), ...items.flatMap(({ options }) => options)]);
  const similarity: number[][] = [];
  const centrality: number[][] = [];
  for (const { stem, options } of items) {
    const stemRow = fit.vector(stem);
    const rows = options.map((option) => fit.vector(option));
    similarity.push(rows.map((row) => cosine(row, stemRow)));
    centrality.push(meanCosineToOthers(rows));
  }
  const figures: Record<PickName, PickFigures> = {
    longestChars: pickFigures(chars, answers, 'max'),
    longestWords: pickFigures(wordCounts, answers, 'max'),
    shortestChars: pickFigures(chars, answers, 'min'),
    shortestWords: pickFigures(wordCounts, answers, 'min'),
    mostSimilarToStem: pickFigures(similarity, answers, 'max'),
    leastSimilarToStem: pickFigures(similarity, answers, 'min'),
    mostCentral: pickFigures(centrality, answers, 'max'),
    leastCentral: pickFigures(centrality, answers, 'min'),
  };
  return { picks: withHolm(figures), vocabularySize: fit.vocabularySize };
}

/** For each option the mean cosine to the other options; 0 for an only option. */
function meanCosineToOthers(rows: readonly SparseVector[]): number[] {
  return rows.map((row, j) => {
    const others = rows.filter((_, l) => l !== j);
    return others.reduce((sum, other) => sum + cosine(row, other), 0) / Math.max(1, others.length);
  });
}

function withHolm(figures: Record<PickName, PickFigures>): Record<PickName, PickResult> {
  const adjusted = holm(
    pickNames.map((name) => {
      const z = figures[name].zNull;
      return z === null ? null : normalTwoSided(z);
    }),
  );
  return Object.fromEntries(
    pickNames.map((name, i) => {
      const { acc, chance, zNull, ...rest } = figures[name];
      return [name, { acc, chance, zNull, pHolm: adjusted[i]!, ...rest }];
    }),
  ) as Record<PickName, PickResult>;
}
