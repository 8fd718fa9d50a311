/** The protocols that the stand-in speaks. */
export type Provider = 'openai' | 'openai-chat' | 'anthropic' | 'gemini';

/** An image as it came in. */
export interface SeenImage {
  /** Of the decoded bytes. */
  readonly sha256: string;
  readonly mediaType: string;
  /** Pixels. */
  readonly width: number;
  readonly height: number;
  readonly bytes: number;
  /** The text part right before the image, trimmed; null when there is none. */
  readonly label: string | null;
}

/** One request to a model, whatever its protocol. */
export interface FakeQuestion {
  /** The first 24 hexadecimal digits of a SHA-256 over all texts and images in order: the same question, the same key. */
  readonly key: string;
  /** How often this key was asked before. */
  readonly call: number;
  readonly provider: Provider;
  readonly model: string;
  readonly texts: readonly string[];
  readonly images: readonly SeenImage[];
  /** Letters of the choices, from lines such as `B. upper lobe`. */
  readonly letters: readonly string[];
  /** Ids of the images, from labels such as `Image img03:`. */
  readonly imageIds: readonly string[];
}

/** Ends of a call without a reply, or of one that takes its time. */
export const TRANSPORT_FAULTS = [
  'rate-limit',
  'server-error',
  'overloaded',
  'hang',
  'cut',
  'empty',
  'bad-body',
  'trickle',
] as const;
/** Replies that a scorer must not take for an answer, or must read with care. */
export const REPLY_FAULTS = [
  'refusal',
  'truncation',
  'blocked',
  'malformed',
  'wrong-ids',
  'five-ids',
  'no-ids',
  'lower-case',
  'prose',
  'fenced',
  'duplicate-ids',
] as const;
export const FAULTS = [...TRANSPORT_FAULTS, ...REPLY_FAULTS] as const;
export type FaultKind = (typeof FAULTS)[number];

/** What is to go wrong with a call. */
export interface Fault {
  readonly kind: FaultKind;
  /** With `rate-limit`: what Retry-After says, seconds. */
  readonly retryAfterSeconds?: number;
}

/** How a call ended, as the server saw it. `gone`: the client left before it had its reply. */
export type CallEnd = 'answered' | 'rejected' | 'failed' | 'cut' | 'hung' | 'gone';

/** One request to a model, for tests to look at. It holds hashes and labels, and no text of the question. */
export interface SeenCall {
  readonly provider: Provider;
  readonly model: string;
  /** null when the request was no valid one. */
  readonly key: string | null;
  /** From the start of the server, ms. */
  readonly startMs: number;
  /** null while it lasts. */
  readonly endMs: number | null;
  readonly end: CallEnd | null;
  /** HTTP status; null when none was sent. */
  readonly status: number | null;
  readonly fault: FaultKind | null;
  readonly images: readonly SeenImage[];
  /** It came inside a batch, under this custom id. */
  readonly batchKey: string | null;
  /** What is allowed but unwise: content that the provider may keep, images that it may scale down. */
  readonly notes: readonly string[];
}

export interface FakeProviderOptions {
  /** 0: any free one. */
  readonly port?: number;
  /** Before each reply, ms. */
  readonly latencyMs?: number;
  readonly seed?: number;
  /** The text of the reply. Absent: a letter and one or two image ids by seed and question. */
  readonly answer?: (question: FakeQuestion) => string;
  readonly faults?: (question: FakeQuestion) => Fault | null;
  /** `header`: type, size and base64 only, which is faster than decoding every image (the default). */
  readonly imageCheck?: 'decode' | 'header';
  /** Status requests that a batch still runs at. Default 1. */
  readonly batchPolls?: number;
  /** Told of each call when it ends. */
  readonly onCall?: (call: SeenCall) => void;
}

export interface FakeProvider {
  readonly url: string;
  /** Base URLs for the SDKs, and for `providers.<name>.baseUrl`. */
  readonly urls: { readonly openai: string; readonly anthropic: string; readonly gemini: string };
  /** Every call so far, in the order of their start. */
  calls(): readonly SeenCall[];
  /** Calls that got a whole reply, by key. */
  answered(): ReadonlyMap<string, number>;
  close(): Promise<void>;
}
