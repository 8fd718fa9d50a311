import { describe, expect, it } from 'vitest';
import type { GenerateContentResponse } from '@google/genai';
import {
  fromGeminiReply,
  geminiModel,
  geminiStop,
  toGeminiRequest,
} from '../../../src/adapters/llm/gemini.js';
import { access, aRequest, call, failureOf, fakeFetch, json } from './helpers.js';

function reply(overrides: Record<string, unknown> = {}): GenerateContentResponse {
  return {
    responseId: 'r-1',
    modelVersion: 'gemini-x-001',
    candidates: [
      {
        index: 0,
        finishReason: 'STOP',
        content: { role: 'model', parts: [{ text: 'thinking', thought: true }, { text: '{"answer":"C"}' }] },
      },
    ],
    usageMetadata: {
      promptTokenCount: 900,
      cachedContentTokenCount: 100,
      candidatesTokenCount: 20,
      thoughtsTokenCount: 300,
      totalTokenCount: 1220,
    },
    ...overrides,
  } as unknown as GenerateContentResponse;
}

describe('the request to Gemini', () => {
  it('has these parameters and no other', () => {
    expect(toGeminiRequest('gemini-x', aRequest({}, 1), [null, null, 'QUJD', null])).toEqual({
      model: 'gemini-x',
      contents: [
        {
          role: 'user',
          parts: [
            { text: 'PROMPT-TEXT' },
            { text: 'Image img1:' },
            { inlineData: { mimeType: 'image/png', data: 'QUJD' } },
            { text: 'QUESTION-TEXT' },
          ],
        },
      ],
      config: {
        mediaResolution: 'MEDIA_RESOLUTION_HIGH',
        store: false,
        automaticContinuation: false,
        responseMimeType: 'application/json',
        responseJsonSchema: aRequest().schema!.schema,
        maxOutputTokens: 500,
      },
    });
  });

  it('goes out in this form', async () => {
    const fetch = fakeFetch(() => json(reply()));
    const model = await geminiModel(access({ fetch, baseUrl: 'http://provider.test', model: 'gemini-x' }));
    await model.chat(aRequest({}, 1), call);
    expect(fetch.calls).toHaveLength(1);
    expect(fetch.calls[0]!.url).toBe('http://provider.test/v1beta/models/gemini-x:generateContent');
    expect(fetch.calls[0]!.headers.get('x-goog-api-key')).toBe('sk-SECRET-1234567890');
    const { contents, ...rest } = JSON.parse(fetch.calls[0]!.body) as Record<string, unknown>;
    expect((contents as { parts: unknown[] }[])[0]!.parts).toHaveLength(4);
    expect(rest).toEqual({
      store: false,
      generationConfig: {
        mediaResolution: 'MEDIA_RESOLUTION_HIGH',
        responseMimeType: 'application/json',
        responseJsonSchema: aRequest().schema!.schema,
        maxOutputTokens: 500,
      },
    });
  });
});

describe('a reply of Gemini', () => {
  it('counts thoughts as output; they are no text', () => {
    expect(fromGeminiReply(reply(), 'm')).toEqual({
      stop: 'complete',
      text: '{"answer":"C"}',
      usage: {
        inputTokens: 900,
        cachedInputTokens: 100,
        cacheWriteTokens: 0,
        outputTokens: 320,
        reasoningTokens: 300,
      },
      servedModel: 'gemini-x-001',
      providerRequestId: 'r-1',
      stopDetail: null,
    });
  });

  it.each([
    ['STOP', 'complete'],
    ['MAX_TOKENS', 'truncated'],
    ['CONTINUATION', 'truncated'],
    ['SAFETY', 'blocked'],
    ['RECITATION', 'blocked'],
    ['BLOCKLIST', 'blocked'],
    ['PROHIBITED_CONTENT', 'blocked'],
    ['SPII', 'blocked'],
    ['IMAGE_SAFETY', 'blocked'],
    ['LANGUAGE', 'blocked'],
    ['OTHER', 'blocked'],
    ['NOT_KNOWN_YET', 'blocked'],
    ['MALFORMED_FUNCTION_CALL', null],
    ['FINISH_REASON_UNSPECIFIED', null],
    ['none', null],
  ] as const)('that ends with %s is %s', (reason, stop) => {
    expect(geminiStop(reason)).toBe(stop);
  });

  it('without a candidate is blocked when the prompt was, and else a bad one', () => {
    const promptFeedback = { blockReason: 'PROHIBITED_CONTENT' };
    expect(fromGeminiReply(reply({ candidates: undefined, promptFeedback }), 'm')).toMatchObject({
      stop: 'blocked',
      stopDetail: 'PROHIBITED_CONTENT',
      text: '',
    });
    for (const nothing of [reply({ candidates: [] }), reply({ candidates: undefined }), undefined, {}]) {
      expect(() => fromGeminiReply(nothing as GenerateContentResponse, 'm')).toThrowError(
        expect.objectContaining({ kind: 'bad-reply' }),
      );
    }
  });
});

describe('an error of Gemini', () => {
  const error = (code: number, status: string, details: unknown[] = []): unknown => ({
    error: { code, status, message: 'PROMPT-TEXT', details },
  });

  it.each([
    [
      429,
      error(429, 'RESOURCE_EXHAUSTED', [
        { '@type': 'type.googleapis.com/google.rpc.QuotaFailure' },
        { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '34.07s' },
      ]),
      { kind: 'rate-limit', detail: { status: 429, retryAfterMs: 34_070 } },
    ],
    [
      429,
      error(429, 'RESOURCE_EXHAUSTED'),
      { kind: 'rate-limit', detail: { status: 429, retryAfterMs: 7000 } },
    ],
    [
      400,
      error(400, 'INVALID_ARGUMENT', [
        { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'API_KEY_INVALID' },
      ]),
      { kind: 'auth' },
    ],
    [400, error(400, 'INVALID_ARGUMENT'), { kind: 'bad-request' }],
    [404, error(404, 'NOT_FOUND'), { kind: 'no-such-model' }],
    [503, error(503, 'UNAVAILABLE'), { kind: 'server' }],
  ])('of status %i is known by its details or headers (%#)', async (status, body, expected) => {
    const fetch = fakeFetch(() => json(body, status, { 'retry-after': '7' }));
    const model = await geminiModel(access({ fetch }));
    expect(await failureOf(model.chat(aRequest(), call))).toMatchObject(expected);
    // The SDK's own five attempts are off.
    expect(fetch.calls).toHaveLength(1);
  });
});
