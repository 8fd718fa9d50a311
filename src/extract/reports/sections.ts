import type { SectionKind } from '../../domain/finding.js';
import { findHeaders, normaliseLabel, type Header } from './headers.js';
import type { Lexicon } from './lexicon.js';
import { sentenceKind, statesFinding, statesTechnique } from './sentence-kind.js';
import { findSentences } from './sentences.js';
import { findTerms, isSpecific } from './terms.js';
import { tokenize, type Token } from './tokens.js';

/** A stretch of the report under one heading. Offsets are UTF-16 units; sections tile the text. */
export interface TextSection {
  readonly label: string | null;
  readonly kind: SectionKind;
  readonly start: number;
  readonly bodyStart: number;
  readonly end: number;
  /** A study told inside a case vignette, where the story of the patient goes on below it. */
  readonly inVignette: boolean;
}

/**
 * The report's sections, in order, without gaps. Kind goes by content where a heading does not tell: a paragraph of
 * findings below TECHNIQUE or HISTORY is its own section with label null (RULES "Shape").
 */
export function findSections(text: string, lexicon: Lexicon): TextSection[] {
  const headers = findHeaders(text, lexicon);
  const vignette =
    headers.filter((header) => lexicon.vignetteLabels.has(normaliseLabel(header.label))).length >= 2;
  const sections: TextSection[] = [];
  const first = headers[0]?.start ?? text.length;
  if (text.slice(0, first).trim() !== '') {
    sections.push({
      label: null,
      kind: preambleKind(text.slice(0, first), lexicon),
      start: 0,
      bodyStart: 0,
      end: first,
      inVignette: false,
    });
  }
  let kind: SectionKind = 'exam';
  headers.forEach((header, i) => {
    kind = resolveKind(header, kind, vignette);
    const start = i === 0 && sections.length === 0 ? 0 : header.start;
    const end = headers[i + 1]?.start ?? text.length;
    sections.push({
      label: header.label,
      kind,
      start,
      bodyStart: header.bodyStart,
      end,
      inVignette: vignette,
    });
  });
  return sections.flatMap((section) => splitByContent(text, section, vignette, lexicon));
}

function resolveKind(header: Header, previous: SectionKind, vignette: boolean): SectionKind {
  const known = header.kind;
  if (known === 'exam' && vignette) return 'clinical';
  if (known === 'impression' && vignette && previous === 'clinical') return 'clinical';
  if (known === 'imaging') return 'findings';
  if (known === 'place') {
    if (vignette && previous !== 'findings') return 'clinical';
    return previous === 'impression' ? 'impression' : 'findings';
  }
  if (known !== null) return known;
  if (vignette) return 'clinical';
  return previous === 'findings' || previous === 'impression' || previous === 'clinical'
    ? previous
    : 'findings';
}

/** What the text before the first heading is: a title, a history, a technique or findings. */
function preambleKind(text: string, lexicon: Lexicon): SectionKind {
  const tokens = tokenize(text);
  const words = tokens.filter((token) => token.isWord);
  if (/\b(?:year|day|month|week)s?[- ]old\b|\baged (?:fe)?male\b|\bpatient\b|\bhistory of\b/i.test(text))
    return 'indication';
  if (words.length <= 14 && lexicon.modalities.has(tokens) && !/\b(?:is|are|was|were|shows?)\b/i.test(text))
    return 'exam';
  if (statesTechnique(tokens, lexicon)) return 'technique';
  return statesFinding(tokens, lexicon) ? 'findings' : 'indication';
}

/** Sections under which findings may start without a heading of their own. */
const MAY_HIDE_FINDINGS: readonly SectionKind[] = ['exam', 'indication', 'technique', 'comparison'];

/** As far back as a blank line before a sentence is looked for. */
const GAP_CHARACTERS = 200;

/** Cuts a section before the first paragraph (after TECHNIQUE: the first sentence) that tells of something else. */
function splitByContent(
  text: string,
  section: TextSection,
  vignette: boolean,
  lexicon: Lexicon,
): TextSection[] {
  if (vignette || !MAY_HIDE_FINDINGS.includes(section.kind)) return [section];
  const withinParagraph = section.kind === 'technique' || section.kind === 'comparison';
  for (const { start, end } of findSentences(text, section.bodyStart, section.end)) {
    const newParagraph = /\n[ \t]*\r?\n\s*$/.test(
      text.slice(Math.max(section.bodyStart, start - GAP_CHARACTERS), start),
    );
    if (start === section.bodyStart || !(newParagraph || withinParagraph)) continue;
    const tokens = tokenize(text.slice(start, end));
    const kind = kindOfRest(tokens, section.kind, newParagraph, lexicon);
    if (kind === null) continue;
    const rest = { ...section, label: null, kind, start, bodyStart: start };
    return [{ ...section, end: start }, ...splitByContent(text, rest, vignette, lexicon)];
  }
  return [section];
}

/** The kind of an unheaded rest that begins with these words; null when they go on with the section. */
function kindOfRest(
  tokens: readonly Token[],
  kind: SectionKind,
  newParagraph: boolean,
  lexicon: Lexicon,
): SectionKind | null {
  if (statesTechnique(tokens, lexicon)) return newParagraph && kind === 'indication' ? 'technique' : null;
  if (!statesFinding(tokens, lexicon)) return null;
  // Inside a paragraph only a sentence that plainly states a finding tells the two apart.
  const plain =
    sentenceKind(tokens, 'findings', lexicon, null).isFinding && findTerms(tokens, lexicon).some(isSpecific);
  return newParagraph || plain ? 'findings' : null;
}
