import { distance } from 'fastest-levenshtein';

/** Length in Unicode code points, not UTF-16 units. */
export function codePointLength(text: string): number {
  let n = 0;
  for (const _ of text) n++;
  return n;
}

/** `text` between two code-point offsets, end exclusive. */
export function sliceCodePoints(text: string, start: number, end: number): string {
  return [...text].slice(start, end).join('');
}

/** Maximal runs of non-whitespace. */
export function words(text: string): string[] {
  return text.split(/\s+/u).filter((word) => word !== '');
}

/** Trimmed, inner whitespace runs as one space, lower case. AUDIT-METRICS: "normalised". */
export function normalise(text: string): string {
  return text.trim().replace(/\s+/gu, ' ').toLowerCase();
}

/** Lower-cased maximal runs of letters, digits and underscores. AUDIT-METRICS: "tokens". */
export function tokens(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];
}

/** A text that a terminal shows as one line: control characters, which could move its cursor, as `�`. */
export function oneLine(text: string): string {
  return text.replace(/\p{Cc}/gu, '\uFFFD');
}

/** `1 call`, `2 calls`. @param noun - one that takes an `s` */
export function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** The known name nearest to a misspelt one by Levenshtein distance, or null when none is near. */
export function nearest(name: string, known: readonly string[]): string | null {
  let best: string | null = null;
  let bestDistance = Math.max(2, Math.floor(name.length / 2)) + 1;
  for (const candidate of known) {
    const edits = distance(name.toLowerCase(), candidate.toLowerCase());
    if (edits < bestDistance) {
      best = candidate;
      bestDistance = edits;
    }
  }
  return best;
}

/** Whether a text can be used as a regular expression (flags `iu`). */
export function isRegularExpression(text: string): boolean {
  try {
    new RegExp(text, 'iu');
    return true;
  } catch {
    return false;
  }
}
