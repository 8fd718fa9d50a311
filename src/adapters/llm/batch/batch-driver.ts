import type { ChatReply, ChatRequest, SentImage } from '../chat-model.js';
import type { ProviderAccess } from '../provider-access.js';

/** A request in the provider's form. */
export interface BatchEntry {
  readonly key: string;
  /** One line of JSONL, without its line feed. */
  readonly line: string;
  /** Bytes of the line in UTF-8. */
  readonly bytes: number;
  readonly sent: readonly SentImage[];
}

/** What one end says; a thrown {@link ChatError} is an end too. */
export interface RawResult {
  readonly key: string;
  /** @throws {ChatError} */
  readonly read: () => ChatReply;
}

export interface PartStatus {
  readonly ended: boolean;
  readonly finished: number | null;
}

/** What differs between providers. The rest is in make-batch.ts. */
export interface BatchDriver {
  readonly access: ProviderAccess;
  readonly sdk: string;
  readonly fingerprint: string;
  /** Most requests and bytes of one batch. */
  readonly limits: { readonly requests: number; readonly bytes: number };
  entry(request: ChatRequest): Promise<BatchEntry>;
  /** @returns the provider's name for the batch */
  create(entries: readonly BatchEntry[], signal: AbortSignal): Promise<string>;
  status(id: string, signal: AbortSignal): Promise<PartStatus>;
  /** Results of a batch that has ended. */
  results(id: string, keys: readonly string[], signal: AbortSignal): AsyncIterable<RawResult>;
  cancel(id: string, signal: AbortSignal): Promise<void>;
}
