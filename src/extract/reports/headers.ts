import type { SectionKind } from '../../domain/finding.js';
import type { Lexicon } from './lexicon.js';
import { tokenize } from './tokens.js';

/** A heading found in a report. Offsets are UTF-16 units. */
export interface Header {
  readonly label: string;
  readonly start: number;
  readonly bodyStart: number;
  /** Kind by the lexicon; `place` and `imaging` are parts of the findings; null when only its capitals say heading. */
  readonly kind: SectionKind | 'place' | 'imaging' | null;
}

/** Spinal levels as a heading: "L4-5", "C7-T1, T1-2", "T12-L1". */
const LEVEL =
  /^[CTLS]\d{1,2}(?:\s*[-/]\s*[CTLS]?\d{1,2})?(?:(?:,\s*|\s+)(?:and\s+)?[CTLS]?\d{1,2}(?:\s*[-/]\s*[CTLS]?\d{1,2})?)*$/i;
/** A heading with a colon, at a line's start or after a sentence's end. */
const WITH_COLON =
  /(?<=^|\n|[.?!):]["”)]?)([ \t\uFEFF]*)(?!\d{1,2}[.)]\s)([A-Z0-9](?:[^:\n?!;.]|\.(?!\s)){0,70}?)[ \t]*:(?=\s|$|[A-Z])/g;
const MAX_WORDS = 9;

/**
 * Headings in order: with a colon anywhere, or alone on a line in words of the lexicon.
 *
 * A heading is known to the lexicon, all capitals, a spinal level, a place ("Liver:", at a line's start) or an imaging
 * study ("MRI C-spine, 12/1/92:", at a line's start).
 */
export function findHeaders(text: string, lexicon: Lexicon): Header[] {
  const found: Header[] = [];
  for (const match of text.matchAll(WITH_COLON)) {
    const label = match[2]!.trim();
    const start = match.index + match[1]!.length;
    const atLineStart = match.index === 0 || text[match.index - 1] === '\n';
    // A sentence's end must be followed by a space; "12/8/92:" inside one is no heading.
    if (!atLineStart && match[1] === '') continue;
    const kind = labelKind(label, atLineStart, lexicon);
    // Right behind another heading only a known one: "FINDINGS: MRI orbits:", but not "MRN: P123 DATE:".
    if (kind === undefined || (kind === null && text[match.index - 1] === ':')) continue;
    found.push({ label, start, bodyStart: afterSpaces(text, match.index + match[0].length), kind });
  }
  for (const match of text.matchAll(
    /(?:^|\n)([ \t\uFEFF]*)([A-Z][A-Za-z /&]{2,60}?)[ \t]*(?:[-–][ \t]+|(?=\r?\n|$))/g,
  )) {
    const label = match[2]!.trim();
    const kind = lexicon.sectionKinds.get(normaliseLabel(label));
    if (kind === undefined) continue;
    const start = match.index + match[0].indexOf(match[2]!);
    // A dash alone makes a heading only of one in capitals ("IMPRESSION - ..."), not of a word such as "Other - ...".
    if (/[-–]\s*$/.test(match[0]) && label !== label.toUpperCase()) continue;
    found.push({ label, start, bodyStart: match.index + match[0].length, kind });
  }
  found.sort((a, b) => a.start - b.start);
  return found.filter((header, i) => i === 0 || header.start >= found[i - 1]!.bodyStart);
}

export function normaliseLabel(label: string): string {
  return label.toLowerCase().replace(/\s+/g, ' ').trim();
}

function labelKind(label: string, atLineStart: boolean, lexicon: Lexicon): Header['kind'] | undefined {
  const known = lexicon.sectionKinds.get(normaliseLabel(label));
  const allCaps = /[A-Z]{2}/.test(label) && !/[a-z]/.test(label.replace(/\([^)]*\)/g, ''));
  const tokens = tokenize(label).filter((token) => token.isWord);
  if (known !== undefined) return atLineStart || allCaps || /^[A-Z]/.test(label) ? known : undefined;
  if (tokens.length > MAX_WORDS || /\.\s/.test(label)) return undefined;
  if (LEVEL.test(label)) return 'place';
  if (allCaps && !/^\d/.test(label)) {
    if (lexicon.imagingLabels.has(tokens)) return 'imaging';
    return lexicon.places.has(tokens) ? 'place' : null;
  }
  if (!atLineStart)
    return lexicon.imagingLabels.startsAt(tokens, 0) && tokens.length <= 7 ? 'imaging' : undefined;
  if (tokens.length <= 7 && lexicon.imagingLabels.startsAt(tokens, 0)) return 'imaging';
  const place = lexicon.places.find(tokens);
  const covered = place.reduce((sum, match) => sum + match.to - match.from, 0);
  return tokens.length <= 5 && covered > 0 && covered >= tokens.length - 2 ? 'place' : undefined;
}

function afterSpaces(text: string, at: number): number {
  let end = at;
  while (text[end] === ' ' || text[end] === '\t') end++;
  return end;
}
