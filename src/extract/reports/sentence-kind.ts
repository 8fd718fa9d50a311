import type { SectionKind } from '../../domain/finding.js';
import type { Lexicon } from './lexicon.js';
import type { Subtype } from './lexicon-schema.js';
import { findTerms, isSpecific, type Term } from './terms.js';
import type { Token } from './tokens.js';

export type SentenceSubtype = Subtype | 'title' | 'history' | 'clinical_exam';
/** Whether a sentence states what the images show, and if not, what it does; `prior`: told of an earlier study. */
export interface SentenceKind {
  readonly isFinding: boolean;
  readonly subtype: SentenceSubtype | null;
  readonly prior: boolean;
}

const OBSERVED =
  /\b(?:there (?:is|are|was|were|has been)|seen|noted|identified|present|visuali[sz]ed|demonstrat\w*|shows?|reveal\w*|unremarkable|normal|clear|patent|intact|appears?|measur\w+)\b/;

/** Whether words tell how a study was made. */
export function statesTechnique(tokens: readonly Token[], lexicon: Lexicon): boolean {
  return [...lexicon.starts.find(tokens), ...lexicon.anywhere.find(tokens)].some(({ value, from }) => {
    return value === 'technique' && (lexicon.anywhere.startsAt(tokens, from) || from === 0);
  });
}

/** Whether words tell what images show: an abnormality or normality, with a verb of seeing. */
export function statesFinding(tokens: readonly Token[], lexicon: Lexicon): boolean {
  const words = tokens.map((token) => token.word).join(' ');
  if (!OBSERVED.test(words)) return false;
  const studyTold = lexicon.imagingNouns.has(tokens) && !lexicon.outside.has(tokens);
  return lexicon.normal.has(tokens) || findTerms(tokens, lexicon).length > 0 || studyTold;
}

/**
 * @param kind - the section's
 * @param previous - the sentence before in the same section, to follow "This showed ..."; null at its start
 * @param inVignette - the section is a study told in a case vignette
 */
export function sentenceKind(
  tokens: readonly Token[],
  kind: SectionKind,
  lexicon: Lexicon,
  previous: { readonly tokens: readonly Token[]; readonly kind: SentenceKind } | null,
  inVignette = false,
): SentenceKind {
  if (kind === 'findings' || kind === 'impression') {
    if (inVignette && tokens.some((token) => PERSONAL.has(token.word)))
      return { isFinding: false, subtype: 'history', prior: false };
    return inFindings(tokens, lexicon);
  }
  const fallback = FALLBACK[kind];
  if (kind === 'technique' || kind === 'comparison') {
    const words = tokens.map((token) => token.word).join(' ');
    const observed = /\bthere (?:is|are)\b/.test(words) && findTerms(tokens, lexicon).some(isSpecific);
    return observed && !statesTechnique(tokens, lexicon)
      ? FINDING
      : { isFinding: false, subtype: fallback, prior: false };
  }
  if ((kind === 'indication' || kind === 'clinical') && tellsStudy(tokens, lexicon, previous)) {
    const goesOn = previous?.kind.prior === true && lexicon.continuations.startsAt(tokens, 0);
    return { ...FINDING, prior: kind === 'indication' || lexicon.outside.has(tokens) || goesOn };
  }
  return { isFinding: false, subtype: fallback, prior: false };
}

/** Words of the patient's story, not of an image. */
const PERSONAL = new Set(['he', 'she', 'his', 'her', 'him', 'postoperatively', 'underwent']);
const FINDING: SentenceKind = { isFinding: true, subtype: null, prior: false };
const FALLBACK: Record<SectionKind, SentenceSubtype> = {
  exam: 'title',
  indication: 'history',
  technique: 'technique',
  comparison: 'comparison',
  findings: 'pointer_or_commentary',
  impression: 'pointer_or_commentary',
  recommendation: 'recommendation',
  clinical: 'clinical_exam',
};

/** Order of trial: what most surely is no finding first. */
const ORDER: readonly Subtype[] = [
  'pointer_or_commentary',
  'admin',
  'recommendation',
  'technique',
  'limitation',
  'comparison',
];
/** Kinds whose opening words settle it, whatever the sentence goes on to name. */
const SETTLED_BY_START: readonly Subtype[] = ['pointer_or_commentary', 'admin', 'recommendation'];

function inFindings(tokens: readonly Token[], lexicon: Lexicon): SentenceKind {
  const first = tokens.findIndex((token) => token.isWord);
  if (!tokens.some((token) => /\p{L}{2}/u.test(token.word)))
    return { isFinding: false, subtype: 'admin', prior: false };
  const opening = lexicon.starts.all(tokens).flatMap((match) => (match.from === first ? [match.value] : []));
  const settled = SETTLED_BY_START.find((subtype) => opening.includes(subtype));
  if (settled !== undefined) return { isFinding: false, subtype: settled, prior: false };
  const all = [...opening, ...lexicon.anywhere.all(tokens).map((match) => match.value)];
  const subtype = ORDER.find((candidate) => all.includes(candidate));
  if (subtype === undefined) return FINDING;
  // A finding with a recommendation or a comparison is a finding (RULES F3).
  return findTerms(tokens, lexicon).some((term) => counts(term, subtype))
    ? FINDING
    : { isFinding: false, subtype, prior: false };
}

function counts(term: Term, subtype: Subtype): boolean {
  if (term.pointsBack) return false;
  if (subtype === 'limitation' || subtype === 'technique')
    return isSpecific(term) && term.polarity === 'positive';
  return isSpecific(term) || (term.polarity === 'negated' && subtype === 'comparison');
}

/** "Outside MRI revealed ...", or "This showed ..." after a sentence that named a study. */
function tellsStudy(
  tokens: readonly Token[],
  lexicon: Lexicon,
  previous: { readonly tokens: readonly Token[]; readonly kind: SentenceKind } | null,
): boolean {
  if (!findTerms(tokens, lexicon).some(isSpecific)) return false;
  if (lexicon.imagingNouns.has(tokens) && lexicon.reportingVerbs.has(tokens)) return true;
  if (previous === null || !lexicon.continuations.startsAt(tokens, 0)) return false;
  return previous.kind.isFinding || lexicon.imagingNouns.has(previous.tokens);
}
