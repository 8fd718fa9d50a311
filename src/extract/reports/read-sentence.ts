import type { Polarity } from '../../domain/finding.js';
import type { Lexicon } from './lexicon.js';
import { needsMeasurement } from './measurement.js';
import { readFindings, type ReadFinding } from './read-findings.js';
import { findScopes, type Scope } from './scope.js';
import { findTerms, type Term } from './terms.js';
import type { Token } from './tokens.js';

export interface ReadSentence {
  readonly polarity: Polarity;
  readonly prior: boolean;
  readonly visual: boolean;
  readonly needsMeasurement: boolean;
  readonly findings: readonly ReadFinding[];
}

/** What a finding sentence says (RULES "polarity" to "findings[]"). */
export function readSentence(tokens: readonly Token[], lexicon: Lexicon): ReadSentence {
  const scopes = findScopes(tokens, lexicon);
  const terms = findTerms(tokens, lexicon, scopes);
  const measured = needsMeasurement(tokens, terms, lexicon);
  const polarity = sentencePolarity(tokens, terms, scopes, measured, lexicon);
  const asserted = polarity === 'positive' || polarity === 'uncertain';
  return {
    polarity,
    prior: lexicon.prior.has(tokens),
    visual: !lexicon.notVisual.has(tokens),
    needsMeasurement: measured,
    findings: asserted ? readFindings(tokens, terms, measured, polarity, lexicon) : [],
  };
}

function sentencePolarity(
  tokens: readonly Token[],
  terms: readonly Term[],
  scopes: readonly Scope[],
  measured: boolean,
  lexicon: Lexicon,
): Polarity {
  const says = (polarity: Term['polarity']): boolean => terms.some((term) => term.polarity === polarity);
  const acts = (kind: Scope['kind']): boolean => scopes.some((scope) => scope.kind === kind);
  // "changes suggesting X" asserts nothing but X.
  const asserts = terms.some((term) => term.polarity === 'positive' && !isEmptyHead(tokens, term));
  if (asserts || (says('positive') && !says('uncertain'))) return 'positive';
  if (says('uncertain')) return 'uncertain';
  if (says('negated')) return 'negated';
  if (lexicon.normal.has(tokens) || says('normal')) return acts('negation') ? 'negated' : 'normal';
  if (acts('negation')) return 'negated';
  if (acts('uncertainty')) return 'uncertain';
  // A bare quantity ("ejection fraction 60 %") is neutral. Other unknown words describe what is not as it should be.
  return measured && lexicon.neutralQuantities.has(tokens) ? 'normal' : 'positive';
}

function isEmptyHead(tokens: readonly Token[], term: Term): boolean {
  return (
    term.to - term.from === 1 && /^(?:changes?|findings?|process|appearance)$/.test(tokens[term.from]!.word)
  );
}
