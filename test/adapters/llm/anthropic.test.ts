import { describe, expect, it } from 'vitest';
import type { Message } from '@anthropic-ai/sdk/resources/messages/messages';
import {
  anthropicModel,
  anthropicStop,
  fromAnthropicReply,
  toAnthropicRequest,
} from '../../../src/adapters/llm/anthropic.js';
import { access, aRequest, call, fakeFetch, json } from './helpers.js';

function reply(overrides: Record<string, unknown> = {}): Message {
  return {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'claude-x',
    content: [
      { type: 'thinking', thinking: 'hidden', signature: 's' },
      { type: 'text', text: '{"answer":"A",', citations: null },
      { type: 'text', text: '"evidence":[]}', citations: null },
    ],
    stop_reason: 'end_turn',
    stop_sequence: null,
    stop_details: null,
    usage: {
      input_tokens: 10,
      cache_creation_input_tokens: 200,
      cache_read_input_tokens: 3000,
      output_tokens: 40,
      output_tokens_details: { thinking_tokens: 25 },
    },
    ...overrides,
  } as unknown as Message;
}

describe('the request to Anthropic', () => {
  it('has these fields and no other: never a temperature', () => {
    expect(
      toAnthropicRequest('claude-x', aRequest({ temperature: 0 }, 1), [null, null, 'QUJD', null]),
    ).toEqual({
      model: 'claude-x',
      max_tokens: 500,
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'PROMPT-TEXT' },
            { type: 'text', text: 'Image img1:' },
            {
              type: 'image',
              source: { type: 'base64', media_type: 'image/png', data: 'QUJD' },
              transformations: { oversized_image: 'error' },
            },
            { type: 'text', text: 'QUESTION-TEXT' },
          ],
        },
      ],
      output_config: { format: { type: 'json_schema', schema: aRequest().schema!.schema } },
    });
  });

  it('always bounds the output', () => {
    const { maxOutputTokens: _none, ...request } = aRequest({}, 0);
    expect(toAnthropicRequest('m', request, [null, null]).max_tokens).toBe(8192);
  });

  it.each([
    [4096, { type: 'ephemeral' }],
    [4095, undefined],
  ])('marks a first text of %i characters for the cache: %o', (length, marker) => {
    const parts = [
      { type: 'text', text: 'x'.repeat(length) },
      { type: 'text', text: 'x'.repeat(9000) },
    ] as const;
    const { content } = toAnthropicRequest('m', aRequest({ parts }), [null, null]).messages[0]!;
    expect((content as { cache_control?: unknown }[]).map((part) => part.cache_control)).toEqual([
      marker,
      undefined,
    ]);
  });
});

describe('a reply of Anthropic', () => {
  it('counts what came from the cache and went into it as input; thinking is no text', () => {
    expect(fromAnthropicReply(reply(), 'm')).toEqual({
      stop: 'complete',
      text: '{"answer":"A","evidence":[]}',
      usage: {
        inputTokens: 3210,
        cachedInputTokens: 3000,
        cacheWriteTokens: 200,
        outputTokens: 40,
        reasoningTokens: 25,
      },
      servedModel: 'claude-x',
      providerRequestId: 'msg_1',
      stopDetail: null,
    });
  });

  it.each([
    ['end_turn', 'complete'],
    ['stop_sequence', 'complete'],
    ['max_tokens', 'truncated'],
    ['model_context_window_exceeded', 'truncated'],
    ['pause_turn', 'truncated'],
    ['tool_use', 'truncated'],
    ['refusal', 'refused'],
    ['none', 'complete'],
  ] as const)('that stops for %s is %s', (reason, stop) => {
    expect(anthropicStop(reason)).toBe(stop);
  });

  it('names the category of a refusal and not its explanation', () => {
    const stop_details = { type: 'refusal', category: 'bio', explanation: 'free text' };
    expect(fromAnthropicReply(reply({ stop_reason: 'refusal', stop_details }), 'm')).toMatchObject({
      stop: 'refused',
      stopDetail: 'bio',
    });
    expect(fromAnthropicReply(reply({ stop_reason: 'refusal' }), 'm').stopDetail).toBe('refusal');
  });

  it('that is no message is a bad one', () => {
    for (const nothing of [undefined, null, 'text', {}]) {
      expect(() => fromAnthropicReply(nothing as Message, 'm')).toThrowError(
        expect.objectContaining({ kind: 'bad-reply' }),
      );
    }
  });
});

describe('the Anthropic model, through the real SDK', () => {
  it('sends one request with the key in its header and nothing of another account', async () => {
    const fetch = fakeFetch(() => json(reply()));
    const model = await anthropicModel(access({ fetch, baseUrl: 'http://provider.test' }));
    const { sent } = await model.chat(aRequest(), call);
    expect(fetch.calls).toHaveLength(1);
    expect(fetch.calls[0]).toMatchObject({ url: 'http://provider.test/v1/messages', method: 'POST' });
    expect(
      fetch.calls[0]!.headers.get('x-api-key') ?? fetch.calls[0]!.headers.get('authorization'),
    ).toContain('sk-SECRET-1234567890');
    expect(sent!.map(({ width, height }) => [width, height])).toEqual([
      [9, 6],
      [10, 6],
    ]);
  });

  it('does not refuse a long answer without streaming', async () => {
    const fetch = fakeFetch(() => json(reply()));
    const model = await anthropicModel(access({ fetch }));
    await expect(model.chat(aRequest({ maxOutputTokens: 60_000 }), call)).resolves.toMatchObject({
      stop: 'complete',
    });
  });

  it('takes a stop of the content filter as a block, and a refused image as an error', async () => {
    const error = (message: string): Response =>
      json({ type: 'error', error: { type: 'invalid_request_error', message } }, 400);
    const filtered = fakeFetch(() => error('Output blocked by content filtering policy'));
    expect(await (await anthropicModel(access({ fetch: filtered }))).chat(aRequest(), call)).toMatchObject({
      stop: 'blocked',
      stopDetail: 'content_filtering',
    });
    const oversized = fakeFetch(() => error('image exceeds 1568 pixels'));
    await expect(
      (await anthropicModel(access({ fetch: oversized }))).chat(aRequest(), call),
    ).rejects.toMatchObject({
      kind: 'bad-request',
      detail: { status: 400 },
    });
  });
});
