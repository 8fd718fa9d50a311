/** A piece of a request, in the order in which the model is to see it. */
export type ChatPart =
  | { readonly type: 'text'; readonly text: string }
  | {
      readonly type: 'image';
      /**
       * PNG or JPEG bytes, sent as they are. Called when the request is built, so that nothing is held before.
       *
       * @param take - may be asked once for memory of at least so many bytes, which is the caller's again after the call
       */
      readonly bytes: (take?: (length: number) => Buffer) => Promise<Uint8Array>;
      readonly mediaType: 'image/png' | 'image/jpeg';
      readonly sha256: string;
      /** Pixels. */
      readonly width: number;
      readonly height: number;
    };

/** One question to a model. */
export interface ChatRequest {
  /** Names the request in batches and logs: letters, digits, `-` and `_`, at most 64. */
  readonly key: string;
  readonly parts: readonly ChatPart[];
  /** JSON schema of the reply, within what every provider takes; absent: plain text. */
  readonly schema?: { readonly name: string; readonly schema: Readonly<Record<string, unknown>> };
  readonly maxOutputTokens?: number;
  /** Sent only when given. */
  readonly temperature?: number;
  /** Repeats of the same request are told apart by it. */
  readonly epoch: number;
}

/** Tokens of one call, as the provider counts them; `inputTokens` holds the cached ones too. */
export interface ChatUsage {
  readonly inputTokens: number;
  readonly cachedInputTokens: number;
  readonly cacheWriteTokens: number;
  readonly outputTokens: number;
  readonly reasoningTokens: number;
}

/** One image as it went out, read back from the request that was built. */
export interface SentImage {
  readonly sha256: string;
  /** Pixels, from the file's own header. */
  readonly width: number;
  readonly height: number;
  readonly bytes: number;
}

/** How a call ended, before anyone reads its text. */
export type ChatStop = 'complete' | 'truncated' | 'refused' | 'blocked';

/** One reply. A call that brought none throws {@link ChatError}. */
export interface ChatReply {
  readonly stop: ChatStop;
  /** '' when there is none. */
  readonly text: string;
  readonly usage: ChatUsage | null;
  /** The model's name as the provider gives it back. */
  readonly servedModel: string | null;
  readonly providerRequestId: string | null;
  /** The provider's own reason for a stop other than `complete`, such as `max_output_tokens`; never free text. */
  readonly stopDetail: string | null;
  /** The images that the request held, in their order; absent only in replies that no adapter built. */
  readonly sent?: readonly SentImage[];
  /** The reply came from the response cache: nothing was sent or paid. */
  readonly fromCache?: boolean;
  /** Calls that this reply took, retries included. */
  readonly attempts?: number;
  /** US dollars of this call by the price table; null: the model has no price there. Set by the budget. */
  readonly usd?: number | null;
}

/** A call without a reply. */
export class ChatError extends Error {
  override readonly name = 'ChatError';
  constructor(
    /** `rate-limit`, `server`, `timeout`, `connection`, `bad-reply` may be tried again; the others may not. */
    readonly kind:
      | 'rate-limit'
      | 'server'
      | 'timeout'
      | 'connection'
      | 'bad-reply'
      | 'auth'
      | 'bad-request'
      | 'no-such-model'
      | 'aborted',
    message: string,
    readonly detail: {
      readonly status?: number;
      readonly retryAfterMs?: number;
      /** The request never left: nothing can have been charged for it. */
      readonly unsent?: boolean;
    } = {},
    options?: ErrorOptions,
  ) {
    super(message, options);
  }

  get retryable(): boolean {
    return ['rate-limit', 'server', 'timeout', 'connection', 'bad-reply'].includes(this.kind);
  }
}

/** What a model can take; checked before the first call. null: not known. */
export interface ChatCapabilities {
  readonly maxImages: number | null;
  readonly maxImageBytes: number | null;
  readonly maxImagePixels: number | null;
  readonly maxRequestBytes: number | null;
  readonly structuredOutput: boolean;
  readonly temperature: boolean;
  readonly batch: boolean;
}

/** How a call is ended early. */
export interface CallOptions {
  /** Ends the call at once. */
  readonly signal: AbortSignal;
  /** Lets a call that is under way end, and one that still waits (for its turn, before a try again) not begin. */
  readonly stop?: AbortSignal;
}

/** A model behind one interface. Adapters only translate; caching, retries, limits and budget are wrapped around it. */
export interface ChatModel {
  /** `openai/gpt-…`, `anthropic/…`, `gemini/…`, `openai-compatible/NAME/…`, `scripted/…`. */
  readonly id: string;
  readonly provider: string;
  readonly capabilities: ChatCapabilities;
  /** Goes into the cache key: package name and major version of the SDK. */
  readonly sdk: string;
  /** What else tells replies apart and goes into the cache key: adapter version, base URL, fixed settings. Never a key. */
  readonly fingerprint?: string;
  /** @throws {ChatError} */
  chat(request: ChatRequest, options: CallOptions): Promise<ChatReply>;
}
