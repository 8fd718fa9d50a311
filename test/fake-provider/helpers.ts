import { afterEach } from 'vitest';
import { makeChatModel, type ChatModel } from '../../src/adapters/llm/index.js';
import {
  startFakeProvider,
  type FakeProvider,
  type FakeProviderOptions,
} from '../../src/fake-provider/index.js';

/** No provider would take it; the stand-in wants some key. */
export const FAKE_KEY = 'sk-stand-in-0123456789';

const running: FakeProvider[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((fake) => fake.close()));
});

/** A stand-in that ends with the test. */
export async function fakeProvider(options: FakeProviderOptions = {}): Promise<FakeProvider> {
  const fake = await startFakeProvider(options);
  running.push(fake);
  return fake;
}

/** What the environment must hold for the real SDKs to talk to a stand-in. */
export function environmentOf({ urls }: FakeProvider): Record<string, string> {
  return {
    OPENAI_BASE_URL: urls.openai,
    OPENAI_API_KEY: FAKE_KEY,
    ANTHROPIC_BASE_URL: urls.anthropic,
    ANTHROPIC_API_KEY: FAKE_KEY,
    GOOGLE_GEMINI_BASE_URL: urls.gemini,
    GEMINI_API_KEY: FAKE_KEY,
  };
}

/** Where models of a stand-in are made from. */
export function sourcesOf(fake: FakeProvider) {
  const environment = environmentOf(fake);
  return {
    config: { providers: { local: { baseUrl: fake.urls.openai, keyEnv: 'OPENAI_API_KEY' } } },
    environment: (name: string) => environment[name],
    clock: () => new Date('2026-01-02T03:04:05Z'),
    timeoutMs: 1000,
  };
}

/** One model of each protocol. */
export const MODELS = [
  'openai/gpt-5-mini',
  'openai-compatible/local/some-model',
  'anthropic/claude-sonnet-4-6',
  'gemini/gemini-2.5-flash',
] as const;

/** A real SDK behind our adapter, talking to a stand-in. */
export function realModel(fake: FakeProvider, id: string): Promise<ChatModel> {
  return makeChatModel(id, sourcesOf(fake));
}
