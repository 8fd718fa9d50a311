import { run } from './places.js';
import { isSpecific, type Term } from './terms.js';
import type { Token } from './tokens.js';

/** Terms that speak of one thing; the head is the one that names it. */
export interface TermGroup {
  readonly head: Term;
  readonly from: number;
  /** End of the head's own phrase. */
  readonly to: number;
  /** Terms told as properties or interpretations of the head ("with volume loss", "compatible with pneumonia"). */
  readonly attached: readonly Term[];
}

const INTERPRETS = new Set(
  'consistent compatible representing represents represent reflecting reflects'.split(' '),
);

/**
 * The terms of one sentence as distinct things, in order.
 *
 * One noun phrase is one thing, headed by its last specific term ("calcified granuloma"). "foci of low attenuation" is
 * the low attenuation. A property joined by "with" and a reading joined by "consistent with" stay with their carrier.
 *
 * @param hasPlace - whether a place is named in, right before or behind some tokens, up to a limit: a property with a
 *   place of its own is a thing of its own, unless its carrier has none ("low attenuation with volume loss in the pons")
 */
export function groupTerms(
  tokens: readonly Token[],
  terms: readonly Term[],
  hasPlace: (span: { readonly from: number; readonly to: number }, limit: number) => boolean,
): TermGroup[] {
  const groups: { head: Term; from: number; to: number; attached: Term[] }[] = [];
  terms.forEach((term, i) => {
    const last = groups.at(-1);
    if (last === undefined) {
      groups.push({ head: term, from: term.from, to: term.to, attached: [] });
      return;
    }
    const between = tokens.slice(last.to, term.from).map((token) => token.word);
    const sameKind = term.polarity === last.head.polarity;
    if (sameKind && run(tokens, last.to, term.from)) {
      const takesHead = isSpecific(term) || !isSpecific(last.head);
      if (takesHead) last.attached.push(last.head);
      else last.attached.push(term);
      last.head = takesHead ? term : last.head;
      last.to = term.to;
    } else if (sameKind && between.length <= 3 && between[0] === 'of' && !isSpecific(last.head)) {
      last.attached.push(last.head);
      last.head = term;
      last.to = term.to;
    } else if (sameKind && between.some((word) => INTERPRETS.has(word)) && isSpecific(last.head)) {
      last.attached.push(term);
    } else if (
      sameKind &&
      isProperty(term, between) &&
      (!hasPlace(term, terms[i + 1]?.from ?? tokens.length) || !hasPlace(last, term.from))
    ) {
      last.attached.push(term);
    } else {
      groups.push({ head: term, from: term.from, to: term.to, attached: [] });
    }
  });
  return groups;
}

/** A weak term goes with the thing before it; a feature does when "with" or "and" joins it. */
function isProperty(term: Term, between: readonly string[]): boolean {
  if (!isSpecific(term)) return true;
  const unplaced = term.options.every((option) => option.generic || option.places !== null);
  const feature = term.options.some((option) => option.feature && option.places === null);
  return (
    (unplaced || feature) &&
    between.some((word) => word === 'with' || word === 'and' || word === 'containing')
  );
}
