import type {
  Content,
  FinishReason,
  GenerateContentConfig,
  GenerateContentParameters,
  GenerateContentResponse,
  GenerateContentResponseUsageMetadata,
  GoogleGenAI,
  MediaResolution,
} from '@google/genai';
import { adapterModel } from './adapter-model.js';
import { chatError, codeOr, failedCall, failedTransport } from './chat-errors.js';
import {
  ChatError,
  type ChatModel,
  type ChatReply,
  type ChatRequest,
  type ChatStop,
  type ChatUsage,
} from './chat-model.js';
import type { ProviderAccess } from './provider-access.js';
import { retryAfterMs, retryInfoMs } from './retry-after.js';
import type { ReadBackPart } from './sent-images.js';
import { WireImages } from './wire-images.js';

export const GEMINI_SDK = '@google/genai@2';
export const GEMINI_ADAPTER_VERSION = 'gemini-generate-content/1';

/**
 * Parameters of `models.generateContent`. Images go inline at the highest resolution that the request can ask for;
 * nothing is logged at the provider (`store: false`); a long answer is not continued by further calls behind our back.
 *
 * @param encoded - base64 of the images or what stands for it, null where a text stands
 */
export function toGeminiRequest(
  model: string,
  request: ChatRequest,
  encoded: readonly (string | null)[],
): GenerateContentParameters & { contents: Content[]; config: GenerateContentConfig } {
  const parts = request.parts.map((part, i) =>
    part.type === 'text'
      ? { text: part.text }
      : { inlineData: { mimeType: part.mediaType, data: encoded[i]! } },
  );
  return {
    model,
    contents: [{ role: 'user', parts }],
    config: {
      mediaResolution: 'MEDIA_RESOLUTION_HIGH' as MediaResolution,
      store: false,
      automaticContinuation: false,
      ...(request.schema === undefined
        ? {}
        : {
            responseMimeType: 'application/json',
            responseJsonSchema: { ...request.schema.schema },
          }),
      ...(request.maxOutputTokens === undefined ? {} : { maxOutputTokens: request.maxOutputTokens }),
      ...(request.temperature === undefined ? {} : { temperature: request.temperature }),
    },
  };
}

/** The parts of a built request, in order. */
export function readBackGemini({ contents }: { readonly contents: readonly Content[] }): ReadBackPart[] {
  const [content, ...more] = contents;
  if (content === undefined || more.length > 0) return [];
  return (content.parts ?? []).map((part): ReadBackPart => {
    if (!part.inlineData) return { type: 'text', text: part.text ?? '' };
    return {
      type: 'image',
      mediaType: part.inlineData.mimeType ?? '',
      base64: part.inlineData.data ?? '',
    };
  });
}

/** @throws {ChatError} `bad-reply` when there is neither a candidate nor a reason for its absence */
export function fromGeminiReply(reply: GenerateContentResponse, id: string): ChatReply {
  const { candidates, promptFeedback, usageMetadata, modelVersion, responseId } = (reply ??
    {}) as Partial<GenerateContentResponse>;
  const shell = {
    usage: geminiUsage(usageMetadata),
    servedModel: modelVersion ?? null,
    providerRequestId: responseId ?? null,
  };
  const candidate = candidates?.[0];
  if (!candidate) {
    if (promptFeedback?.blockReason === undefined) {
      throw chatError('bad-reply', id, 'the reply holds no candidate');
    }
    const stopDetail = codeOr(promptFeedback.blockReason, 'blocked');
    return { ...shell, stop: 'blocked', text: '', stopDetail };
  }
  const reason = codeOr(candidate.finishReason, 'none');
  const stop = geminiStop(reason);
  if (stop === null) throw chatError('bad-reply', id, `the reply ended with ${reason}`);
  const parts = candidate.content?.parts ?? [];
  const text = parts.flatMap((part) => (part.thought || part.text === undefined ? [] : [part.text])).join('');
  return { ...shell, stop, text, stopDetail: reason === 'STOP' ? null : reason };
}

/** `finishReason` as a stop; null when the model made no reply of ours. Reasons not known yet count as blocks. */
export function geminiStop(reason: string): ChatStop | null {
  if (reason === 'STOP') return 'complete';
  if (reason === 'MAX_TOKENS' || reason === 'CONTINUATION') return 'truncated';
  return NO_REPLY.has(reason) ? null : 'blocked';
}

const NO_REPLY: ReadonlySet<string> = new Set<`${FinishReason}` | 'none' | 'MALFORMED_RESPONSE'>([
  'none',
  'FINISH_REASON_UNSPECIFIED',
  'MALFORMED_FUNCTION_CALL',
  'MALFORMED_RESPONSE',
  'UNEXPECTED_TOOL_CALL',
  'TOO_MANY_TOOL_CALLS',
]);

/** `candidatesTokenCount` leaves the thoughts out, though both are paid as output. */
function geminiUsage(usage: GenerateContentResponseUsageMetadata | undefined): ChatUsage | null {
  if (!usage) return null;
  const reasoningTokens = usage.thoughtsTokenCount ?? 0;
  return {
    inputTokens: usage.promptTokenCount ?? 0,
    cachedInputTokens: usage.cachedContentTokenCount ?? 0,
    cacheWriteTokens: 0,
    outputTokens: (usage.candidatesTokenCount ?? 0) + reasoningTokens,
    reasoningTokens,
  };
}

/** What the SDK's error and the response's headers say; the SDK keeps the body as text in its message, and no header. */
export function fromGeminiError(
  error: unknown,
  response: { readonly status: number; readonly headers: Headers } | null,
  access: Pick<ProviderAccess, 'id' | 'clock'>,
): ChatError {
  if (error instanceof ChatError) return error;
  const { status: thrown, message } = (error ?? {}) as { status?: unknown; message?: unknown };
  const status =
    typeof thrown === 'number' ? thrown : response && response.status >= 400 ? response.status : null;
  if (status === null) return failedTransport(error, access.id);
  const { status: name, details } = bodyError(message);
  return failedCall({
    model: access.id,
    status,
    codes: [...errorReasons(details), name],
    retryAfterMs: retryInfoMs(details) ?? retryAfterMs(response?.headers, access.clock()),
  });
}

function bodyError(message: unknown): { readonly status?: unknown; readonly details?: unknown } {
  try {
    const { error } = JSON.parse(String(message)) as { error?: unknown };
    return error !== null && typeof error === 'object' ? error : {};
  } catch {
    return {};
  }
}

/** `reason` of every `google.rpc.ErrorInfo`, such as API_KEY_INVALID. */
function errorReasons(details: unknown): unknown[] {
  if (!Array.isArray(details)) return [];
  return (details as unknown[]).flatMap((detail) => {
    const { '@type': type, reason } = (detail ?? {}) as Record<string, unknown>;
    return typeof type === 'string' && type.endsWith('google.rpc.ErrorInfo') ? [reason] : [];
  });
}

/** The SDK's client, loaded when the first such model is made: the Gemini API, whatever the environment says. */
export async function geminiClient(
  access: ProviderAccess,
  fetch?: typeof globalThis.fetch,
): Promise<GoogleGenAI> {
  const { GoogleGenAI: Client } = await import('@google/genai');
  return new Client({
    apiKey: access.apiKey,
    vertexai: false,
    enterprise: false,
    httpOptions: {
      baseUrl: access.baseUrl,
      retryOptions: { attempts: 1 },
      ...(fetch === undefined ? {} : { fetch }),
    },
  });
}

/** A model of the Gemini API. */
export async function geminiModel(access: ProviderAccess): Promise<ChatModel> {
  const wire = new WireImages(access.fetch);
  const client = await geminiClient(access);
  return adapterModel(access, wire, {
    sdk: GEMINI_SDK,
    version: GEMINI_ADAPTER_VERSION,
    build: (request, encoded) => toGeminiRequest(access.model, request, encoded),
    readBack: readBackGemini,
    send: async (body, signal) => {
      const watched = watchedFetch(wire);
      const config = { ...body.config, abortSignal: signal, httpOptions: { fetch: watched.fetch } };
      try {
        return fromGeminiReply(await client.models.generateContent({ ...body, config }), access.id);
      } catch (error) {
        throw fromGeminiError(error, watched.response(), access);
      }
    },
  });
}

/** A fetch that remembers its last response's status and headers, which the SDK drops. */
export function watchedFetch(access: Pick<ProviderAccess, 'fetch'>): {
  readonly fetch: typeof globalThis.fetch;
  readonly response: () => { readonly status: number; readonly headers: Headers } | null;
} {
  let last: Response | null = null;
  const inner = access.fetch ?? globalThis.fetch;
  return {
    fetch: async (input, init) => {
      last = null;
      last = await inner(input, init);
      return last;
    },
    response: () => last,
  };
}
