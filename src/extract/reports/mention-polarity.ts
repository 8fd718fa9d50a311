import type { Mention } from '../../domain/finding.js';
import type { Lexicon } from './lexicon.js';
import { findScopes, scopedPolarity } from './scope.js';
import { tokenize, type Token } from './tokens.js';

/**
 * Whether a sentence says that a concept is there, may be there, or is not.
 *
 * The concept is looked for word by word; an occurrence written in capitals, as annotators mark it, goes before one
 * that is not. When the concept is not in the sentence, only its first words are judged.
 */
export function mentionPolarity(sentence: string, concept: string, lexicon: Lexicon): Mention['polarity'] {
  const tokens = tokenize(sentence);
  const mention = locate(sentence, tokens, concept);
  if (mention === null) return lexicon.negationBefore.startsAt(tokens, 0) ? 'negated' : 'positive';
  if (lexicon.negationBefore.startsAt(tokens, mention.from)) return 'negated';
  const polarity = scopedPolarity(findScopes(tokens, lexicon, mention), mention);
  return polarity === 'normal' ? 'positive' : polarity;
}

function locate(
  sentence: string,
  tokens: readonly Token[],
  concept: string,
): { from: number; to: number } | null {
  const words = tokenize(concept).map((token) => token.word);
  if (words.length === 0) return null;
  let first: { from: number; to: number } | null = null;
  for (let from = 0; from + words.length <= tokens.length; from++) {
    if (!words.every((word, i) => tokens[from + i]!.word === word)) continue;
    const found = { from, to: from + words.length };
    const raw = sentence.slice(tokens[from]!.start, tokens[found.to - 1]!.end);
    if (raw === raw.toUpperCase() && raw !== raw.toLowerCase()) return found;
    first ??= found;
  }
  return first;
}
