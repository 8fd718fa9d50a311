import type { RawImage } from './images.js';
import type { Rejected } from './rejected.js';
import type { Provider } from './types.js';

/** A request as every protocol means it. */
export interface ModelRequest {
  readonly model: string;
  readonly parts: readonly (string | RawImage)[];
  readonly notes: readonly string[];
}

/** How the model ended. */
export type Ending =
  | { readonly kind: 'complete' | 'truncation' | 'refusal'; readonly text: string }
  | { readonly kind: 'blocked'; readonly text: '' };

export interface Tokens {
  readonly input: number;
  readonly output: number;
}

export interface HttpReply {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What differs between the providers' calls. */
export interface Protocol {
  readonly provider: Provider;
  /** @param model - from the path, where the protocol has it there @throws {Rejected} */
  readonly read: (body: unknown, model: string) => ModelRequest;
  /** The reply; a block can be an error. @param id - the same for the same question */
  readonly reply: (ending: Ending, request: ModelRequest, tokens: Tokens, id: string) => HttpReply;
  readonly rejection: (rejected: Rejected) => HttpReply;
  readonly rateLimit: () => HttpReply;
  readonly serverError: (overloaded: boolean) => HttpReply;
}
