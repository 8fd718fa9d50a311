import { describe, expect, it } from 'vitest';
import type { Response as OpenaiResponse } from 'openai/resources/responses/responses';
import { fromOpenaiReply, openaiModel, toOpenaiRequest } from '../../../src/adapters/llm/openai.js';
import { access, aRequest, call, fakeFetch, json } from './helpers.js';

const message = (content: unknown[]): unknown => ({
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  status: 'completed',
  content,
});
const answer = { type: 'output_text', text: '{"answer":"B","evidence":["img1"]}', annotations: [] };

function reply(overrides: Record<string, unknown> = {}): OpenaiResponse {
  return {
    id: 'resp_1',
    object: 'response',
    model: 'gpt-x-2026-01-01',
    status: 'completed',
    error: null,
    incomplete_details: null,
    output: [{ type: 'reasoning', id: 'rs_1', summary: [] }, message([answer])],
    usage: {
      input_tokens: 1200,
      input_tokens_details: { cached_tokens: 1000, cache_write_tokens: 50 },
      output_tokens: 80,
      output_tokens_details: { reasoning_tokens: 60 },
      total_tokens: 1280,
    },
    ...overrides,
  } as unknown as OpenaiResponse;
}

describe('the request to OpenAI', () => {
  it('has these fields and no other', () => {
    const request = aRequest({}, 1);
    expect(toOpenaiRequest('gpt-x', request, [null, null, 'QUJD', null])).toEqual({
      model: 'gpt-x',
      input: [
        {
          role: 'user',
          content: [
            { type: 'input_text', text: 'PROMPT-TEXT' },
            { type: 'input_text', text: 'Image img1:' },
            { type: 'input_image', image_url: 'data:image/png;base64,QUJD', detail: 'high' },
            { type: 'input_text', text: 'QUESTION-TEXT' },
          ],
        },
      ],
      store: false,
      truncation: 'disabled',
      prompt_cache_key: expect.stringMatching(/^[0-9a-f]{32}$/) as string,
      text: {
        format: {
          type: 'json_schema',
          name: 'mcq_answer',
          strict: true,
          schema: {
            type: 'object',
            properties: {
              answer: { type: 'string', enum: ['A', 'B', 'C', 'D', 'E'] },
              evidence: { type: 'array', items: { type: 'string' } },
            },
            required: ['answer', 'evidence'],
            additionalProperties: false,
          },
        },
      },
      max_output_tokens: 500,
    });
  });

  it('gives repeats of an item one cache key and other items another', () => {
    const key = (request: ReturnType<typeof aRequest>): unknown =>
      toOpenaiRequest('gpt-x', request, [null, null, '', null, '', null]).prompt_cache_key;
    expect(key(aRequest({ epoch: 2, key: 'other' }))).toBe(key(aRequest()));
    expect(key(aRequest({}, 1))).not.toBe(key(aRequest()));
  });
});

describe('a reply of OpenAI', () => {
  it('gives text, tokens and names; reasoning items are no text', () => {
    expect(fromOpenaiReply(reply(), 'openai/gpt-x')).toEqual({
      stop: 'complete',
      text: '{"answer":"B","evidence":["img1"]}',
      usage: {
        inputTokens: 1200,
        cachedInputTokens: 1000,
        cacheWriteTokens: 50,
        outputTokens: 80,
        reasoningTokens: 60,
      },
      servedModel: 'gpt-x-2026-01-01',
      providerRequestId: 'resp_1',
      stopDetail: null,
    });
  });

  it.each([
    ['incomplete', { incomplete_details: { reason: 'max_output_tokens' } }, 'truncated', 'max_output_tokens'],
    ['incomplete', { incomplete_details: { reason: 'content_filter' } }, 'blocked', 'content_filter'],
    ['incomplete', { incomplete_details: null }, 'truncated', 'incomplete'],
    ['incomplete', { incomplete_details: { reason: 'free text, with patient' } }, 'truncated', 'incomplete'],
    [
      'completed',
      { output: [message([{ type: 'refusal', refusal: 'I cannot help.' }])] },
      'refused',
      'refusal',
    ],
    ['failed', { error: { code: 'invalid_prompt', message: 'x' }, output: [] }, 'blocked', 'invalid_prompt'],
  ])('of status %s with %o is %s', (status, more, stop, stopDetail) => {
    expect(fromOpenaiReply(reply({ status, ...more }), 'm')).toMatchObject({ stop, stopDetail });
  });

  it.each([
    ['failed', { error: { code: 'server_error', message: 'x' } }, 'server'],
    ['failed', { error: { code: 'rate_limit_exceeded', message: 'x' } }, 'rate-limit'],
    ['queued', {}, 'bad-reply'],
    ['cancelled', {}, 'bad-reply'],
  ])('of status %s with %o is an error: %s', (status, more, kind) => {
    expect(() => fromOpenaiReply(reply({ status, ...more }), 'm')).toThrowError(
      expect.objectContaining({ kind }),
    );
  });

  it('without tokens has no usage, and what is no reply is a bad one', () => {
    expect(fromOpenaiReply(reply({ usage: undefined }), 'm').usage).toBeNull();
    for (const nothing of [undefined, null, 'text', {}, { output: 'text' }]) {
      expect(() => fromOpenaiReply(nothing as unknown as OpenaiResponse, 'm')).toThrowError(
        expect.objectContaining({ kind: 'bad-reply' }),
      );
    }
  });
});

describe('the OpenAI model, through the real SDK', () => {
  it('sends one request with the key in its header, and says which images went', async () => {
    const fetch = fakeFetch(() => json(reply()));
    const model = await openaiModel(access({ fetch }));
    const request = aRequest();
    const got = await model.chat(request, call);
    expect(fetch.calls).toHaveLength(1);
    expect(fetch.calls[0]).toMatchObject({ url: 'http://provider.test/v1/responses', method: 'POST' });
    expect(fetch.calls[0]!.headers.get('authorization')).toBe('Bearer sk-SECRET-1234567890');
    expect(fetch.calls[0]!.headers.get('openai-organization')).toBeNull();
    const images = request.parts.filter((part) => part.type === 'image');
    expect(got.sent).toEqual([
      { sha256: images[0]!.sha256, width: 9, height: 6, bytes: (await images[0]!.bytes()).length },
      { sha256: images[1]!.sha256, width: 10, height: 6, bytes: (await images[1]!.bytes()).length },
    ]);
  });

  it('takes a 400 for the prompt as a block, and any other 400 as an error', async () => {
    const blocked = fakeFetch(() =>
      json({ error: { message: 'x', type: 'invalid_request_error', code: 'content_policy_violation' } }, 400),
    );
    expect(await (await openaiModel(access({ fetch: blocked }))).chat(aRequest(), call)).toMatchObject({
      stop: 'blocked',
      stopDetail: 'content_policy_violation',
      text: '',
    });
    const refused = fakeFetch(() =>
      json({ error: { message: 'x', type: 'invalid_request_error', code: 'invalid_value' } }, 400),
    );
    await expect(
      (await openaiModel(access({ fetch: refused }))).chat(aRequest(), call),
    ).rejects.toMatchObject({
      kind: 'bad-request',
    });
  });
});
