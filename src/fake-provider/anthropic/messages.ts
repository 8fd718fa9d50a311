import { z } from 'zod';
import type { RawImage } from '../images.js';
import type { Ending, HttpReply, ModelRequest, Protocol, Tokens } from '../protocol.js';
import { ANTHROPIC_SCHEMA, checkSchema } from '../schema-rules.js';
import { anything, fields, notDone, strictly } from '../strict.js';

const cacheControl = z
  .strictObject({ type: z.literal('ephemeral'), ttl: z.enum(['5m', '1h']).optional() })
  .nullish();

const contentSchema = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('text'),
    text: z.string().min(1),
    cache_control: cacheControl,
    citations: anything,
  }),
  z.strictObject({
    type: z.literal('image'),
    source: z.strictObject({
      type: z.literal('base64'),
      media_type: z.enum(['image/png', 'image/jpeg']),
      data: z.string().min(1),
    }),
    transformations: z.strictObject({ oversized_image: z.enum(['downsize', 'error']).optional() }).nullish(),
    cache_control: cacheControl,
  }),
]);

/** `POST /v1/messages`, from the SDK's `MessageCreateParams` (@anthropic-ai/sdk 1.14.0). */
const bodySchema = z.strictObject({
  model: z.string().min(1),
  max_tokens: z.number().int().positive(),
  messages: z
    .array(
      z.strictObject({ role: z.literal('user'), content: z.union([z.string(), z.array(contentSchema)]) }),
    )
    .length(1),
  output_config: z
    .strictObject({
      effort: anything,
      format: z
        .strictObject({ type: z.literal('json_schema'), schema: z.record(z.string(), z.unknown()) })
        .nullish(),
    })
    .optional(),
  cache_control: cacheControl,
  stream: z.literal(false).optional(),
  ...fields(anything, ['diagnostics', 'inference_geo', 'metadata', 'service_tier', 'speed', 'stop_sequences', 'system',
    'thinking', 'user_profile_id', 'workspace_id']), // prettier-ignore
  ...fields(notDone, ['container', 'tool_choice', 'tools']),
});

function read(value: unknown): ModelRequest {
  const { model, messages, output_config } = strictly(bodySchema, value);
  if (output_config?.format) {
    checkSchema(output_config.format.schema, ANTHROPIC_SCHEMA, 'output_config.format.schema');
  }
  const notes: string[] = [];
  const parts = messages.flatMap(({ content }, i): (string | RawImage)[] => {
    if (typeof content === 'string') return [content];
    return content.map((part, j) => {
      if (part.type === 'text') return part.text;
      if (part.transformations?.oversized_image !== 'error')
        notes.push('oversized_image is not error: the image may be scaled down');
      const { media_type: mediaType, data: base64 } = part.source;
      return { mediaType, base64, param: `messages.${i}.content.${j}.image.source.base64.data` };
    });
  });
  return { model, parts, notes };
}

function reply(ending: Ending, { model }: ModelRequest, tokens: Tokens, id: string): HttpReply {
  const { kind, text } = ending;
  // The content filter answers with an error, not with a message.
  if (kind === 'blocked')
    return failure(400, 'invalid_request_error', 'Output blocked by content filtering policy');
  const refused = kind === 'refusal';
  return {
    status: 200,
    body: {
      id: `msg_${id}`,
      type: 'message',
      role: 'assistant',
      model,
      container: null,
      content: refused ? [] : [{ type: 'text', text, citations: null }],
      stop_reason: refused ? 'refusal' : kind === 'truncation' ? 'max_tokens' : 'end_turn',
      stop_sequence: null,
      stop_details: refused ? { type: 'refusal', category: 'bio', explanation: null } : null,
      usage: {
        input_tokens: tokens.input,
        output_tokens: tokens.output,
        cache_creation: null,
        cache_creation_input_tokens: 0,
        cache_read_input_tokens: 0,
        inference_geo: null,
        output_tokens_details: null,
        server_tool_use: null,
        service_tier: 'standard',
        speed: null,
      },
    },
  };
}

/** `{"type": "error", "error": {"type", "message"}, "request_id"}`. */
function failure(status: number, type: string, message: string): HttpReply {
  return { status, body: { type: 'error', error: { type, message }, request_id: 'req_fake' } };
}

/** Types of errors by status. */
const TYPES: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  404: 'not_found_error',
};

/** Anthropic's Messages API. */
export const messagesProtocol: Protocol = {
  provider: 'anthropic',
  read,
  reply,
  rejection: ({ status, message, param, code }) =>
    failure(
      status,
      TYPES[status] ?? 'invalid_request_error',
      code === 'unknown_parameter' && param !== null
        ? `${param.replace(/\[(\d+)\]/gu, '.$1')}: Extra inputs are not permitted`
        : message,
    ),
  rateLimit: () => failure(429, 'rate_limit_error', 'This request would exceed your rate limit.'),
  serverError: (overloaded) =>
    overloaded
      ? failure(529, 'overloaded_error', 'Overloaded')
      : failure(500, 'api_error', 'Internal server error'),
};
