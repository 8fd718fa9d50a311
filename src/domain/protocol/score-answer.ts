import type { Letter } from '../item.js';

/**
 * Whether a response's letter is the key's. Trimmed and compared without case, as image ids are; nothing more is
 * forgiven: `B.` or `(B)` is not a letter, and no letter is read out of a sentence.
 */
export function scoreAnswer(answer: string | null, key: Letter): boolean {
  return answer !== null && answer.trim().toUpperCase() === key;
}
