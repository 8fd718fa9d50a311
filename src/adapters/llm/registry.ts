import type { Config } from '../../domain/config.js';
import { EXIT, GroundmarkError } from '../../domain/error.js';
import { apiKey } from './api-key.js';
import { anthropicModel } from './anthropic.js';
import { capabilitiesOf, readCapabilityTable, type ModelCapabilities } from './capabilities.js';
import type { ChatModel } from './chat-model.js';
import { DEFAULT_TIMEOUT_MS } from './deadline.js';
import { geminiModel } from './gemini.js';
import { parseModelId, type ModelId, type ProviderKind } from './model-id.js';
import { openaiChatModel } from './openai-chat.js';
import { openaiModel } from './openai.js';
import type { ProviderAccess } from './provider-access.js';

/** What models are made from. */
export interface ModelSources {
  readonly config: Pick<Config, 'providers'>;
  /** Environment variables: keys and base URLs. */
  readonly environment: (name: string) => string | undefined;
  readonly clock: () => Date;
  /** Longest wait for one reply, ms. */
  readonly timeoutMs?: number;
  readonly fetch?: typeof globalThis.fetch;
}

interface ProviderFacts {
  readonly baseUrl: string;
  /** As the SDK calls it: another address, unless groundmark.yaml gives one. */
  readonly baseUrlVariable: string;
  readonly keyVariables: readonly string[];
}

const PROVIDERS: Readonly<Record<Exclude<ProviderKind, 'openai-compatible'>, ProviderFacts>> = {
  openai: {
    baseUrl: 'https://api.openai.com/v1',
    baseUrlVariable: 'OPENAI_BASE_URL',
    keyVariables: ['OPENAI_API_KEY'],
  },
  anthropic: {
    baseUrl: 'https://api.anthropic.com',
    baseUrlVariable: 'ANTHROPIC_BASE_URL',
    keyVariables: ['ANTHROPIC_API_KEY'],
  },
  gemini: {
    baseUrl: 'https://generativelanguage.googleapis.com',
    baseUrlVariable: 'GOOGLE_GEMINI_BASE_URL',
    keyVariables: ['GEMINI_API_KEY', 'GOOGLE_API_KEY'],
  },
};

/**
 * A provider's model, ready to be called; its SDK is loaded here and not before.
 *
 * The base URL is `providers.<name>.baseUrl` of groundmark.yaml, else OPENAI_BASE_URL, ANTHROPIC_BASE_URL or
 * GOOGLE_GEMINI_BASE_URL, else the provider's own. The key comes from the environment or from a file that a variable
 * names; nothing is called.
 *
 * @throws {GroundmarkError} `unknown-model`, `unknown-provider`, `no-api-key`, `bad-api-key`
 */
export async function makeChatModel(id: string, sources: ModelSources): Promise<ChatModel> {
  const name = parseModelId(id);
  const access = await providerAccess(name, sources);
  switch (name.kind) {
    case 'openai':
      return openaiModel(access);
    case 'anthropic':
      return anthropicModel(access);
    case 'gemini':
      return geminiModel(access);
    case 'openai-compatible':
      return openaiChatModel(access);
  }
}

/** Where a model is reached, with its key. */
export async function providerAccess(name: ModelId, sources: ModelSources): Promise<ProviderAccess> {
  const { config, environment } = sources;
  const own = Object.hasOwn(config.providers, name.configName)
    ? config.providers[name.configName]
    : undefined;
  const facts = name.kind === 'openai-compatible' ? null : PROVIDERS[name.kind];
  const baseUrl = own?.baseUrl ?? (facts ? environment(facts.baseUrlVariable) || facts.baseUrl : undefined);
  if (baseUrl === undefined) throw unknownProvider(name, Object.keys(config.providers));
  const variables = own?.keyEnv === undefined ? (facts?.keyVariables ?? []) : [own.keyEnv];
  return {
    id: name.id,
    provider: name.provider,
    model: name.model,
    baseUrl: baseUrl.replace(/\/+$/u, ''),
    // A server of one's own may want none, but the SDK does not go without.
    apiKey: variables.length === 0 ? 'none' : await apiKey(variables, name.id, environment),
    capabilities: await modelCapabilities(name, sources),
    timeoutMs: sources.timeoutMs ?? DEFAULT_TIMEOUT_MS,
    clock: sources.clock,
    ...(sources.fetch === undefined ? {} : { fetch: sources.fetch }),
    ...(facts ? {} : { withheldHeaders: customHeaderNames(environment('OPENAI_CUSTOM_HEADERS')) }),
  };
}

/** What a model takes, by the table and then by groundmark.yaml. No key is needed for it. */
export async function modelCapabilities(
  name: ModelId,
  { config }: Pick<ModelSources, 'config'>,
): Promise<ModelCapabilities> {
  const found = capabilitiesOf(name.id, await readCapabilityTable());
  const own = Object.hasOwn(config.providers, name.configName)
    ? config.providers[name.configName]
    : undefined;
  return {
    ...found,
    ...(own?.maxImages === undefined ? {} : { maxImages: own.maxImages }),
    ...(own?.structuredOutput === undefined ? {} : { structuredOutput: own.structuredOutput }),
  };
}

/** The SDK adds these headers on its own; meant for OpenAI, they may hold a secret that no other server should get. */
function customHeaderNames(lines: string | undefined): string[] {
  return (lines ?? '').split('\n').flatMap((line) => {
    const colon = line.indexOf(':');
    return colon > 0 ? [line.slice(0, colon).trim()] : [];
  });
}

function unknownProvider({ id, configName }: ModelId, known: readonly string[]): GroundmarkError {
  return new GroundmarkError(
    'unknown-provider',
    `${id} needs the address of ${configName}, and groundmark.yaml gives none` +
      `${known.length === 0 ? '' : ` (providers there: ${known.join(', ')})`}. ` +
      `Add providers: { ${configName}: { baseUrl: "http://host/v1", keyEnv: VARIABLE } }.`,
    { model: id, provider: configName },
    { exit: EXIT.usage },
  );
}
