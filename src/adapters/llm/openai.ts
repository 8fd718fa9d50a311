import type {
  Response,
  ResponseCreateParamsNonStreaming,
  ResponseInputContent,
  ResponseUsage,
} from 'openai/resources/responses/responses';
import { sha256 } from '../../util/hash.js';
import { adapterModel } from './adapter-model.js';
import { chatError, codeOr, failedCall } from './chat-errors.js';
import type { ChatModel, ChatReply, ChatRequest, ChatStop, ChatUsage } from './chat-model.js';
import { dataUrl, splitDataUrl } from './data-url.js';
import { openaiClient, OPENAI_SDK } from './openai-client.js';
import { errorCodes, fromSdkError } from './sdk-error.js';
import type { ProviderAccess } from './provider-access.js';
import type { ReadBackPart } from './sent-images.js';
import { WireImages } from './wire-images.js';

/** Raised when the same request would be sent in another form: earlier replies then no longer count as the same. */
export const OPENAI_ADAPTER_VERSION = 'openai-responses/1';

/**
 * The body of `POST /responses`.
 *
 * Images go as data URLs with `detail: 'high'`; nothing is stored; a request that is too long is an error and not cut.
 * `image.context_compression`, which newer SDKs know, is in neither the types nor the API reference of the pinned one
 * (6.49.0), and an unknown field can be a 400: it is not sent. What was sent is read back and kept either way.
 *
 * @param encoded - base64 of the images or what stands for it, null where a text stands
 */
export function toOpenaiRequest(
  model: string,
  request: ChatRequest,
  encoded: readonly (string | null)[],
): ResponseCreateParamsNonStreaming {
  const content = request.parts.map((part, i): ResponseInputContent =>
    part.type === 'text'
      ? { type: 'input_text', text: part.text }
      : { type: 'input_image', image_url: dataUrl(part.mediaType, encoded[i]!), detail: 'high' },
  );
  return {
    model,
    input: [{ role: 'user', content }],
    store: false,
    truncation: 'disabled',
    prompt_cache_key: promptCacheKey(request),
    ...(request.schema === undefined
      ? {}
      : {
          text: {
            format: {
              type: 'json_schema',
              name: request.schema.name,
              schema: { ...request.schema.schema },
              strict: true,
            },
          },
        }),
    ...(request.maxOutputTokens === undefined ? {} : { max_output_tokens: request.maxOutputTokens }),
    ...(request.temperature === undefined ? {} : { temperature: request.temperature }),
  };
}

/** Same parts, same key: repeats of an item land where its prefix is cached. */
function promptCacheKey({ parts }: ChatRequest): string {
  return sha256(JSON.stringify(parts.map((part) => (part.type === 'text' ? part.text : part.sha256)))).slice(
    0,
    32,
  );
}

/** The parts of a built request, in order. */
export function readBackOpenai({ input }: ResponseCreateParamsNonStreaming): ReadBackPart[] {
  const [message, ...more] = Array.isArray(input) ? input : [];
  if (message === undefined || more.length > 0 || !('content' in message) || !Array.isArray(message.content))
    return [];
  return message.content.map((part): ReadBackPart => {
    if (part.type === 'input_image') return { type: 'image', ...splitDataUrl(part.image_url ?? '') };
    return { type: 'text', text: part.type === 'input_text' ? part.text : '' };
  });
}

/** Error codes that mean: the provider would not look at this prompt or image. */
const BLOCKED_CODES: ReadonlySet<string> = new Set([
  'invalid_prompt',
  'content_policy_violation',
  'image_content_policy_violation',
  'content_filter',
  'bio_policy',
]);

/** @throws {ChatError} when the reply is none: `failed`, unfinished, or not of the API's shape */
export function fromOpenaiReply(reply: Response, id: string): ChatReply {
  if (!Array.isArray((reply as Partial<Response> | null | undefined)?.output)) {
    throw chatError('bad-reply', id, 'the reply is not a Responses object');
  }
  const { status, error } = reply;
  if (status === 'failed') {
    if (error && BLOCKED_CODES.has(error.code))
      return { ...shell(reply), stop: 'blocked', stopDetail: error.code };
    throw failedCall({ model: id, codes: [error?.code] });
  }
  if (status !== 'completed' && status !== 'incomplete') {
    throw chatError('bad-reply', id, `the reply's status is ${codeOr(status, 'unknown')}`);
  }
  const parts = reply.output.flatMap((item) => (item.type === 'message' ? item.content : []));
  const text = parts.flatMap((part) => (part.type === 'output_text' ? [part.text] : [])).join('');
  const refusal = parts.find((part) => part.type === 'refusal');
  if (status === 'incomplete') {
    const reason = codeOr(reply.incomplete_details?.reason, 'incomplete');
    return { ...shell(reply), text, stop: openaiIncomplete(reason), stopDetail: reason };
  }
  if (refusal) return { ...shell(reply), text: refusal.refusal, stop: 'refused', stopDetail: 'refusal' };
  return { ...shell(reply), text, stop: 'complete' };
}

/** Why a reply is unfinished, as a stop. Only the content filter is a block; whatever else cut the reply short. */
export function openaiIncomplete(reason: string): ChatStop {
  return reason === 'content_filter' ? 'blocked' : 'truncated';
}

function shell(reply: Response): Omit<ChatReply, 'stop'> {
  return {
    text: '',
    usage: openaiUsage(reply.usage),
    servedModel: typeof reply.model === 'string' ? reply.model : null,
    providerRequestId: typeof reply.id === 'string' ? reply.id : null,
    stopDetail: null,
  };
}

function openaiUsage(usage: ResponseUsage | undefined | null): ChatUsage | null {
  if (!usage) return null;
  // Compatible servers leave the details out.
  const details = usage.input_tokens_details as Partial<ResponseUsage.InputTokensDetails> | undefined;
  return {
    inputTokens: usage.input_tokens,
    cachedInputTokens: details?.cached_tokens ?? 0,
    cacheWriteTokens: details?.cache_write_tokens ?? 0,
    outputTokens: usage.output_tokens,
    reasoningTokens:
      (usage.output_tokens_details as ResponseUsage.OutputTokensDetails | undefined)?.reasoning_tokens ?? 0,
  };
}

/** A model of OpenAI's Responses API. */
export async function openaiModel(access: ProviderAccess): Promise<ChatModel> {
  const wire = new WireImages(access.fetch);
  const client = await openaiClient({ ...access, fetch: wire.fetch });
  return adapterModel(access, wire, {
    sdk: OPENAI_SDK,
    version: OPENAI_ADAPTER_VERSION,
    build: (request, encoded) => toOpenaiRequest(access.model, request, encoded),
    readBack: readBackOpenai,
    send: async (body, signal) => {
      try {
        return fromOpenaiReply(await client.responses.create(body, { signal }), access.id);
      } catch (error) {
        const blocked = openaiBlockedReply(error);
        if (blocked) return blocked;
        throw fromSdkError(error, access);
      }
    },
  });
}

/** A 400 that says the prompt was blocked, as the reply that it is; null for any other error. */
export function openaiBlockedReply(error: unknown): ChatReply | null {
  if ((error as { status?: unknown } | null)?.status !== 400) return null;
  const code = errorCodes(error).find((name) => BLOCKED_CODES.has(name));
  if (code === undefined) return null;
  const requestId = (error as { requestID?: unknown }).requestID;
  return {
    stop: 'blocked',
    text: '',
    usage: null,
    servedModel: null,
    providerRequestId: typeof requestId === 'string' ? requestId : null,
    stopDetail: code,
  };
}
