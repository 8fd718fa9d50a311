import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { anthropicModel } from '../../../src/adapters/llm/anthropic.js';
import type { ChatModel } from '../../../src/adapters/llm/chat-model.js';
import { geminiModel } from '../../../src/adapters/llm/gemini.js';
import { openaiChatModel } from '../../../src/adapters/llm/openai-chat.js';
import { openaiModel } from '../../../src/adapters/llm/openai.js';
import type { ProviderAccess } from '../../../src/adapters/llm/provider-access.js';
import {
  access,
  aRequest,
  call,
  cutBody,
  endlessBody,
  failureOf,
  fakeFetch,
  imagePart,
  json,
  KEY,
} from './helpers.js';

type Part = { type: 'text'; text: string } | { type: 'image'; base64: string };
interface Adapter {
  readonly name: string;
  readonly make: (access: ProviderAccess) => Promise<ChatModel>;
  readonly ok: unknown;
  /** The parts of a request as it went over the wire, read without our own code. */
  readonly parts: (body: string) => Part[];
}

/* eslint-disable @typescript-eslint/no-explicit-any, @typescript-eslint/no-unsafe-member-access, @typescript-eslint/no-unsafe-call, @typescript-eslint/no-unsafe-return, @typescript-eslint/no-unsafe-argument, @typescript-eslint/no-unsafe-assignment -- bodies are read as a server reads them */
const afterComma = (url: string): string => url.slice(url.indexOf(',') + 1);
const ADAPTERS: readonly Adapter[] = [
  {
    name: 'openai',
    make: openaiModel,
    ok: {
      id: 'r',
      model: 'm',
      status: 'completed',
      output: [{ type: 'message', content: [{ type: 'output_text', text: 'TEXT' }] }],
    },
    parts: (body) =>
      JSON.parse(body).input[0].content.map((part: any) =>
        part.type === 'input_text'
          ? { type: 'text', text: part.text }
          : { type: 'image', base64: afterComma(part.image_url) },
      ),
  },
  {
    name: 'openai-chat',
    make: openaiChatModel,
    ok: { id: 'r', model: 'm', choices: [{ finish_reason: 'stop', message: { content: 'TEXT' } }] },
    parts: (body) =>
      JSON.parse(body).messages[0].content.map((part: any) =>
        part.type === 'text'
          ? { type: 'text', text: part.text }
          : { type: 'image', base64: afterComma(part.image_url.url) },
      ),
  },
  {
    name: 'anthropic',
    make: anthropicModel,
    ok: {
      id: 'r',
      model: 'm',
      type: 'message',
      stop_reason: 'end_turn',
      content: [{ type: 'text', text: 'TEXT' }],
    },
    parts: (body) =>
      JSON.parse(body).messages[0].content.map((part: any) =>
        part.type === 'text'
          ? { type: 'text', text: part.text }
          : { type: 'image', base64: part.source.data },
      ),
  },
  {
    name: 'gemini',
    make: geminiModel,
    ok: { candidates: [{ finishReason: 'STOP', content: { parts: [{ text: 'TEXT' }] } }] },
    parts: (body) =>
      JSON.parse(body).contents[0].parts.map((part: any) =>
        part.inlineData ? { type: 'image', base64: part.inlineData.data } : { type: 'text', text: part.text },
      ),
  },
];
/* eslint-enable */

describe.each(ADAPTERS)('$name', ({ make, ok, parts }) => {
  const withFetch = (
    fetch: typeof globalThis.fetch,
    more: Partial<ProviderAccess> = {},
  ): Promise<ChatModel> => make(access({ fetch, ...more }));

  it('trap §1.1/5, pain 5: keeps every text and image in its place', async () => {
    const fetch = fakeFetch(() => json(ok));
    const request = aRequest({}, 3);
    const reply = await (await withFetch(fetch)).chat(request, call);
    expect(reply).toMatchObject({ stop: 'complete', text: 'TEXT' });
    expect(
      parts(fetch.calls[0]!.body).map((part) =>
        part.type === 'text'
          ? part.text
          : createHash('sha256').update(Buffer.from(part.base64, 'base64')).digest('hex'),
      ),
    ).toEqual(request.parts.map((part) => (part.type === 'text' ? part.text : part.sha256)));
  });

  it('trap §1.3, pain 4: sends all of 24 images and says so', async () => {
    const fetch = fakeFetch(() => json(ok));
    const reply = await (await withFetch(fetch)).chat(aRequest({}, 24), call);
    expect(parts(fetch.calls[0]!.body).filter(({ type }) => type === 'image')).toHaveLength(24);
    expect(reply.sent).toHaveLength(24);
  });

  it('trap §1.5: a text that looks like a path, a URL or a template stays a text', async () => {
    const fetch = fakeFetch(() => json(ok));
    const texts = ['/etc/passwd', 'https://host/x.png', '<image>', '["a","b"]', 'data:image/png;base64,QUJD'];
    const request = aRequest({ parts: texts.map((text) => ({ type: 'text' as const, text })) });
    await (await withFetch(fetch)).chat(request, call);
    expect(parts(fetch.calls[0]!.body)).toEqual(texts.map((text) => ({ type: 'text', text })));
  });

  it('pain 6: an image whose bytes are not those of the release is not sent', async () => {
    const fetch = fakeFetch(() => json(ok));
    const other = imagePart(9, 6, 99);
    const [part] = [imagePart(9, 6, 1)];
    const swapped = { ...part, bytes: other.type === 'image' ? other.bytes : undefined! } as typeof part;
    const request = aRequest({ parts: [{ type: 'text', text: 'x' }, swapped] });
    const error = await failureOf((await withFetch(fetch)).chat(request, call));
    expect(error).toMatchObject({ kind: 'bad-request' });
    expect(error.message).toContain('image 0 has another sha256');
    expect(fetch.calls).toHaveLength(0);
  });

  it('pain 9: sends no temperature, top_p or seed unless asked', async () => {
    const fetch = fakeFetch(() => json(ok));
    await (await withFetch(fetch)).chat(aRequest({}, 0), call);
    expect(fetch.calls[0]!.body).not.toMatch(/temperature|top_?[pk]|seed/iu);
  });

  it('pain 3: offers E like every other letter', async () => {
    const fetch = fakeFetch(() => json(ok));
    await (await withFetch(fetch)).chat(aRequest({}, 0), call);
    expect(fetch.calls[0]!.body).toContain('["A","B","C","D","E"]');
  });

  it.each([
    [401, 'auth', undefined],
    [403, 'auth', undefined],
    [404, 'no-such-model', undefined],
    [408, 'timeout', undefined],
    [413, 'bad-request', undefined],
    [422, 'bad-request', undefined],
    [429, 'rate-limit', 7000],
    [500, 'server', 7000],
    [503, 'server', 7000],
    [529, 'server', 7000],
  ] as const)(
    '§7 retry defaults: answers HTTP %i with one %s error and no try of its own',
    async (status, kind, wait) => {
      const fetch = fakeFetch(() =>
        json({ error: { message: `PROMPT-TEXT ${KEY}` } }, status, { 'retry-after': '7' }),
      );
      const error = await failureOf((await withFetch(fetch)).chat(aRequest(), call));
      expect(error).toMatchObject({ kind, detail: { status } });
      if (wait !== undefined) expect(error.detail.retryAfterMs).toBe(wait);
      expect(fetch.calls).toHaveLength(1);
    },
  );

  it.each([
    ['a body that breaks off', () => cutBody(), 'connection'],
    [
      'malformed JSON',
      () => new Response('{"PROMPT-TEXT', { headers: { 'content-type': 'application/json' } }),
      'bad-reply',
    ],
    [
      'a page of HTML',
      () => new Response('<html>PROMPT-TEXT</html>', { headers: { 'content-type': 'text/html' } }),
      'bad-reply',
    ],
    [
      'an empty body',
      () => new Response('', { headers: { 'content-type': 'application/json' } }),
      'bad-reply',
    ],
    ['an empty object', () => json({}), 'bad-reply'],
    [
      'a refused connection',
      () => {
        throw Object.assign(new TypeError('fetch failed'), { cause: { code: 'ECONNREFUSED' } });
      },
      'connection',
    ],
    [
      'a socket time-out',
      () => {
        throw Object.assign(new TypeError('fetch failed'), { cause: { code: 'UND_ERR_HEADERS_TIMEOUT' } });
      },
      'timeout',
    ],
  ] as const)('takes %s as an error that may be tried again', async (_name, answer, kind) => {
    const fetch = fakeFetch(answer);
    const error = await failureOf((await withFetch(fetch)).chat(aRequest(), call));
    expect(error.kind).toBe(kind);
    expect(error.retryable).toBe(true);
    expect(fetch.calls).toHaveLength(1);
  });

  it.each([
    ['no reply at all', () => new Promise<Response>(() => undefined)],
    ['a body that never ends', () => endlessBody()],
  ] as const)('gives up on %s in its time', async (_name, answer) => {
    const model = await withFetch(fakeFetch(answer), { timeoutMs: 40 });
    expect(await failureOf(model.chat(aRequest(), call))).toMatchObject({ kind: 'timeout' });
  });

  it('stops at once when it is told to, and leaves no listener behind', async () => {
    const stop = new AbortController();
    const model = await withFetch(fakeFetch(() => new Promise<Response>(() => undefined)));
    const working = failureOf(model.chat(aRequest(), { signal: stop.signal }));
    setTimeout(() => stop.abort(), 20);
    expect(await working).toMatchObject({ kind: 'aborted', retryable: false });
    expect(await failureOf(model.chat(aRequest(), { signal: stop.signal }))).toMatchObject({
      kind: 'aborted',
    });
  });

  it('tells nothing of key, prompt, images or the provider in any error', async () => {
    const image = (await (aRequest().parts[2] as { bytes: () => Promise<Uint8Array> }).bytes()) as Buffer;
    const base64 = image.toString('base64');
    const told = `PROMPT-TEXT QUESTION-TEXT ${KEY} ${base64}`;
    const answers: (() => Response | Promise<Response>)[] = [
      ...[400, 401, 403, 404, 413, 429, 500].map(
        (status) => () => json({ error: { message: told, type: told, code: told, status: told } }, status),
      ),
      () => new Response(told, { status: 500 }),
      () => new Response(told, { headers: { 'content-type': 'application/json' } }),
      () => json({ told, status: told, output: told, choices: told, content: told, candidates: told }),
      () => {
        throw new TypeError(told, { cause: new Error(told) });
      },
      () => cutBody(),
    ];
    for (const answer of answers) {
      const error: unknown = await (
        await withFetch(fakeFetch(answer))
      )
        .chat(aRequest(), call)
        .catch((e: unknown) => e);
      const all = JSON.stringify(error, Object.getOwnPropertyNames(error)) + String(error);
      expect(all).not.toMatch(/PROMPT-TEXT|QUESTION-TEXT|SECRET/u);
      expect(all).not.toContain(base64.slice(0, 24));
      expect((error as Error).cause).toBeUndefined();
    }
  });
});
