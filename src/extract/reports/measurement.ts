import type { Lexicon } from './lexicon.js';
import type { Term } from './terms.js';
import type { Token } from './tokens.js';

const NUMBER = /^\d+(?:\.\d+)?(?:mm|cm)?$/;
/** What may stand in a sentence of size alone besides its subject. */
const SIZE_WORDS = new Set(
  (
    'the it this these they a an is are was measures measure measuring measured approximately about roughly up to at ' +
    'least in of by x mm cm ml cc and diameter size dimension dimensions maximum maximal greatest transverse ap long ' +
    'short axis plane craniocaudal craniocaudad cranio caudal anteroposterior largest smallest larger now currently which ' +
    'with has have each one on image series axial coronal sagittal'
  ).split(' '),
);

/**
 * Whether the sentence's claim is a number or a threshold alone (RULES M1): a size sentence ("It measures 6 x 2 cm"),
 * a borderline state, a score or span. A visible thing that also has a size is none (M2).
 */
export function needsMeasurement(
  tokens: readonly Token[],
  terms: readonly Term[],
  lexicon: Lexicon,
): boolean {
  const hasNumber = tokens.some((token) => NUMBER.test(token.word));
  const onlyQuantities = terms.every((term) => term.pointsBack || isQuantity(tokens, term, lexicon));
  if (hasNumber && lexicon.quantities.has(tokens) && onlyQuantities) return true;
  if (hasNumber && tokens.some((token) => /^measur/.test(token.word)) && isSizeOnly(tokens)) return true;
  return isBorderline(tokens, terms, lexicon);
}

/** Every asserted thing is a borderline one. */
function isBorderline(tokens: readonly Token[], terms: readonly Term[], lexicon: Lexicon): boolean {
  const asserted = terms.filter((term) => term.polarity === 'positive' || term.polarity === 'uncertain');
  const borderline = lexicon.borderline.find(tokens);
  return (
    asserted.length > 0 &&
    asserted.every((term) => borderline.some((match) => match.to <= term.from && term.from - match.to <= 3))
  );
}

/** A thing known before ("It", "The left upper lobe mass"), a verb of measuring, and nothing but numbers after it. */
function isSizeOnly(tokens: readonly Token[]): boolean {
  const verb = tokens.findIndex((token) => /^measur/.test(token.word));
  // "A nodule ... measures" brings a new thing; "The kidney shows a cyst that measures" does too.
  if (!DEFINITE.has(tokens[0]?.word ?? '')) return false;
  if (tokens.slice(0, verb).some((token) => !token.isWord || VERBS.has(token.word))) return false;
  const rest = tokens
    .slice(verb)
    .filter((token) => token.isWord && !SIZE_WORDS.has(token.word) && !NUMBER.test(token.word));
  return rest.length <= 2;
}

const DEFINITE = new Set('the it this these they largest smallest'.split(' '));
const VERBS = new Set(
  'is are was were shows demonstrates contains has have which that there and with'.split(' '),
);

function isQuantity(tokens: readonly Token[], term: Term, lexicon: Lexicon): boolean {
  return lexicon.quantities
    .find(tokens)
    .some((match) => term.from < match.to + 1 && term.to > match.from - 1);
}
