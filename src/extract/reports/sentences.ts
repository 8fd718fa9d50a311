/** A stretch of text, in UTF-16 units, end exclusive. */
export interface TextSpan {
  readonly start: number;
  readonly end: number;
}

/** Titles and Latin abbreviations whose full stop ends no sentence (RULES S2). */
const ABBREVIATION = /(?:^|[\s(])(?:Drs?|Mrs?|Ms|Prof|St|vs|approx|e\.g|i\.e|cf|ca|incl)\.$/i;
const NUMBER_WORD = /(?:^|[\s(])(?:No|Nos|Fig|Ser|Im|Img)\.$/;
/** A person's initial: a single capital after a title or another initial. */
const INITIAL = /(?:Drs?\.|Mrs?\.|Ms\.|[A-Z]\.)\s*[A-Z]\.$/;
/** "1.", "2)", "(3)", "- ", "• ": outside the sentence (RULES S3). A decimal point is no enumerator. */
const ENUMERATOR = /^(?:\(?\d{1,2}[.)](?![\d])[ \t]*|\([a-z]\)[ \t]*|[a-z]\)[ \t]+|[-–*•·][ \t]+)/;
/** "3." before a heading of its own. */
const LONE_ENUMERATOR = /^\(?\d{1,2}[.)]$/;
/** A line that breaks off at one of these goes on (RULES S4). */
const UNFINISHED =
  /(?:,|\b(?:a|an|the|and|or|of|in|on|at|to|with|without|within|from|for|by|no|is|are|as|than|measuring|which|that))$/i;
/** Longest line of a text that someone wrapped; beyond it a line is a paragraph. */
const WRAP_LIMIT = 130;
/** A shorter line than this was ended on purpose. */
const WRAPPED_LINE = 45;

/**
 * Sentence spans of one section's body, in order, trimmed (RULES S1-S5).
 *
 * @param from - UTF-16 offset of the body
 * @param to - its end
 */
export function findSentences(text: string, from: number, to: number): TextSpan[] {
  const spans: TextSpan[] = [];
  const width = wrapWidth(text);
  let start = skip(text, from, to);
  while (start < to) {
    const end = sentenceEnd(text, start, to, width);
    const trimmed = trimEnd(text, start, end);
    const sentence = text.slice(start, trimmed);
    if (/[\p{L}\p{N}]/u.test(sentence) && !LONE_ENUMERATOR.test(sentence))
      spans.push({ start, end: trimmed });
    start = skip(text, Math.max(end, start + 1), to);
  }
  return spans;
}

/** Past white space and enumerators. */
function skip(text: string, from: number, to: number): number {
  let at = from;
  for (;;) {
    while (at < to && /[\s\uFEFF]/.test(text[at]!)) at++;
    const enumerator = ENUMERATOR.exec(text.slice(at, Math.min(to, at + 8)));
    if (enumerator === null || at + enumerator[0].length >= to) return at;
    at += enumerator[0].length;
  }
}

function sentenceEnd(text: string, start: number, to: number, width: number | null): number {
  for (let i = start; i < to; i++) {
    const char = text[i]!;
    if (char === '\n' || char === '\r') {
      if (!joinsNextLine(text, start, i, to, width)) return i;
      continue;
    }
    if (char !== '.' && char !== '?' && char !== '!') continue;
    const after = /^["”')\]]*/.exec(text.slice(i + 1, Math.min(to, i + 5)))![0].length;
    const end = i + 1 + after;
    const rest = text.slice(end, to);
    const gap = /^[ \t]+/.exec(rest)?.[0].length ?? 0;
    if (gap === 0) continue;
    const next = rest[gap];
    if (next === undefined || next === '\n' || next === '\r') continue;
    if (!/[\p{Lu}\p{N}(["“]/u.test(next)) continue;
    const upTo = text.slice(start, i + 1);
    if (ABBREVIATION.test(upTo) || INITIAL.test(upTo)) continue;
    if (NUMBER_WORD.test(upTo) && /\d/.test(next)) continue;
    return end;
  }
  return to;
}

/** Whether a line break lies inside a clause. */
function joinsNextLine(
  text: string,
  start: number,
  lineBreak: number,
  to: number,
  width: number | null,
): boolean {
  const line = text.slice(start, lineBreak).trimEnd();
  const gap = /^\s*/.exec(text.slice(lineBreak, to))![0];
  const next = text.slice(lineBreak + gap.length, to);
  if (next === '' || /[.?!:;]["”')\]]*$/.test(line)) return false;
  if (ENUMERATOR.test(next.slice(0, 8))) return false;
  if (/^[\p{Ll}]/u.test(next) || UNFINISHED.test(line)) return true;
  if (width === null || (gap.match(/\n/g) ?? []).length > 1) return false;
  // Wrapped at the text's width: the next word would not have fitted.
  const length = text.slice(text.lastIndexOf('\n', lineBreak - 1) + 1, lineBreak).trimEnd().length;
  const word = /^\S+/.exec(next)![0].length;
  return length >= WRAPPED_LINE && length + 1 + word > width;
}

/** Length of the longest line of a wrapped text; null when lines are whole paragraphs. */
function wrapWidth(text: string): number | null {
  const longest = text.split('\n').reduce((max, line) => Math.max(max, line.trimEnd().length), 0);
  return longest <= WRAP_LIMIT ? longest : null;
}

function trimEnd(text: string, start: number, end: number): number {
  let at = end;
  while (at > start && /[\s\uFEFF]/.test(text[at - 1]!)) at--;
  return at;
}
