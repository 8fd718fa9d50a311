import { createHash } from 'node:crypto';
import { crc32, deflateSync } from 'node:zlib';
import {
  ChatError,
  type ChatModel,
  type ChatPart,
  type ChatRequest,
} from '../../../src/adapters/llm/chat-model.js';
import { answerSchema } from '../../../src/adapters/llm/answer-schema.js';
import { chatError } from '../../../src/adapters/llm/chat-errors.js';
import { anyAborted, onAbort } from '../../../src/adapters/llm/on-abort.js';
import type { ProviderAccess } from '../../../src/adapters/llm/provider-access.js';
import type { Time } from '../../../src/adapters/llm/time.js';

/** A grey PNG whose pixels follow from a seed; no library of ours has a hand in it. */
export function png(width: number, height: number, seed = 1): Buffer {
  const rows: number[] = [];
  for (let y = 0; y < height; y++) {
    rows.push(0);
    for (let x = 0; x < width; x++) rows.push((x * 7 + y * 13 + seed * 101) & 255);
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 0, 0, 0, 0], 8);
  const chunk = (type: string, data: Buffer): Buffer => {
    const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
    const length = Buffer.alloc(4);
    length.writeUInt32BE(data.length);
    const check = Buffer.alloc(4);
    check.writeUInt32BE(crc32(named));
    return Buffer.concat([length, named, check]);
  };
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.from(rows))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

export function imagePart(width: number, height: number, seed = 1): ChatPart {
  const bytes = png(width, height, seed);
  return {
    type: 'image',
    bytes: async () => bytes,
    mediaType: 'image/png',
    sha256: createHash('sha256').update(bytes).digest('hex'),
    width,
    height,
  };
}

/** The prompt, then id and image in turn, then the question: the order that every adapter must keep. */
export function aRequest(overrides: Partial<ChatRequest> = {}, images = 2): ChatRequest {
  const parts: ChatPart[] = [{ type: 'text', text: 'PROMPT-TEXT' }];
  for (let i = 1; i <= images; i++) {
    parts.push({ type: 'text', text: `Image img${i}:` }, imagePart(8 + i, 6, i));
  }
  parts.push({ type: 'text', text: 'QUESTION-TEXT' });
  return {
    key: 'item-1',
    parts,
    schema: answerSchema(['A', 'B', 'C', 'D', 'E']),
    maxOutputTokens: 500,
    epoch: 1,
    ...overrides,
  };
}

export const KEY = 'sk-SECRET-1234567890';

export function access(overrides: Partial<ProviderAccess> = {}): ProviderAccess {
  return {
    id: 'test/model',
    provider: 'test',
    model: 'model-x',
    baseUrl: 'http://provider.test/v1',
    apiKey: KEY,
    capabilities: ANY,
    timeoutMs: 5000,
    clock: () => new Date('2026-01-02T03:04:05Z'),
    ...overrides,
  };
}

export const ANY = {
  maxImages: null,
  maxImageBytes: null,
  maxImagePixels: null,
  maxRequestBytes: null,
  structuredOutput: true,
  temperature: true,
  batch: true,
};

/** One call as a fake fetch saw it. */
export interface SeenCall {
  readonly url: string;
  readonly method: string;
  readonly headers: Headers;
  readonly body: string;
}

/** A fetch for the real SDKs that answers without a network and remembers what was asked. */
export function fakeFetch(
  answer: (call: SeenCall, n: number) => Response | Promise<Response>,
): typeof globalThis.fetch & { readonly calls: SeenCall[] } {
  const calls: SeenCall[] = [];
  const fetch = async (input: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    const { signal } = init;
    if (signal?.aborted) throw new DOMException('aborted', 'AbortError');
    const call = {
      url: String(input instanceof Request ? input.url : input),
      method: init.method ?? 'GET',
      headers: new Headers(init.headers),
      body: typeof init.body === 'string' ? init.body : await new Response(init.body).text(),
    };
    calls.push(call);
    const stopped = new Promise<never>((_resolve, reject) => {
      signal?.addEventListener('abort', () => reject(new DOMException('aborted', 'AbortError')));
    });
    return Promise.race([Promise.resolve(answer(call, calls.length)), stopped]);
  };
  return Object.assign(fetch, { calls });
}

export function json(value: unknown, status = 200, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify(value), {
    status,
    headers: { 'content-type': 'application/json', ...headers },
  });
}

/** A reply whose body breaks off. */
export function cutBody(): Response {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(new TextEncoder().encode('{"id": "half'));
      controller.error(Object.assign(new TypeError('terminated'), { cause: { code: 'UND_ERR_SOCKET' } }));
    },
  });
  return new Response(body, { headers: { 'content-type': 'application/json' } });
}

/** A reply that has begun and never ends. */
export function endlessBody(): Response {
  return new Response(new ReadableStream({ start: (c) => c.enqueue(new TextEncoder().encode('{')) }), {
    headers: { 'content-type': 'application/json' },
  });
}

export async function failureOf(work: Promise<unknown>): Promise<ChatError> {
  const error = await work.then(
    () => {
      throw new Error('expected a failure');
    },
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof ChatError)) throw error;
  return error;
}

export const call = { signal: new AbortController().signal };

/** Time that moves only when it is told to, or when everyone sleeps. */
export class FakeTime implements Time {
  #now = 0;
  #sleepers: { readonly at: number; readonly wake: () => void }[] = [];

  now(): number {
    return this.#now;
  }

  sleep(ms: number, signals: readonly AbortSignal[] = []): Promise<void> {
    return new Promise((resolve, reject) => {
      const sleeper = { at: this.#now + ms, wake: resolve };
      this.#sleepers.push(sleeper);
      const stopped = (): void => {
        this.#sleepers = this.#sleepers.filter((other) => other !== sleeper);
        reject(chatError('aborted', 'test', 'stopped'));
      };
      if (anyAborted(signals)) stopped();
      else onAbort(signals, stopped);
    });
  }

  /** Moves from sleeper to sleeper until `work` has ended. */
  async until<T>(work: Promise<T>): Promise<T> {
    let ended = false;
    const done = work.finally(() => {
      ended = true;
    });
    done.catch(() => undefined);
    for (;;) {
      for (let i = 0; i < 60; i++) await Promise.resolve();
      await new Promise((resolve) => setImmediate(resolve));
      if (ended) return done;
      this.#sleepers.sort((a, b) => a.at - b.at);
      const next = this.#sleepers.shift();
      if (!next) continue;
      this.#now = Math.max(this.#now, next.at);
      next.wake();
    }
  }
}

/** A model that does what a function says. */
export function modelOf(chat: ChatModel['chat'], overrides: Partial<ChatModel> = {}): ChatModel {
  return { id: 'test/model', provider: 'test', capabilities: ANY, sdk: 'test@1', chat, ...overrides };
}
