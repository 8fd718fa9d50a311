import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ChatModel, ChatReply, ChatRequest } from '../../../src/adapters/llm/chat-model.js';
import { requestCacheKey } from '../../../src/adapters/llm/request-key.js';
import { withCache } from '../../../src/adapters/llm/response-cache.js';
import { fileStore } from '../../../src/adapters/store/index.js';
import { answerSchema } from '../../../src/adapters/llm/answer-schema.js';
import { aRequest, call, imagePart, modelOf } from './helpers.js';

const REPLY: ChatReply = {
  stop: 'complete',
  text: '{"answer":"A"}',
  usage: { inputTokens: 9, cachedInputTokens: 0, cacheWriteTokens: 0, outputTokens: 4, reasoningTokens: 0 },
  servedModel: 'm-1',
  providerRequestId: 'r',
  stopDetail: null,
  sent: [{ sha256: 'ab', width: 1, height: 2, bytes: 3 }],
};

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'groundmark-cache-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

function counted(reply: ChatReply | (() => ChatReply), overrides: Partial<ChatModel> = {}) {
  let calls = 0;
  const model = modelOf(async () => {
    calls += 1;
    return typeof reply === 'function' ? reply() : reply;
  }, overrides);
  return { model: withCache(model, { folder, store: fileStore() }), calls: () => calls };
}

async function files(): Promise<string[]> {
  return (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
}

describe('the cache', () => {
  it('gives a complete reply again, says so, and asks nobody', async () => {
    const { model, calls } = counted({ ...REPLY, attempts: 3, usd: 0.5 });
    expect(await model.chat(aRequest(), call)).toEqual({ ...REPLY, attempts: 3, usd: 0.5 });
    expect(await model.chat(aRequest({ key: 'another-name' }), call)).toEqual({
      ...REPLY,
      fromCache: true,
      attempts: 0,
      usd: 0,
    });
    expect(calls()).toBe(1);
    expect(await files()).toHaveLength(1);
  });

  it.each(['refused', 'blocked', 'truncated'] as const)(
    'pain 12: keeps no reply that is %s',
    async (stop) => {
      const { model, calls } = counted({ ...REPLY, stop });
      await model.chat(aRequest(), call);
      await model.chat(aRequest(), call);
      expect(calls()).toBe(2);
      expect(await files()).toEqual([]);
    },
  );

  it('keeps no empty reply and no error', async () => {
    const empty = counted({ ...REPLY, text: '' });
    await empty.model.chat(aRequest(), call);
    const broken = counted(() => {
      throw new Error('x');
    });
    await expect(broken.model.chat(aRequest(), call)).rejects.toThrow('x');
    expect(await files()).toEqual([]);
  });

  it.each([
    ['cut', (text: string) => text.slice(0, -20)],
    ['empty', () => ''],
    ['edited', (text: string) => text.replace('\\"A\\"', '\\"B\\"')],
    ['of another key', (text: string) => text.replace(/"key":"../u, '"key":"zz')],
    ['of another shape', () => '{"reply":{"text":"x"}}'],
  ])('takes an entry that is %s for absent, and writes it anew', async (_name, damage) => {
    const { model, calls } = counted(REPLY);
    await model.chat(aRequest(), call);
    const [file] = await files();
    const before = await readFile(file!, 'utf8');
    expect(damage(before)).not.toBe(before);
    await writeFile(file!, damage(before));
    expect((await model.chat(aRequest(), call)).fromCache).toBeUndefined();
    expect(calls()).toBe(2);
    expect(await readFile(file!, 'utf8')).toBe(before);
  });

  it('loses no reply when it cannot be written', async () => {
    const problems: unknown[] = [];
    const store = { ...fileStore(), write: () => Promise.reject(new Error('disk full')) };
    const model = withCache(
      modelOf(async () => REPLY),
      {
        folder,
        store,
        onNotKept: (error) => problems.push(error),
      },
    );
    expect(await model.chat(aRequest(), call)).toEqual(REPLY);
    expect(problems).toHaveLength(1);
  });

  it('holds no prompt, question or image', async () => {
    const { model } = counted(REPLY);
    await model.chat(aRequest(), call);
    expect(await readFile((await files())[0]!, 'utf8')).not.toMatch(/PROMPT-TEXT|QUESTION-TEXT|iVBOR/u);
  });
});

describe('pain 10: the key of a reply', () => {
  const model = { id: 'openai/x', sdk: 'openai@6', fingerprint: 'v1 http://a' };
  const base = aRequest();
  const key = (request: ChatRequest, of: Parameters<typeof requestCacheKey>[0] = model): string =>
    requestCacheKey(of, request);

  it('is the same for the same request under another name', () => {
    expect(key({ ...base, key: 'x' })).toBe(key(base));
    expect(key(base)).toMatch(/^[0-9a-f]{64}$/);
  });

  const swapped = [...base.parts];
  [swapped[2], swapped[4]] = [swapped[4]!, swapped[2]!];
  it.each<[string, ChatRequest, Parameters<typeof requestCacheKey>[0]]>([
    ['epoch', { ...base, epoch: 2 }, model],
    ['image bytes', { ...base, parts: base.parts.map((p, i) => (i === 2 ? imagePart(9, 6, 77) : p)) }, model],
    ['image order', { ...base, parts: swapped }, model],
    ['text', { ...base, parts: [{ type: 'text', text: 'other' }, ...base.parts.slice(1)] }, model],
    ['schema', { ...base, schema: answerSchema(['A', 'B']) }, model],
    ['output bound', { ...base, maxOutputTokens: 501 }, model],
    ['temperature', { ...base, temperature: 0 }, model],
    ['model', base, { ...model, id: 'openai/y' }],
    ['SDK major', base, { ...model, sdk: 'openai@7' }],
    ['adapter or base URL', base, { ...model, fingerprint: 'v1 http://b' }],
  ])('changes with the %s', (_what, request, of) => {
    expect(key(request, of)).not.toBe(key(base));
  });

  it('does not join two texts', () => {
    const two = (a: string, b: string): ChatRequest => ({
      ...base,
      parts: [
        { type: 'text', text: a },
        { type: 'text', text: b },
      ],
    });
    expect(key(two('a', 'bc'))).not.toBe(key(two('ab', 'c')));
  });
});
