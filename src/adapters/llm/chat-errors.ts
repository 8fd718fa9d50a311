import { ChatError } from './chat-model.js';

type Kind = ChatError['kind'];

/** What is known of a failed call and may be told: no text of the provider's, which can repeat prompt or key. */
export interface FailureFacts {
  /** The model's id, such as `openai/gpt-…`. */
  readonly model: string;
  readonly status?: number | undefined;
  /** The provider's error codes, most telling first; what does not look like a code is left out. */
  readonly codes?: readonly unknown[];
  readonly retryAfterMs?: number | undefined;
}

/** Codes that say more than their status does. */
const KIND_OF_CODE: Readonly<Record<string, Kind>> = {
  // OpenAI answers 429 when the account has no credit left: waiting does not help.
  insufficient_quota: 'auth',
  billing_hard_limit_reached: 'auth',
  billing_error: 'auth',
  invalid_api_key: 'auth',
  API_KEY_INVALID: 'auth',
  authentication_error: 'auth',
  permission_error: 'auth',
  model_not_found: 'no-such-model',
  not_found_error: 'no-such-model',
  rate_limit_exceeded: 'rate-limit',
  rate_limit_error: 'rate-limit',
  overloaded_error: 'server',
  api_error: 'server',
  server_error: 'server',
  timeout_error: 'timeout',
  invalid_request_error: 'bad-request',
  // A batch that would put more tokens into the queue than the account may have there.
  token_limit_exceeded: 'rate-limit',
};

const REMEDY: Readonly<Record<Kind, string>> = {
  'rate-limit': 'Lower requestsPerMinute or concurrency of the provider in groundmark.yaml.',
  server: 'Try again later.',
  timeout: 'Try again, or allow more time.',
  connection: 'Check the network and the base URL.',
  'bad-reply': 'Check that the base URL is that of the provider.',
  auth: "Check the provider's API key, its rights and the account's credit.",
  'bad-request': 'The provider takes no such request: check what the model accepts.',
  'no-such-model':
    "Check the model's name, whether the account may use it, and the base URL where one is set.",
  aborted: '',
};

/** Status and codes of a failed call as a {@link ChatError}; its message is made of them alone. */
export function failedCall(facts: FailureFacts): ChatError {
  const codes = (facts.codes ?? []).filter(isCode);
  const kind = kindOf(facts.status, codes);
  const parts = [...(facts.status === undefined ? [] : [`HTTP ${facts.status}`]), ...codes.slice(0, 2)];
  return chatError(kind, facts.model, parts.join(', ') || 'the call failed', {
    ...(facts.status === undefined ? {} : { status: facts.status }),
    ...(facts.retryAfterMs === undefined ? {} : { retryAfterMs: facts.retryAfterMs }),
  });
}

/** A {@link ChatError} with model, reason and remedy. `reason` must hold nothing of request, reply or key. */
export function chatError(
  kind: Kind,
  model: string,
  reason: string,
  detail: ChatError['detail'] = {},
): ChatError {
  return new ChatError(kind, `${model}: ${kind}: ${reason}. ${REMEDY[kind]}`.trimEnd(), detail);
}

/**
 * What an SDK threw when there was no HTTP status: a body that is no JSON, a time-out of the socket, or a connection
 * that could not be made or broke. The error itself is not kept: its message can quote the reply.
 */
export function failedTransport(error: unknown, model: string): ChatError {
  if (error instanceof ChatError) return error;
  const codes = causeCodes(error);
  if (codes.some((code) => /TIMEOUT|TIMEDOUT/u.test(code))) {
    const unsent = codes.includes('UND_ERR_CONNECT_TIMEOUT');
    return chatError('timeout', model, codes[0]!, unsent ? { unsent } : {});
  }
  if (error instanceof SyntaxError) return chatError('bad-reply', model, 'the reply is not valid JSON');
  // fetch gives its TypeErrors a cause or a code; one without is an SDK's that stumbled over a reply of another shape.
  if (
    error instanceof TypeError &&
    error.cause === undefined &&
    codes.length === 0 &&
    error.message !== 'terminated'
  ) {
    return chatError('bad-reply', model, 'the reply is not of the API');
  }
  const unsent = codes.some((code) => NEVER_CONNECTED.has(code));
  return chatError('connection', model, codes[0] ?? 'the connection failed', unsent ? { unsent } : {});
}

const NEVER_CONNECTED: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
]);

/** `code` of an error and of what caused it, such as `ECONNRESET`. */
function causeCodes(error: unknown): string[] {
  const codes: string[] = [];
  let at: unknown = error;
  for (let depth = 0; depth < 6 && at !== null && typeof at === 'object'; depth++) {
    const { code, cause } = at as { code?: unknown; cause?: unknown };
    if (isCode(code)) codes.push(code);
    at = cause;
  }
  return codes;
}

/** Letters and underscores only: no key, no path and no sentence looks like that. */
export function isCode(value: unknown): value is string {
  return typeof value === 'string' && /^[A-Za-z][A-Za-z_]{0,63}$/u.test(value);
}

/** A provider's reason as it is when it looks like a code, else `other`: a stop detail is never free text. */
export function codeOr(value: unknown, other: string): string {
  return isCode(value) ? value : other;
}

function kindOf(status: number | undefined, codes: readonly string[]): Kind {
  for (const code of codes) {
    const kind = Object.hasOwn(KIND_OF_CODE, code) ? KIND_OF_CODE[code] : undefined;
    if (kind !== undefined) return kind;
  }
  if (status === undefined) return 'server';
  if (status === 401 || status === 402 || status === 403) return 'auth';
  if (status === 404) return 'no-such-model';
  if (status === 408) return 'timeout';
  if (status === 429) return 'rate-limit';
  // 409 and 425: the provider is not ready for this request yet.
  if (status >= 500 || status === 409 || status === 425) return 'server';
  return 'bad-request';
}
