/** A word or a punctuation mark of a text. Offsets are UTF-16 units into that text. */
export interface Token {
  readonly start: number;
  readonly end: number;
  /** Lower case, straight apostrophes. */
  readonly word: string;
  readonly isWord: boolean;
}

const TOKEN = /[-+]ve\b|\d+(?:\.\d+)+|[\p{L}\p{N}_]+(?:['’]\p{L}+)*|[^\s\p{L}\p{N}_]/gu;

/** Clinicians' shorthand for a test's result. */
const SIGNS: Readonly<Record<string, string>> = { '-ve': 'negative', '+ve': 'positive' };

/**
 * Words (letters, digits, decimal numbers, inner apostrophes) and single punctuation marks, in order. Hyphens and
 * slashes between words are dropped, so that "air-space" and "air space" read alike.
 */
export function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  for (const match of text.matchAll(TOKEN)) {
    const raw = match[0];
    if (raw === '-' || raw === '/' || raw === '\uFEFF') continue;
    tokens.push({
      start: match.index,
      end: match.index + raw.length,
      word: SIGNS[raw] ?? raw.toLowerCase().replace(/’/g, "'"),
      isWord: raw in SIGNS || /^[\p{L}\p{N}_]/u.test(raw),
    });
  }
  return tokens;
}
