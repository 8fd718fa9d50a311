import { SCHEMA_VERSION } from '../../domain/record.js';
import type { ChatRunRecord } from './chat-run-record.js';
import { shownUnder } from './conditions.js';
import type { Prompt } from './prompt.js';
import type { RunModelInput } from './run-input.js';

/** Hashes of what a run reads. */
export interface RunHashes {
  readonly itemsSha256: string;
  /** null: no key. */
  readonly keySha256: string | null;
}

/** `run.json` of a provider's model. Seed and key are in it only when something shown follows from them. */
export function chatRunRecord(
  model: string,
  via: string,
  input: RunModelInput,
  hashes: RunHashes,
  prompt: Prompt,
  seed: number,
): ChatRunRecord {
  const swapped = shownUnder(input.condition).images === 'swapped';
  const shuffleChoices = input.shuffleChoices === true;
  return {
    schemaVersion: SCHEMA_VERSION,
    model,
    condition: input.condition,
    seed: swapped || shuffleChoices ? seed : null,
    itemsSha256: hashes.itemsSha256,
    keySha256: swapped ? hashes.keySha256 : null,
    prompt: { version: prompt.version, sha256: prompt.sha256 },
    shuffleChoices,
    maxOutputTokens: input.maxOutputTokens ?? null,
    temperature: input.temperature ?? null,
    via,
  };
}
