import { z } from 'zod';
import type { Ending, HttpReply, ModelRequest, Protocol, Tokens } from '../protocol.js';
import { anything, fields, notDone, strictly } from '../strict.js';
import { fromDataUrl, type RawImage } from '../images.js';
import { checkFormat, checkTemperature, openaiFailures, SCHEMA_NAME } from './common.js';

const contentSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('text'), text: z.string(), prompt_cache_breakpoint: anything }),
  z.strictObject({
    type: z.literal('image_url'),
    image_url: z.strictObject({ url: z.string(), detail: z.enum(['auto', 'low', 'high']).optional() }),
    prompt_cache_breakpoint: anything,
  }),
]);

/** `POST /chat/completions`, from the SDK's `ChatCompletionCreateParams` (openai 6.49.0). */
const bodySchema = z.strictObject({
  model: z.string().min(1),
  messages: z
    .array(
      z.strictObject({
        role: z.enum(['user', 'system', 'developer']),
        content: z.union([z.string(), z.array(contentSchema)]),
        name: z.string().optional(),
      }),
    )
    .min(1),
  max_tokens: z.number().int().positive().nullish(),
  max_completion_tokens: z.number().int().positive().nullish(),
  temperature: z.number().min(0).max(2).nullish(),
  response_format: z
    .discriminatedUnion('type', [
      z.strictObject({ type: z.literal('text') }),
      z.strictObject({ type: z.literal('json_object') }),
      z.strictObject({
        type: z.literal('json_schema'),
        json_schema: z.strictObject({
          name: z.string().regex(SCHEMA_NAME),
          schema: z.record(z.string(), z.unknown()).optional(),
          description: z.string().optional(),
          strict: z.boolean().nullish(),
        }),
      }),
    ])
    .optional(),
  stream: z.literal(false).nullish(),
  n: z.literal(1).nullish(),
  ...fields(anything, ['frequency_penalty', 'logit_bias', 'logprobs', 'metadata', 'moderation', 'parallel_tool_calls',
    'presence_penalty', 'prompt_cache_key', 'prompt_cache_options', 'prompt_cache_retention', 'reasoning_effort',
    'safety_identifier', 'seed', 'service_tier', 'stop', 'store', 'top_logprobs', 'top_p', 'user', 'verbosity']), // prettier-ignore
  ...fields(notDone, ['audio', 'function_call', 'functions', 'modalities', 'prediction', 'stream_options', 'tool_choice',
    'tools', 'web_search_options']), // prettier-ignore
});

function read(value: unknown): ModelRequest {
  const { model, messages, response_format: format, temperature } = strictly(bodySchema, value);
  checkTemperature(model, temperature);
  if (format?.type === 'json_schema') checkFormat(format.json_schema, 'response_format.json_schema.schema');
  const notes: string[] = [];
  const parts = messages.flatMap(({ content }, i): (string | RawImage)[] => {
    if (typeof content === 'string') return [content];
    return content.map((part, j) => {
      if (part.type === 'text') return part.text;
      const { detail = 'auto', url } = part.image_url;
      if (detail !== 'high') notes.push(`detail is ${detail}: the image may be scaled down`);
      return fromDataUrl(url, `messages[${i}].content[${j}].image_url.url`);
    });
  });
  return { model, parts, notes };
}

const FINISH = {
  complete: 'stop',
  refusal: 'stop',
  truncation: 'length',
  blocked: 'content_filter',
} as const satisfies Record<Ending['kind'], string>;

function reply({ kind, text }: Ending, { model }: ModelRequest, tokens: Tokens, id: string): HttpReply {
  const refused = kind === 'refusal';
  return {
    status: 200,
    body: {
      id: `chatcmpl-${id}`,
      object: 'chat.completion',
      created: 0,
      model,
      choices: [
        {
          index: 0,
          finish_reason: FINISH[kind],
          logprobs: null,
          message: { role: 'assistant', content: refused ? null : text, refusal: refused ? text : null },
        },
      ],
      usage: {
        prompt_tokens: tokens.input,
        completion_tokens: tokens.output,
        total_tokens: tokens.input + tokens.output,
        prompt_tokens_details: { cached_tokens: 0 },
        completion_tokens_details: { reasoning_tokens: 0 },
      },
    },
  };
}

/** OpenAI's Chat Completions, as compatible servers speak them too. */
export const chatProtocol: Protocol = { provider: 'openai-chat', read, reply, ...openaiFailures };
