import type { ChatCapabilities } from './chat-model.js';

/** What an adapter needs to reach its provider. */
export interface ProviderAccess {
  /** The model's id, such as `openai/gpt-…`; in messages and logs. */
  readonly id: string;
  /** `openai`, `anthropic`, `gemini`, `openai-compatible/NAME`: what limits are shared by. */
  readonly provider: string;
  /** The model's name as the provider knows it. */
  readonly model: string;
  readonly baseUrl: string;
  /** Never in a message, a log or a file. */
  readonly apiKey: string;
  readonly capabilities: ChatCapabilities;
  readonly timeoutMs: number;
  /** Retry-After dates count from it. */
  readonly clock: () => Date;
  /** Instead of the global one. */
  readonly fetch?: typeof globalThis.fetch;
  /** Headers that the SDK would take from its own environment variable and that this provider must not get. */
  readonly withheldHeaders?: readonly string[];
}
