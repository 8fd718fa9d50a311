import { hashValue } from '../../util/hash.js';
import { chatError } from './chat-errors.js';
import {
  ChatError,
  type ChatCapabilities,
  type ChatModel,
  type ChatReply,
  type ChatRequest,
} from './chat-model.js';
import { checkSentParts, encodeParts, type ReadBackPart } from './sent-images.js';

/** What a scripted model gives: a text, a whole reply, or the error that it throws. */
export type ScriptedAnswer = string | ChatReply | ChatError;

/** Answers by request key; a list gives one answer a call and then repeats its last. */
export type ChatScript =
  | ReadonlyMap<string, ScriptedAnswer | readonly ScriptedAnswer[]>
  | ((request: ChatRequest, call: number) => ScriptedAnswer | Promise<ScriptedAnswer>);

const ANYTHING: ChatCapabilities = {
  maxImages: null,
  maxImageBytes: null,
  maxImagePixels: null,
  maxRequestBytes: null,
  structuredOutput: true,
  temperature: true,
  batch: false,
};

/**
 * A model that answers from a script, for tests and rehearsals. It reads and checks the images like a real one; its
 * tokens are 4 characters each, and images have none.
 *
 * @returns a model that throws `no-such-model` for a key that the script does not hold
 */
export function scriptedChatModel(
  name: string,
  script: ChatScript,
  capabilities: Partial<ChatCapabilities> = {},
): ChatModel {
  const id = `scripted/${name}`;
  const calls = new Map<string, number>();
  return {
    id,
    provider: 'scripted',
    capabilities: { ...ANYTHING, ...capabilities },
    sdk: 'scripted@1',
    fingerprint:
      typeof script === 'function' ? name : hashValue([...script].map(([key, answers]) => [key, answers])),
    async chat(request, { signal }) {
      if (signal.aborted) throw chatError('aborted', id, 'stopped', { unsent: true });
      const encoded = await encodeParts(request);
      const built = request.parts.map((part, i): ReadBackPart =>
        part.type === 'text'
          ? { type: 'text', text: part.text }
          : { type: 'image', mediaType: part.mediaType, base64: encoded[i]! },
      );
      const sent = checkSentParts(request, built);
      const call = calls.get(request.key) ?? 0;
      calls.set(request.key, call + 1);
      const answer =
        typeof script === 'function' ? await script(request, call) : fromMap(script, request.key, call);
      if (answer === undefined)
        throw chatError('no-such-model', id, `the script has no answer for ${request.key}`);
      if (answer instanceof ChatError) throw answer;
      return typeof answer === 'string' ? { ...plainReply(id, request, answer), sent } : { sent, ...answer };
    },
  };
}

function fromMap(
  script: ReadonlyMap<string, ScriptedAnswer | readonly ScriptedAnswer[]>,
  key: string,
  call: number,
): ScriptedAnswer | undefined {
  const answers = script.get(key);
  return isList(answers) ? answers[Math.min(call, answers.length - 1)] : answers;
}

function isList(
  value: ScriptedAnswer | readonly ScriptedAnswer[] | undefined,
): value is readonly ScriptedAnswer[] {
  return Array.isArray(value);
}

function plainReply(id: string, { parts }: ChatRequest, text: string): ChatReply {
  const characters = parts.reduce((sum, part) => sum + (part.type === 'text' ? part.text.length : 0), 0);
  return {
    stop: 'complete',
    text,
    usage: {
      inputTokens: Math.ceil(characters / 4),
      cachedInputTokens: 0,
      cacheWriteTokens: 0,
      outputTokens: Math.ceil(text.length / 4),
      reasoningTokens: 0,
    },
    servedModel: id,
    providerRequestId: null,
    stopDetail: null,
  };
}
