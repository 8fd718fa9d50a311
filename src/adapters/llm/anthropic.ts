import type Anthropic from '@anthropic-ai/sdk';
import type {
  ContentBlockParam,
  Message,
  MessageCreateParamsNonStreaming,
  Usage,
} from '@anthropic-ai/sdk/resources/messages/messages';
import { adapterModel } from './adapter-model.js';
import { chatError, codeOr } from './chat-errors.js';
import type { ChatModel, ChatReply, ChatRequest, ChatStop, ChatUsage } from './chat-model.js';
import { fromSdkError } from './sdk-error.js';
import type { ProviderAccess } from './provider-access.js';
import type { ReadBackPart } from './sent-images.js';
import { WireImages } from './wire-images.js';

export const ANTHROPIC_SDK = '@anthropic-ai/sdk@1';
export const ANTHROPIC_ADAPTER_VERSION = 'anthropic-messages/1';

/** The API wants a bound; used when the request gives none. */
export const ANTHROPIC_MAX_TOKENS = 8192;

/** Shorter prefixes are not cached (1024 tokens is the smallest minimum of any model), about 4 characters each. */
const CACHEABLE_CHARACTERS = 1024 * 4;

/**
 * The body of `POST /v1/messages`.
 *
 * Every image refuses to be scaled down (`oversized_image: 'error'`; the default does it in silence). Temperature is
 * not in the API's types any more and is never sent. The fixed prefix, which is the first text, gets a cache marker
 * when it is long enough to be cached at all.
 *
 * @param encoded - base64 of the images or what stands for it, null where a text stands
 */
export function toAnthropicRequest(
  model: string,
  request: ChatRequest,
  encoded: readonly (string | null)[],
): MessageCreateParamsNonStreaming {
  const content = request.parts.map((part, i): ContentBlockParam => {
    if (part.type === 'text') {
      const cached = i === 0 && part.text.length >= CACHEABLE_CHARACTERS;
      return {
        type: 'text',
        text: part.text,
        ...(cached ? { cache_control: { type: 'ephemeral' } } : {}),
      };
    }
    return {
      type: 'image',
      source: { type: 'base64', media_type: part.mediaType, data: encoded[i]! },
      transformations: { oversized_image: 'error' },
    };
  });
  return {
    model,
    max_tokens: request.maxOutputTokens ?? ANTHROPIC_MAX_TOKENS,
    messages: [{ role: 'user', content }],
    ...(request.schema === undefined
      ? {}
      : { output_config: { format: { type: 'json_schema', schema: { ...request.schema.schema } } } }),
  };
}

/** The parts of a built request, in order. */
export function readBackAnthropic({ messages }: MessageCreateParamsNonStreaming): ReadBackPart[] {
  const [message, ...more] = messages;
  if (message?.role !== 'user' || more.length > 0 || !Array.isArray(message.content)) return [];
  return message.content.map((part): ReadBackPart => {
    if (part.type === 'image' && part.source.type === 'base64') {
      return { type: 'image', mediaType: part.source.media_type, base64: part.source.data };
    }
    return { type: 'text', text: part.type === 'text' ? part.text : '' };
  });
}

/** @throws {ChatError} `bad-reply` when it is not of the API's shape */
export function fromAnthropicReply(reply: Message, id: string): ChatReply {
  const { content, stop_reason, stop_details } = (reply ?? {}) as Partial<Message>;
  if (!Array.isArray(content)) throw chatError('bad-reply', id, 'the reply is not a message');
  const reason = codeOr(stop_reason, 'none');
  const stop = anthropicStop(reason);
  return {
    stop,
    text: content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join(''),
    usage: anthropicUsage(reply.usage),
    servedModel: typeof reply.model === 'string' ? reply.model : null,
    providerRequestId: typeof reply.id === 'string' ? reply.id : null,
    stopDetail:
      stop === 'refused'
        ? codeOr(stop_details?.category, 'refusal')
        : reason === 'end_turn' || reason === 'stop_sequence'
          ? null
          : reason,
  };
}

/**
 * `stop_reason` as a stop. Unfinished turns are truncated; a reason that is not known yet leaves it to the parser,
 * which takes nothing but a whole answer.
 */
export function anthropicStop(reason: string): ChatStop {
  if (reason === 'refusal') return 'refused';
  const unfinished = ['max_tokens', 'model_context_window_exceeded', 'pause_turn', 'tool_use'];
  return unfinished.includes(reason) ? 'truncated' : 'complete';
}

/** `input_tokens` of this API leaves out what came from the cache or went into it. */
function anthropicUsage(usage: Usage | undefined | null): ChatUsage | null {
  if (!usage) return null;
  const cachedInputTokens = usage.cache_read_input_tokens ?? 0;
  const cacheWriteTokens = usage.cache_creation_input_tokens ?? 0;
  return {
    inputTokens: usage.input_tokens + cachedInputTokens + cacheWriteTokens,
    cachedInputTokens,
    cacheWriteTokens,
    outputTokens: usage.output_tokens,
    reasoningTokens: usage.output_tokens_details?.thinking_tokens ?? 0,
  };
}

/**
 * The SDK's client, loaded when the first such model is made: no retries and no log of its own, no tracing spans (they
 * can hold the content), and a key given, so that it looks for no other credentials.
 */
export async function anthropicClient(access: ProviderAccess): Promise<Anthropic> {
  const { default: Client } = await import('@anthropic-ai/sdk');
  return new Client({
    apiKey: access.apiKey,
    webhookKey: null,
    baseURL: access.baseUrl,
    maxRetries: 0,
    // Given, so that the SDK does not refuse a long answer; ours ends first and also covers the body.
    timeout: access.timeoutMs + 10_000,
    logLevel: 'off',
    openTelemetry: false,
    ...(access.fetch === undefined ? {} : { fetch: access.fetch }),
  });
}

/** A model of Anthropic's Messages API. */
export async function anthropicModel(access: ProviderAccess): Promise<ChatModel> {
  const wire = new WireImages(access.fetch);
  const client = await anthropicClient({ ...access, fetch: wire.fetch });
  return adapterModel(access, wire, {
    sdk: ANTHROPIC_SDK,
    version: ANTHROPIC_ADAPTER_VERSION,
    build: (request, encoded) => toAnthropicRequest(access.model, request, encoded),
    readBack: readBackAnthropic,
    send: async (body, signal) => {
      try {
        return fromAnthropicReply(await client.messages.create(body, { signal }), access.id);
      } catch (error) {
        const blocked = anthropicBlockedReply(error);
        if (blocked) return blocked;
        throw fromSdkError(error, access);
      }
    },
  });
}

/** A 400 whose text says that the content filter stopped the output, as the reply that it is; null for other errors. */
export function anthropicBlockedReply(error: unknown): ChatReply | null {
  const { status, apiMessage, requestID } = (error ?? {}) as Record<string, unknown>;
  // There is no code for it; the text is looked at here and goes no further.
  if (status !== 400 || typeof apiMessage !== 'string' || !/content filtering policy/iu.test(apiMessage))
    return null;
  return {
    stop: 'blocked',
    text: '',
    usage: null,
    servedModel: null,
    providerRequestId: typeof requestID === 'string' ? requestID : null,
    stopDetail: 'content_filtering',
  };
}
