import type {
  ChatCompletion,
  ChatCompletionContentPart,
  ChatCompletionCreateParamsNonStreaming,
} from 'openai/resources/chat/completions';
import type { CompletionUsage } from 'openai/resources/completions';
import { adapterModel } from './adapter-model.js';
import { chatError, codeOr, failedCall } from './chat-errors.js';
import type { ChatModel, ChatReply, ChatRequest, ChatStop, ChatUsage } from './chat-model.js';
import { dataUrl, splitDataUrl } from './data-url.js';
import { openaiClient, OPENAI_SDK } from './openai-client.js';
import { fromSdkError } from './sdk-error.js';
import { openaiBlockedReply } from './openai.js';
import type { ProviderAccess } from './provider-access.js';
import type { ReadBackPart } from './sent-images.js';
import { WireImages } from './wire-images.js';

export const OPENAI_CHAT_ADAPTER_VERSION = 'openai-chat/1';

/**
 * The body of `POST /chat/completions`, in the fields that compatible servers share: no `store`, no `seed`, no cache
 * key; `max_tokens` (which vLLM, Ollama, Mistral and the others know, unlike `max_completion_tokens`).
 *
 * @param encoded - base64 of the images or what stands for it, null where a text stands
 */
export function toOpenaiChatRequest(
  model: string,
  request: ChatRequest,
  encoded: readonly (string | null)[],
): ChatCompletionCreateParamsNonStreaming {
  const content = request.parts.map((part, i): ChatCompletionContentPart =>
    part.type === 'text'
      ? { type: 'text', text: part.text }
      : { type: 'image_url', image_url: { url: dataUrl(part.mediaType, encoded[i]!), detail: 'high' } },
  );
  return {
    model,
    messages: [{ role: 'user', content }],
    ...(request.schema === undefined
      ? {}
      : {
          response_format: {
            type: 'json_schema',
            json_schema: {
              name: request.schema.name,
              schema: { ...request.schema.schema },
              strict: true,
            },
          },
        }),
    ...(request.maxOutputTokens === undefined ? {} : { max_tokens: request.maxOutputTokens }),
    ...(request.temperature === undefined ? {} : { temperature: request.temperature }),
  };
}

/** The parts of a built request, in order. */
export function readBackOpenaiChat({ messages }: ChatCompletionCreateParamsNonStreaming): ReadBackPart[] {
  const [message, ...more] = messages;
  if (message?.role !== 'user' || more.length > 0 || !Array.isArray(message.content)) return [];
  return message.content.map((part): ReadBackPart => {
    if (part.type === 'image_url') return { type: 'image', ...splitDataUrl(part.image_url.url) };
    return { type: 'text', text: part.type === 'text' ? part.text : '' };
  });
}

/** @throws {ChatError} `bad-reply` when there is no choice in it; what an error object inside a 200 says */
export function fromOpenaiChatReply(reply: ChatCompletion, id: string): ChatReply {
  // Routers answer 200 with an error object when the host behind them failed.
  const { error } = (reply as { error?: unknown } | null | undefined) ?? {};
  if (error !== null && typeof error === 'object') {
    const { code, type } = error as { code?: unknown; type?: unknown };
    throw failedCall({
      model: id,
      ...(typeof code === 'number' ? { status: code } : {}),
      codes: [code, type],
    });
  }
  const choice = (reply as Partial<ChatCompletion> | null | undefined)?.choices?.[0];
  if (!choice?.message) throw chatError('bad-reply', id, 'the reply holds no choice');
  const refusal = choice.message.refusal ?? '';
  const reason = codeOr(choice.finish_reason, 'none');
  const stop = openaiChatStop(reason, refusal !== '');
  return {
    stop,
    text: stop === 'refused' && refusal !== '' ? refusal : textOf(choice.message.content),
    usage: chatUsage(reply.usage),
    servedModel: typeof reply.model === 'string' ? reply.model : null,
    providerRequestId: typeof reply.id === 'string' ? reply.id : null,
    stopDetail: stop === 'refused' ? 'refusal' : reason === 'stop' ? null : reason,
  };
}

/** `finish_reason` as a stop. Servers invent ends of their own (`eos`, none at all): those are complete. */
export function openaiChatStop(reason: string, refused: boolean): ChatStop {
  if (reason === 'length' || reason === 'max_tokens' || reason === 'model_length') return 'truncated';
  if (reason === 'content_filter') return 'blocked';
  return refused ? 'refused' : 'complete';
}

/** Some servers give a list of parts where the API has a string. */
function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return (content as unknown[])
    .flatMap((part) => {
      const { type, text } = (part ?? {}) as { type?: unknown; text?: unknown };
      return type === 'text' && typeof text === 'string' ? [text] : [];
    })
    .join('');
}

function chatUsage(usage: CompletionUsage | undefined | null): ChatUsage | null {
  if (!usage) return null;
  return {
    inputTokens: usage.prompt_tokens,
    cachedInputTokens: usage.prompt_tokens_details?.cached_tokens ?? 0,
    cacheWriteTokens: usage.prompt_tokens_details?.cache_write_tokens ?? 0,
    outputTokens: usage.completion_tokens,
    reasoningTokens: usage.completion_tokens_details?.reasoning_tokens ?? 0,
  };
}

/** A model behind a server that speaks OpenAI's Chat Completions. */
export async function openaiChatModel(access: ProviderAccess): Promise<ChatModel> {
  const wire = new WireImages(access.fetch);
  const client = await openaiClient({ ...access, fetch: wire.fetch });
  const { structuredOutput } = access.capabilities;
  return adapterModel(access, wire, {
    sdk: OPENAI_SDK,
    version: OPENAI_CHAT_ADAPTER_VERSION,
    build: (request, encoded) =>
      toOpenaiChatRequest(access.model, structuredOutput ? request : withoutSchema(request), encoded),
    readBack: readBackOpenaiChat,
    send: async (body, signal) => {
      try {
        return fromOpenaiChatReply(await client.chat.completions.create(body, { signal }), access.id);
      } catch (error) {
        const blocked = openaiBlockedReply(error);
        if (blocked) return blocked;
        throw fromSdkError(error, access);
      }
    },
  });
}

/** For servers without structured output: the prompt asks for JSON anyway, and the parser reads it. */
function withoutSchema({ schema: _schema, ...request }: ChatRequest): ChatRequest {
  return request;
}
