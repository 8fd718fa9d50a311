import type { Token } from './tokens.js';

/** A phrase found in a token list; `from` and `to` are token indices, end exclusive. */
export interface PhraseMatch<T> {
  readonly from: number;
  readonly to: number;
  readonly value: T;
  readonly phrase: string;
}

/** Largest number of words that `..` in a phrase may stand for. */
const GAP_WORDS = 3;

interface Entry<T> {
  readonly words: readonly string[];
  readonly value: T;
  readonly phrase: string;
}

/**
 * Finds phrases of a lexicon in a token list. A phrase is words in lower case; `*` at the start or end of a word
 * stands for any letters, `..` between words for up to three words. Hyphens and slashes count as spaces.
 */
export class PhraseBook<T> {
  private readonly byFirst = new Map<string, Entry<T>[]>();
  private readonly wild: Entry<T>[] = [];

  constructor(phrases: Iterable<readonly [phrase: string, value: T]>) {
    for (const [phrase, value] of phrases) {
      const words = phrase.toLowerCase().replace(/[-/]/g, ' ').split(/\s+/).filter(Boolean);
      const entry = { words, value, phrase };
      const first = words[0]!;
      if (first.includes('*')) this.wild.push(entry);
      else this.byFirst.set(first, [...(this.byFirst.get(first) ?? []), entry]);
    }
  }

  /** Every match at every token, longest first at each; matches may overlap. */
  all(tokens: readonly Token[]): PhraseMatch<T>[] {
    const found: PhraseMatch<T>[] = [];
    tokens.forEach((token, from) => {
      if (!token.isWord) return;
      const here: PhraseMatch<T>[] = [];
      for (const entry of [...(this.byFirst.get(token.word) ?? []), ...this.wild]) {
        const to = matchEnd(entry.words, tokens, from);
        if (to !== null) here.push({ from, to, value: entry.value, phrase: entry.phrase });
      }
      found.push(...here.sort((a, b) => b.to - a.to));
    });
    return found;
  }

  /** Leftmost-longest matches that do not overlap. Of equally long ones the first in the book wins. */
  find(tokens: readonly Token[]): PhraseMatch<T>[] {
    const kept: PhraseMatch<T>[] = [];
    let end = 0;
    for (const match of this.all(tokens)) {
      if (match.from < end) continue;
      kept.push(match);
      end = match.to;
    }
    return kept;
  }

  /** Whether any phrase stands anywhere. */
  has(tokens: readonly Token[]): boolean {
    return tokens.some((token, i) => token.isWord && this.startsAt(tokens, i));
  }

  /** Whether a phrase begins at this token. */
  startsAt(tokens: readonly Token[], from: number): boolean {
    const token = tokens[from];
    if (token === undefined) return false;
    const entries = [...(this.byFirst.get(token.word) ?? []), ...this.wild];
    return entries.some((entry) => matchEnd(entry.words, tokens, from) !== null);
  }
}

function matchEnd(words: readonly string[], tokens: readonly Token[], from: number): number | null {
  let at = from;
  for (let w = 0; w < words.length; w++) {
    const word = words[w]!;
    if (word === '..') {
      for (let gap = 0; gap <= GAP_WORDS; gap++) {
        if (gap > 0 && tokens[at + gap - 1]?.isWord !== true) return null;
        const end = matchEnd(words.slice(w + 1), tokens, at + gap);
        if (end !== null) return end;
      }
      return null;
    }
    const token = tokens[at];
    if (token?.isWord !== true || !wordFits(word, token.word)) return null;
    at++;
  }
  return at;
}

function wordFits(pattern: string, word: string): boolean {
  if (pattern.endsWith('*')) return word.startsWith(pattern.slice(0, -1));
  if (pattern.startsWith('*')) return word.length > pattern.length + 1 && word.endsWith(pattern.slice(1));
  return pattern === word;
}
