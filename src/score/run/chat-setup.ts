import path from 'node:path';
import type { Deps } from '../../adapters/deps.js';
import type { ModelSources } from '../../adapters/llm/index.js';
import { parseJsonl, smallFileBytes } from '../../adapters/store/index.js';
import { itemSchema, keyEntrySchema, type Item, type KeyEntry } from '../../domain/item.js';
import { sha256 } from '../../util/hash.js';
import type { RequestOptions } from './build-request.js';
import { withLimitOptions, type RunConfig } from './chat-models.js';
import { shownUnder } from './conditions.js';
import { readPrompt, type Prompt } from './prompt.js';
import type { RunModelInput } from './run-input.js';
import type { RunHashes } from './run-record.js';
import { Show } from './shown-item.js';

/** What all providers' models of a run share. */
export interface ChatSetup {
  readonly items: readonly Item[];
  readonly hashes: RunHashes;
  readonly prompt: Prompt;
  readonly config: RunConfig;
  readonly sources: ModelSources;
  readonly show: Show;
  readonly request: RequestOptions;
}

/** Items and, when the run has one, the private key. */
export interface RunFiles {
  readonly items: readonly Item[];
  readonly key: readonly KeyEntry[] | null;
  readonly hashes: RunHashes;
}

export async function readRunFiles(
  { itemsFile, keyFile }: Pick<RunModelInput, 'itemsFile' | 'keyFile'>,
  { store }: Pick<Deps, 'store'>,
): Promise<RunFiles> {
  const items = await store.read(itemsFile);
  const key = keyFile === null ? null : await store.read(keyFile);
  return {
    items: parseJsonl(items.toString('utf8'), itemSchema, itemsFile),
    key: key && parseJsonl(key.toString('utf8'), keyEntrySchema, keyFile!),
    hashes: { itemsSha256: sha256(items), keySha256: key && sha256(key) },
  };
}

const NO_CONFIG: RunConfig = { providers: {}, prices: {}, budget: { usd: 0 } };

/** @throws {GroundmarkError} `no-swap-partner`, `bad-image-path` */
export async function setUpChat(
  input: RunModelInput,
  { items, key, hashes }: RunFiles,
  ids: readonly string[],
  deps: Deps,
): Promise<ChatSetup> {
  const { condition, concurrency, requestsPerMinute, tokensPerMinute, maxOutputTokens, temperature } = input;
  const limits = { concurrency, requestsPerMinute, tokensPerMinute };
  const config = withLimitOptions(input.config ?? NO_CONFIG, ids, limits);
  const prompt = await readPrompt();
  if (shownUnder(condition).images === 'swapped' && key === null) {
    deps.log.warn(
      'There is no key, so items count as of one case only when they share an image, and modalities are not told apart.',
    );
  }
  return {
    items,
    hashes,
    prompt,
    config,
    sources: {
      config,
      environment: deps.environment,
      clock: deps.clock,
      ...(input.timeoutMs === undefined ? {} : { timeoutMs: input.timeoutMs }),
    },
    show: new Show(items, key, {
      condition,
      shuffleChoices: input.shuffleChoices === true,
      seed: deps.seed,
      folder: path.dirname(path.resolve(input.itemsFile)),
    }),
    request: {
      prompt: prompt.text,
      readFile: async (file, take) => smallFileBytes(file, take),
      ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
      ...(temperature === undefined ? {} : { temperature }),
    },
  };
}
