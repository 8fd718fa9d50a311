import { z } from 'zod';
import type { ChatModel } from '../../adapters/llm/index.js';
import { EXIT, GroundmarkError } from '../../domain/error.js';
import { record, sha256Hex } from '../../domain/record.js';
import { conditionSchema } from '../../domain/response.js';
import { sha256 } from '../../util/hash.js';

/**
 * `run.json` beside the replies of a provider's model: everything that they depend on, so that replies which were paid for
 * are only ever mixed with replies to the same questions. How many epochs there are is not in it: more can be added.
 */
export const chatRunSchema = record({
  model: z.string(),
  condition: conditionSchema,
  /** null when nothing is left to chance. */
  seed: z.number().int().nullable(),
  itemsSha256: sha256Hex,
  /** Of the key, when it decided what was shown. */
  keySha256: sha256Hex.nullable(),
  prompt: z.object({ version: z.string(), sha256: sha256Hex }),
  shuffleChoices: z.boolean(),
  maxOutputTokens: z.number().int().positive().nullable(),
  temperature: z.number().nullable(),
  /** SDK, adapter version and base URL, hashed: replies of a stand-in must not pass for the provider's. */
  via: z.string(),
});
export type ChatRunRecord = z.infer<typeof chatRunSchema>;

/** What tells one way of reaching a model from another. */
export function viaOf({ sdk, fingerprint }: Pick<ChatModel, 'sdk' | 'fingerprint'>): string {
  return sha256(JSON.stringify([sdk, fingerprint ?? null])).slice(0, 16);
}

/** What people call the fields. */
const NAMES: Readonly<Partial<Record<keyof ChatRunRecord, string>>> = {
  // Two models, or a model and a condition, may come to one folder name: `a/b-c` and `a/b/c`.
  model: 'the model',
  condition: 'the condition',
  seed: 'the seed',
  itemsSha256: 'the items',
  keySha256: 'the key',
  prompt: 'the prompt',
  shuffleChoices: '--shuffle-choices',
  maxOutputTokens: '--max-output-tokens',
  temperature: '--temperature',
  via: 'the address of the provider, or the version of its SDK',
};

/**
 * The names of what two records differ in; [] when replies may be mixed.
 *
 * @param now - its `via` may be '': not known, and not compared
 */
export function differences(before: ChatRunRecord, now: ChatRunRecord): string[] {
  const names = Object.keys(NAMES);
  return names
    .filter((name) => name !== 'via' || now.via !== '')
    .filter((name) => JSON.stringify(before[name]) !== JSON.stringify(now[name]))
    .map((name) => NAMES[name] ?? name);
}

/** @throws {GroundmarkError} always: `run-differs` */
export function refuseMixing(model: string, folder: string, differing: readonly string[]): never {
  throw new GroundmarkError(
    'run-differs',
    `${folder} holds replies of ${model} that were made otherwise: ${differing.join(', ')} differ. They are not mixed and not ` +
      `thrown away. Run as before to go on, choose another --out, or give --restart: they are then kept aside in that folder.`,
    { model, path: folder, differing: [...differing] },
    { exit: EXIT.usage },
  );
}
