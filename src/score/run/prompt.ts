import { readDataText } from '../../adapters/store/index.js';
import { sha256 } from '../../util/hash.js';

/** Raised when `data/prompts/answer.md` changes; a test holds the two together. */
export const PROMPT_VERSION = 'answer/1';

export interface Prompt {
  readonly version: string;
  readonly sha256: string;
  readonly text: string;
}

/** The one prompt that models get, as it stands in the file: no few-shot, no variant for any model. PROTOCOL.md §3.18. */
export async function readPrompt(): Promise<Prompt> {
  const text = await readDataText('prompts/answer.md');
  return { version: PROMPT_VERSION, sha256: sha256(text), text };
}
