import { z } from 'zod';
import { fromDataUrl, type RawImage } from '../images.js';
import type { Ending, HttpReply, ModelRequest, Protocol, Tokens } from '../protocol.js';
import { anything, fields, notDone, strictly } from '../strict.js';
import { checkFormat, checkTemperature, openaiFailures, SCHEMA_NAME } from './common.js';

const contentSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('input_text'), text: z.string(), prompt_cache_breakpoint: anything }),
  z.strictObject({
    type: z.literal('input_image'),
    image_url: z.string().nullish(),
    file_id: z.null().optional(),
    detail: z.enum(['low', 'high', 'auto', 'original']).optional(),
    prompt_cache_breakpoint: anything,
  }),
]);

const formatSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('text') }),
  z.strictObject({ type: z.literal('json_object') }),
  z.strictObject({
    type: z.literal('json_schema'),
    name: z.string().regex(SCHEMA_NAME),
    schema: z.record(z.string(), z.unknown()),
    description: z.string().optional(),
    strict: z.boolean().nullish(),
  }),
]);

/** `POST /responses`, from the SDK's `ResponseCreateParams` (openai 6.49.0). */
const bodySchema = z.strictObject({
  model: z.string().min(1),
  input: z
    .array(
      z.strictObject({
        type: z.literal('message').optional(),
        role: z.enum(['user', 'system', 'developer', 'assistant']),
        content: z.union([z.string(), z.array(contentSchema)]),
      }),
    )
    .min(1),
  max_output_tokens: z.number().int().min(16).nullish(),
  temperature: z.number().min(0).max(2).nullish(),
  top_p: z.number().min(0).max(1).nullish(),
  store: z.boolean().nullish(),
  truncation: z.enum(['auto', 'disabled']).nullish(),
  text: z.strictObject({ format: formatSchema.optional(), verbosity: anything }).optional(),
  stream: z.literal(false).nullish(),
  prompt_cache_key: z.string().nullish(),
  ...fields(anything, ['context_management', 'include', 'metadata', 'moderation', 'parallel_tool_calls',
    'prompt_cache_options', 'prompt_cache_retention', 'reasoning', 'safety_identifier', 'service_tier', 'top_logprobs',
    'user']), // prettier-ignore
  ...fields(notDone, ['background', 'conversation', 'instructions', 'previous_response_id', 'prompt', 'stream_options',
    'tool_choice', 'tools']), // prettier-ignore
});

function read(value: unknown): ModelRequest {
  const body = strictly(bodySchema, value);
  const { model, temperature, text } = body;
  checkTemperature(model, temperature);
  if (text?.format?.type === 'json_schema') checkFormat(text.format, 'text.format.schema');
  const notes = [
    ...(body.store === false ? [] : ['store is not false: the provider keeps the request']),
    ...(body.truncation === 'auto' ? ['truncation is auto: parts may be left out'] : []),
  ];
  const parts = body.input.flatMap(({ content }, i): (string | RawImage)[] => {
    if (typeof content === 'string') return [content];
    return content.map((part, j) => {
      if (part.type === 'input_text') return part.text;
      const { detail = 'auto' } = part;
      if (detail === 'auto' || detail === 'low')
        notes.push(`detail is ${detail}: the image may be scaled down`);
      return fromDataUrl(part.image_url ?? '', `input[${i}].content[${j}].image_url`);
    });
  });
  return { model, parts, notes };
}

function reply(ending: Ending, { model }: ModelRequest, tokens: Tokens, id: string): HttpReply {
  const [status, incomplete, content] = outcome(ending);
  return {
    status: 200,
    body: {
      id: `resp_${id}`,
      object: 'response',
      created_at: 0,
      status,
      error: null,
      incomplete_details: incomplete === null ? null : { reason: incomplete },
      instructions: null,
      metadata: {},
      model,
      output:
        content === null
          ? []
          : [
              {
                id: `msg_${id}`,
                type: 'message',
                role: 'assistant',
                status: incomplete === null ? 'completed' : 'incomplete',
                content: [content],
              },
            ],
      parallel_tool_calls: true,
      temperature: null,
      tool_choice: 'auto',
      tools: [],
      top_p: null,
      store: false,
      usage: {
        input_tokens: tokens.input,
        input_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
        output_tokens: tokens.output,
        output_tokens_details: { reasoning_tokens: 0 },
        total_tokens: tokens.input + tokens.output,
      },
    },
  };
}

function outcome({ kind, text }: Ending): [status: string, incomplete: string | null, content: unknown] {
  const spoken = { type: 'output_text', text, annotations: [], logprobs: [] };
  switch (kind) {
    case 'complete':
      return ['completed', null, spoken];
    case 'refusal':
      return ['completed', null, { type: 'refusal', refusal: text }];
    case 'truncation':
      return ['incomplete', 'max_output_tokens', spoken];
    case 'blocked':
      return ['incomplete', 'content_filter', null];
  }
}

/** OpenAI's Responses API. */
export const responsesProtocol: Protocol = { provider: 'openai', read, reply, ...openaiFailures };
