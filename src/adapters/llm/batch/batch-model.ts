import type { ChatError, ChatModel, ChatReply, ChatRequest, SentImage } from '../chat-model.js';

/** One batch of a provider: a share of the requests that were handed in. Plain JSON. */
export interface BatchPart {
  /** The provider's name for it. */
  readonly id: string;
  /** Keys of its requests, in the order in which they were sent. */
  readonly keys: readonly string[];
}

/** What a restart needs to go on: plain JSON, no key and no text in it. */
export interface BatchHandle {
  /** The model's id. */
  readonly model: string;
  readonly parts: readonly BatchPart[];
  /** The images of each request as they were sent, by request key. */
  readonly sent: Readonly<Record<string, readonly SentImage[]>>;
}

export interface BatchStatus {
  /** `ended`: every part has; results of parts that have ended can be read before. */
  readonly state: 'running' | 'ended';
  readonly counts: {
    readonly total: number;
    /** Finished, well or not; null where the provider does not say before the end. */
    readonly finished: number | null;
  };
}

/** One request's end. An error that may be tried again (an expired entry is one) was not paid for. */
export type BatchResult =
  { readonly key: string; readonly reply: ChatReply } | { readonly key: string; readonly error: ChatError };

export interface SubmitOptions {
  readonly signal: AbortSignal;
  /**
   * Told the handle so far after each part that the provider took: kept by the caller, a kill in the middle loses no
   * part. Awaited before the next part goes out.
   */
  readonly onPart?: (handle: BatchHandle) => Promise<void> | void;
}

/** A provider's batches behind one interface. Cheaper, within a day, and in any order. */
export interface BatchModel extends Pick<
  ChatModel,
  'id' | 'provider' | 'capabilities' | 'sdk' | 'fingerprint'
> {
  /**
   * Hands requests in, as many batches as the provider's limits ask for. `custom_id` is the request's key.
   *
   * @throws {ChatError} for a part that was not taken; those before it run
   */
  submit(requests: readonly ChatRequest[], options: SubmitOptions): Promise<BatchHandle>;
  poll(handle: BatchHandle, options: { readonly signal: AbortSignal }): Promise<BatchStatus>;
  /**
   * Ends of the requests in parts that have ended, each once, in whatever order they come. What such a part has no
   * result for comes as an error that may be tried again.
   *
   * @throws {ChatError} when results cannot be read to their end: ask again
   */
  results(handle: BatchHandle, options: { readonly signal: AbortSignal }): AsyncIterable<BatchResult>;
  /** Asks the provider to stop what has not begun; what is done stays and can be read. */
  cancel(handle: BatchHandle, options: { readonly signal: AbortSignal }): Promise<void>;
}
