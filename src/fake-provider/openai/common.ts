import type { HttpReply, Protocol } from '../protocol.js';
import { Rejected } from '../rejected.js';
import { checkSchema, OPENAI_SCHEMA } from '../schema-rules.js';

/** `{"error": {"message", "type", "param", "code"}}`. */
export function openaiError(
  status: number,
  error: {
    readonly message: string;
    readonly type: string;
    readonly param?: string | null;
    readonly code: string | null;
  },
): HttpReply {
  return { status, body: { error: { param: null, ...error } } };
}

/** What both of OpenAI's calls say when there is no reply. */
export const openaiFailures: Pick<Protocol, 'rejection' | 'rateLimit' | 'serverError'> = {
  rejection: ({ message, param, code, status }: Rejected) =>
    openaiError(status, { message, type: 'invalid_request_error', param, code }),
  rateLimit: () =>
    openaiError(429, {
      message: 'Rate limit reached for requests. Please try again later.',
      type: 'requests',
      code: 'rate_limit_exceeded',
    }),
  serverError: (overloaded) =>
    openaiError(overloaded ? 503 : 500, {
      message: 'The server had an error while processing your request.',
      type: 'server_error',
      code: null,
    }),
};

/** Models that refuse `temperature`. */
const REASONING = /^(?:gpt-[56](?!.*-chat)|o\d)/u;

/** @throws {Rejected} when a reasoning model is given a temperature */
export function checkTemperature(model: string, temperature: number | null | undefined): void {
  if (temperature === undefined || temperature === null || !REASONING.test(model)) return;
  throw new Rejected(
    "Unsupported parameter: 'temperature' is not supported with this model.",
    'temperature',
    'unsupported_parameter',
  );
}

/** Name of a JSON schema. */
export const SCHEMA_NAME = /^[A-Za-z0-9_-]{1,64}$/u;

/** A schema for structured output; only a strict one is held to the rules. @throws {Rejected} */
export function checkFormat(
  { schema, strict }: { readonly schema?: unknown; readonly strict?: boolean | null | undefined },
  param: string,
): void {
  if (strict === true) checkSchema(schema, OPENAI_SCHEMA, param);
}
