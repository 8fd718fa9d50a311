import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { configSchema } from '../../../src/domain/config.js';
import { isProviderModel, parseModelId } from '../../../src/adapters/llm/model-id.js';
import { makeChatModel, type ModelSources } from '../../../src/adapters/llm/registry.js';
import { aRequest, call, fakeFetch, json } from './helpers.js';

const OK = {
  openai: { status: 'completed', output: [] },
  chat: { choices: [{ finish_reason: 'stop', message: { content: 'x' } }] },
  anthropic: { content: [], stop_reason: 'end_turn' },
  gemini: { candidates: [{ finishReason: 'STOP' }] },
};

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'groundmark-key-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

function sources(
  environment: Record<string, string>,
  providers: unknown = {},
  reply: unknown = OK.openai,
): ModelSources & { fetch: ReturnType<typeof fakeFetch> } {
  const config = configSchema.parse({
    cases: 'cases.csv',
    reviewers: [
      { id: 'a', model: 'file' },
      { id: 'b', model: 'file' },
    ],
    providers,
  });
  return {
    config,
    environment: (name) => environment[name],
    clock: () => new Date('2026-01-02T03:04:05Z'),
    fetch: fakeFetch(() => json(reply)),
  };
}

const LOCAL = { local: { baseUrl: 'http://gpu:8000/v1', keyEnv: 'LOCAL_KEY' } };

describe('a model', () => {
  it.each<[string, Record<string, string>, unknown, unknown, string]>([
    ['openai/m', { OPENAI_API_KEY: 'k' }, {}, OK.openai, 'https://api.openai.com/v1/responses'],
    ['anthropic/m', { ANTHROPIC_API_KEY: 'k' }, {}, OK.anthropic, 'https://api.anthropic.com/v1/messages'],
    [
      'gemini/m',
      { GOOGLE_API_KEY: 'k' },
      {},
      OK.gemini,
      'https://generativelanguage.googleapis.com/v1beta/models/m:generateContent',
    ],
    [
      'openai-compatible/local/org/m',
      { LOCAL_KEY: 'k' },
      LOCAL,
      OK.chat,
      'http://gpu:8000/v1/chat/completions',
    ],
    [
      'openai/m',
      { OPENAI_API_KEY: 'k', OPENAI_BASE_URL: 'http://a/v1/' },
      {},
      OK.openai,
      'http://a/v1/responses',
    ],
    [
      'anthropic/m',
      { ANTHROPIC_API_KEY: 'k', ANTHROPIC_BASE_URL: 'http://a' },
      {},
      OK.anthropic,
      'http://a/v1/messages',
    ],
    [
      'gemini/m',
      { GEMINI_API_KEY: 'k', GOOGLE_GEMINI_BASE_URL: 'http://a' },
      {},
      OK.gemini,
      'http://a/v1beta/models/m:generateContent',
    ],
    [
      'openai/m',
      { OPENAI_API_KEY: 'k', OPENAI_BASE_URL: 'http://a/v1' },
      { openai: { baseUrl: 'http://b/v1' } },
      OK.openai,
      'http://b/v1/responses',
    ],
  ])('%s with %o is reached at its address (%#)', async (id, environment, providers, reply, url) => {
    const from = sources(environment, providers, reply);
    const model = await makeChatModel(id, from);
    expect(model.id).toBe(id);
    // Nothing is called before the first question.
    expect(from.fetch.calls).toEqual([]);
    await model.chat(aRequest({}, 0), call);
    expect(from.fetch.calls.map((seen) => seen.url)).toEqual([url]);
  });

  it('of a server without a key sends none of ours', async () => {
    const from = sources(
      {
        OPENAI_API_KEY: 'ours',
        OPENAI_ORG_ID: 'org',
        OPENAI_CUSTOM_HEADERS: 'X-Secret: ours\nX-Other: ours',
      },
      { local: { baseUrl: 'http://gpu/v1' } },
      OK.chat,
    );
    const model = await makeChatModel('openai-compatible/local/m', from);
    process.env.OPENAI_CUSTOM_HEADERS = 'X-Secret: ours\nX-Other: ours';
    try {
      await model.chat(aRequest({}, 0), call);
      const made = await makeChatModel('openai-compatible/local/m', from);
      await made.chat(aRequest({}, 0), call);
    } finally {
      delete process.env.OPENAI_CUSTOM_HEADERS;
    }
    for (const { headers } of from.fetch.calls) {
      expect(headers.get('authorization')).toBe('Bearer none');
      expect([...headers.values()].join(' ')).not.toContain('ours');
    }
  });

  it('shares its limits with the models of its provider', async () => {
    const from = sources({ OPENAI_API_KEY: 'k', LOCAL_KEY: 'k' }, LOCAL);
    expect((await makeChatModel('openai/a', from)).provider).toBe('openai');
    expect((await makeChatModel('openai-compatible/local/a', from)).provider).toBe('openai-compatible/local');
  });

  it('of another address has another fingerprint: a stand-in must not answer for the real one from the cache', async () => {
    const real = await makeChatModel('openai/m', sources({ OPENAI_API_KEY: 'k' }));
    const standIn = await makeChatModel(
      'openai/m',
      sources({ OPENAI_API_KEY: 'k', OPENAI_BASE_URL: 'http://x' }),
    );
    expect(standIn.fingerprint).not.toBe(real.fingerprint);
    expect(`${real.fingerprint} ${standIn.fingerprint}`).not.toContain('k ');
  });

  it.each([
    [{ maxImages: 3, structuredOutput: false }, 3, false],
    [{}, null, true],
  ])('takes what groundmark.yaml says of its server: %o', async (own, maxImages, structuredOutput) => {
    const from = sources({}, { local: { baseUrl: 'http://gpu/v1', ...own } });
    expect((await makeChatModel('openai-compatible/local/m', from)).capabilities).toMatchObject({
      maxImages,
      structuredOutput,
    });
  });
});

describe('a key', () => {
  it('comes from a file that a variable names, without its line feed', async () => {
    const file = path.join(folder, 'key');
    await writeFile(file, 'sk-from-file\n');
    const from = sources({ OPENAI_API_KEY_FILE: file });
    await (await makeChatModel('openai/m', from)).chat(aRequest({}, 0), call);
    expect(from.fetch.calls[0]!.headers.get('authorization')).toBe('Bearer sk-from-file');
  });

  it.each([
    ['openai/m', {}, {}, 'no-api-key', 'OPENAI_API_KEY is not set'],
    ['anthropic/m', { OPENAI_API_KEY: 'k' }, {}, 'no-api-key', 'ANTHROPIC_API_KEY is not set'],
    ['gemini/m', {}, {}, 'no-api-key', 'GEMINI_API_KEY and GOOGLE_API_KEY are not set'],
    ['openai-compatible/local/m', { OPENAI_API_KEY: 'k' }, LOCAL, 'no-api-key', 'LOCAL_KEY is not set'],
    ['openai/m', { OPENAI_API_KEY: '  ' }, {}, 'no-api-key', 'OPENAI_API_KEY is not set'],
    [
      'openai/m',
      { OPENAI_API_KEY: 'sk-SECRET with a blank' },
      {},
      'bad-api-key',
      'OPENAI_API_KEY holds no API key',
    ],
    ['openai/m', { OPENAI_API_KEY: 'sk-SECRET\nx' }, {}, 'bad-api-key', 'OPENAI_API_KEY holds no API key'],
    [
      'openai/m',
      { OPENAI_API_KEY_FILE: '/nowhere/sk-SECRET' },
      {},
      'bad-api-key',
      'OPENAI_API_KEY_FILE names a file',
    ],
  ])('of %s from %o is missed before any call (%#)', async (id, environment, providers, code, text) => {
    const from = sources(environment, providers);
    const error: unknown = await makeChatModel(id, from).catch((e: unknown) => e);
    expect(error).toMatchObject({ code, exit: 4, message: expect.stringContaining(text) as string });
    expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain('SECRET');
    expect(from.fetch.calls).toEqual([]);
  });
});

describe('a model id', () => {
  it.each([
    ['openai/gpt-5', { kind: 'openai', provider: 'openai', configName: 'openai', model: 'gpt-5' }],
    [
      'openai-compatible/router/org/m:free',
      {
        kind: 'openai-compatible',
        provider: 'openai-compatible/router',
        configName: 'router',
        model: 'org/m:free',
      },
    ],
  ])('%s is %o', (id, expected) => {
    expect(parseModelId(id)).toEqual({ id, ...expected });
  });

  it.each(['openai', 'openai/', 'openai-compatible/x', 'openai-compatible//m', 'azure/m', '', '/m'])(
    '%s names no model',
    (id) => {
      expect(() => parseModelId(id)).toThrowError(
        expect.objectContaining({ code: 'unknown-model', exit: 2 }),
      );
    },
  );

  it('is told apart from the built-in ones', () => {
    expect(isProviderModel('gemini/x')).toBe(true);
    expect(isProviderModel('baseline/random')).toBe(false);
  });

  it('of a server that groundmark.yaml does not know says what to add', async () => {
    await expect(makeChatModel('openai-compatible/nowhere/m', sources({}, LOCAL))).rejects.toMatchObject({
      code: 'unknown-provider',
      message: expect.stringContaining('providers there: local') as string,
    });
  });
});
