import type OpenAI from 'openai';
import type { ProviderAccess } from './provider-access.js';

/** Package and major version, for the cache key. */
export const OPENAI_SDK = 'openai@6';

/**
 * The SDK's client, loaded when the first such model is made. Its own retries are off, ours wrap it; it logs nothing
 * (its debug log repeats bodies and headers), and takes no organisation, project or base URL from the environment.
 */
export async function openaiClient(access: ProviderAccess): Promise<OpenAI> {
  const { default: Client } = await import('openai');
  return new Client({
    apiKey: access.apiKey,
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    baseURL: access.baseUrl,
    maxRetries: 0,
    // Ours ends first and says so; it also covers the body.
    timeout: access.timeoutMs + 10_000,
    logLevel: 'off',
    ...(access.fetch === undefined ? {} : { fetch: access.fetch }),
    ...(access.withheldHeaders === undefined
      ? {}
      : { defaultHeaders: Object.fromEntries(access.withheldHeaders.map((name) => [name, null])) }),
  });
}
