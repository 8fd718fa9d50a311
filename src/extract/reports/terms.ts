import type { ConceptOption, Lexicon } from './lexicon.js';
import { findScopes, scopedPolarity, type Scope } from './scope.js';
import type { Token } from './tokens.js';

/** A term of the concept lexicon in a sentence, and what the sentence says of it. `from`, `to`: token indices. */
export interface Term {
  readonly from: number;
  readonly to: number;
  readonly options: readonly ConceptOption[];
  readonly polarity: 'positive' | 'uncertain' | 'negated' | 'normal';
  /** "this mass", "the lesion": it points back to one named before. */
  readonly pointsBack: boolean;
}

const POINTERS = new Set(['this', 'these', 'that', 'those', 'the', 'its', 'such']);
/** Pointing words that never introduce a new thing; "the" may ("the small cyst in the liver"). */
const STRICT_POINTERS = new Set(['this', 'these', 'that', 'those', 'its', 'such']);
const POINTER_REACH = 3;

/** The terms of a sentence in order, each with its polarity under the sentence's cues. */
export function findTerms(
  tokens: readonly Token[],
  lexicon: Lexicon,
  scopes: readonly Scope[] = findScopes(tokens, lexicon),
): Term[] {
  return lexicon.terms.find(tokens).flatMap(({ from, to, value }) => {
    if (value === null) return [];
    return [
      {
        from,
        to,
        options: value,
        polarity: scopedPolarity(scopes, { from, to }),
        pointsBack: pointsBack(tokens, from),
      },
    ];
  });
}

/** Whether a term by itself, wherever it lies, names a concept other than the catch-all one. */
export function isSpecific(term: Term): boolean {
  return term.options.some((option) => !option.generic && option.places === null);
}

function pointsBack(tokens: readonly Token[], from: number): boolean {
  for (let i = from - 1; i >= Math.max(0, from - POINTER_REACH); i--) {
    const { word, isWord } = tokens[i]!;
    if (!isWord) return false;
    if (STRICT_POINTERS.has(word)) return true;
    if (POINTERS.has(word)) return i === from - 1;
  }
  return false;
}
