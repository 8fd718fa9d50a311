import { tokens } from './text.js';

/** A sparse row: term numbers, distinct, with their weights. Rows of one fit hold their terms in ascending order. */
export interface SparseVector {
  readonly terms: Int32Array;
  readonly weights: Float64Array;
}

/** A fitted weighting. Term numbers count from 0 in order of first appearance in the fitted documents. */
export interface Tfidf {
  readonly vocabularySize: number;
  /** The document's unit-length row; terms that were not fitted are dropped, and an empty row stays empty. */
  vector(document: string): SparseVector;
}

export type Tokenizer = (text: string) => readonly string[];

/** Single tokens and pairs of adjacent tokens joined by one space. */
export function unigramsAndBigrams(text: string): string[] {
  const single = tokens(text);
  return [...single, ...single.slice(1).map((token, i) => `${single[i]!} ${token}`)];
}

/**
 * A TF-IDF weighting fitted on all documents, duplicates kept: tf = raw count, idf(t) = ln((1 + n) / (1 + df(t))) + 1,
 * rows scaled to unit L2 length. AUDIT-METRICS.md "TF-IDF".
 *
 * @param tokenize - terms of a document; default: {@link tokens} (single tokens)
 */
export function fitTfidf(documents: readonly string[], tokenize: Tokenizer = tokens): Tfidf {
  const counter = termCounter(tokenize);
  const weigh = fitWeights(
    documents.map((document) => counter.count(document)),
    counter.vocabularySize(),
  );
  return {
    vocabularySize: counter.vocabularySize(),
    vector: (document) => weigh(counter.count(document, { learn: false })),
  };
}

export interface TermCounter {
  /** The document's terms with their raw counts. With `learn` false, terms not met before are dropped. */
  count(document: string, options?: { readonly learn: boolean }): SparseVector;
  vocabularySize(): number;
}

/** Counts terms and numbers them as they are met: the half of a fit that many fits on parts of one corpus can share. */
export function termCounter(tokenize: Tokenizer = tokens): TermCounter {
  const vocabulary = new Map<string, number>();
  return {
    count(document, { learn } = { learn: true }) {
      const counts = new Map<number, number>();
      for (const term of tokenize(document)) {
        let number = vocabulary.get(term);
        if (number === undefined) {
          if (!learn) continue;
          number = vocabulary.size;
          vocabulary.set(term, number);
        }
        counts.set(number, (counts.get(number) ?? 0) + 1);
      }
      const terms = Int32Array.from(counts.keys()).sort();
      return { terms, weights: Float64Array.from(terms, (term) => counts.get(term)!) };
    },
    vocabularySize: () => vocabulary.size,
  };
}

/**
 * Turns raw counts into unit TF-IDF rows, fitted on `rows`; terms that none of them has are dropped.
 *
 * @param rows - raw counts of the fitted documents
 */
export function fitWeights(
  rows: readonly SparseVector[],
  vocabularySize: number,
): (counts: SparseVector) => SparseVector {
  const idf = new Float64Array(vocabularySize);
  for (const { terms } of rows) for (const term of terms) idf[term]! += 1;
  for (let term = 0; term < vocabularySize; term++) {
    if (idf[term]! > 0) idf[term] = Math.log((1 + rows.length) / (1 + idf[term]!)) + 1;
  }
  return ({ terms, weights }) => {
    const known = terms.every((term) => idf[term]! > 0) ? null : terms.filter((term) => idf[term]! > 0);
    const kept = known ?? terms;
    const weighed = new Float64Array(kept.length);
    let squares = 0;
    for (let i = 0, j = 0; i < terms.length; i++) {
      const weight = weights[i]! * idf[terms[i]!]!;
      if (weight === 0) continue;
      weighed[j++] = weight;
      squares += weight * weight;
    }
    const length = Math.sqrt(squares);
    for (let j = 0; j < weighed.length; j++) weighed[j]! /= length;
    return { terms: kept, weights: weighed };
  };
}

/** Cosine of two rows of one fit: their dot product, 0 when either is empty. */
export function cosine(a: SparseVector, b: SparseVector): number {
  let sum = 0;
  let i = 0;
  let j = 0;
  while (i < a.terms.length && j < b.terms.length) {
    const difference = a.terms[i]! - b.terms[j]!;
    if (difference === 0) sum += a.weights[i++]! * b.weights[j++]!;
    else if (difference < 0) i++;
    else j++;
  }
  return sum;
}
