import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { call, failureOf, png } from '../adapters/llm/helpers.js';
import { aQuestion } from './question.js';
import type { FakeProvider } from '../../src/fake-provider/index.js';
import { FAKE_KEY, fakeProvider, MODELS, realModel } from './helpers.js';

const answer = (): string => '{"answer":"B","evidence":["img02"]}';

describe.each(MODELS)('the stand-in and the real SDK of %s', (id) => {
  it('agree on a whole call, and the server saw every image in its order with its label', async () => {
    const fake = await fakeProvider({ answer });
    const reply = await (await realModel(fake, id)).chat(aQuestion(3), call);
    expect(reply).toMatchObject({ stop: 'complete', text: answer(), stopDetail: null });
    // 83 characters at 4 a token make 21, three images at 258 make 774.
    expect(reply.usage).toMatchObject({ inputTokens: 795, outputTokens: 9, cachedInputTokens: 0 });
    expect(reply.servedModel).toBe(id.split('/').at(-1));
    const [seen] = fake.calls();
    expect(seen).toMatchObject({ end: 'answered', status: 200, fault: null, notes: [] });
    expect(seen!.images.map(({ label }) => label)).toEqual(['Image img01:', 'Image img02:', 'Image img03:']);
    expect(seen!.images.map(({ sha256 }) => sha256)).toEqual(
      [1, 2, 3].map((n) =>
        createHash('sha256')
          .update(png(16, 12, n))
          .digest('hex'),
      ),
    );
    expect(seen!.images[0]).toMatchObject({ width: 16, height: 12, mediaType: 'image/png' });
  });

  it('count the same question under one key and another one under another', async () => {
    const fake = await fakeProvider();
    const model = await realModel(fake, id);
    const first = await model.chat(aQuestion(2), call);
    const again = await model.chat(aQuestion(2), call);
    await model.chat(aQuestion(3), call);
    expect(again.text).toBe(first.text);
    expect([...fake.answered().values()]).toEqual([2, 1]);
  });

  it('make a 429 with Retry-After a rate limit with that wait', async () => {
    const fake = await fakeProvider({ faults: () => ({ kind: 'rate-limit', retryAfterSeconds: 7 }) });
    const failure = await failureOf((await realModel(fake, id)).chat(aQuestion(1), call));
    expect(failure).toMatchObject({ kind: 'rate-limit', detail: { status: 429, retryAfterMs: 7000 } });
    expect(fake.calls()[0]).toMatchObject({ end: 'failed', status: 429, fault: 'rate-limit' });
  });

  it.each([
    { fault: 'server-error', kind: 'server', end: 'failed' },
    { fault: 'overloaded', kind: 'server', end: 'failed' },
    { fault: 'cut', kind: 'connection', end: 'cut' },
    { fault: 'empty', kind: 'bad-reply', end: 'failed' },
    { fault: 'bad-body', kind: 'bad-reply', end: 'failed' },
    { fault: 'hang', kind: 'timeout', end: 'hung' },
  ] as const)('make $fault a failure of kind $kind that may be tried again', async ({ fault, kind, end }) => {
    const fake = await fakeProvider({ faults: () => ({ kind: fault }) });
    const failure = await failureOf((await realModel(fake, id)).chat(aQuestion(1), call));
    expect(failure).toMatchObject({ kind, retryable: true });
    expect(failure.message).not.toContain(FAKE_KEY);
    expect(failure.message).not.toContain('upper lobe');
    // The socket's end comes a moment after the client's error.
    for (let i = 0; i < 50 && fake.calls()[0]!.end === null; i++) await new Promise((r) => setTimeout(r, 10));
    expect(fake.calls()[0]!.end).toBe(end);
    expect(fake.answered().size).toBe(0);
  });

  it('take a slow trickle for what it is: a whole reply', async () => {
    const fake = await fakeProvider({ answer, faults: () => ({ kind: 'trickle' }) });
    expect(await (await realModel(fake, id)).chat(aQuestion(1), call)).toMatchObject({
      stop: 'complete',
      text: answer(),
    });
  });

  it.each([
    { fault: 'truncation', stop: 'truncated' },
    { fault: 'blocked', stop: 'blocked' },
    // Gemini has no form for a refusal: its models just say so.
    { fault: 'refusal', stop: id.startsWith('gemini/') ? 'complete' : 'refused' },
  ] as const)('make $fault a reply that is $stop', async ({ fault, stop }) => {
    const fake = await fakeProvider({ answer, faults: () => ({ kind: fault }) });
    const reply = await (await realModel(fake, id)).chat(aQuestion(1), call);
    expect(reply.stop).toBe(stop);
  });

  it('refuse a call without a key', async () => {
    const fake = await fakeProvider();
    const { url, path, headers } = plainCall(fake, id);
    const response = await fetch(url + path, { method: 'POST', headers, body: '{}' });
    expect(response.status).toBe(401);
    expect(fake.calls()).toEqual([]);
  });
});

/** Where a model of this kind is called, with every header but the key. */
function plainCall({ urls }: FakeProvider, id: string) {
  const headers: Record<string, string> = { 'anthropic-version': '2023-06-01' };
  if (id.startsWith('anthropic/')) return { url: urls.anthropic, path: '/v1/messages', headers };
  if (id.startsWith('gemini/'))
    return { url: urls.gemini, path: '/v1beta/models/m:generateContent', headers };
  return { url: urls.openai, path: id.startsWith('openai/') ? '/responses' : '/chat/completions', headers };
}
