import { describe, expect, it } from 'vitest';
import type { ChatCompletion } from 'openai/resources/chat/completions';
import {
  fromOpenaiChatReply,
  openaiChatModel,
  openaiChatStop,
  toOpenaiChatRequest,
} from '../../../src/adapters/llm/openai-chat.js';
import { access, ANY, aRequest, call, fakeFetch, json } from './helpers.js';

function reply(choice: Record<string, unknown> = {}, more: Record<string, unknown> = {}): ChatCompletion {
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 0,
    model: 'served-x',
    choices: [
      {
        index: 0,
        finish_reason: 'stop',
        logprobs: null,
        message: { role: 'assistant', content: '{"answer":"E"}', refusal: null },
        ...choice,
      },
    ],
    usage: { prompt_tokens: 30, completion_tokens: 7, total_tokens: 37 },
    ...more,
  } as unknown as ChatCompletion;
}

describe('the request to a compatible server', () => {
  it('has these fields and no other: none that only OpenAI knows', () => {
    expect(toOpenaiChatRequest('m', aRequest({ temperature: 0 }, 1), [null, null, 'QUJD', null])).toEqual({
      model: 'm',
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'PROMPT-TEXT' },
            { type: 'text', text: 'Image img1:' },
            { type: 'image_url', image_url: { url: 'data:image/png;base64,QUJD', detail: 'high' } },
            { type: 'text', text: 'QUESTION-TEXT' },
          ],
        },
      ],
      response_format: {
        type: 'json_schema',
        json_schema: { name: 'mcq_answer', strict: true, schema: aRequest().schema!.schema },
      },
      max_tokens: 500,
      temperature: 0,
    });
  });

  it('leaves the schema out for a server without structured output', async () => {
    const fetch = fakeFetch(() => json(reply()));
    const model = await openaiChatModel(access({ fetch, capabilities: { ...ANY, structuredOutput: false } }));
    await model.chat(aRequest(), call);
    expect(JSON.parse(fetch.calls[0]!.body)).not.toHaveProperty('response_format');
    expect(fetch.calls[0]!.url).toBe('http://provider.test/v1/chat/completions');
  });
});

describe('a reply of a compatible server', () => {
  it('gives text, tokens and names', () => {
    expect(fromOpenaiChatReply(reply(), 'm')).toEqual({
      stop: 'complete',
      text: '{"answer":"E"}',
      usage: {
        inputTokens: 30,
        cachedInputTokens: 0,
        cacheWriteTokens: 0,
        outputTokens: 7,
        reasoningTokens: 0,
      },
      servedModel: 'served-x',
      providerRequestId: 'chatcmpl-1',
      stopDetail: null,
    });
  });

  it.each([
    ['stop', false, 'complete'],
    ['length', false, 'truncated'],
    ['content_filter', false, 'blocked'],
    ['stop', true, 'refused'],
    ['length', true, 'truncated'],
    ['none', false, 'complete'],
    ['eos', false, 'complete'],
    ['tool_calls', false, 'complete'],
  ] as const)('that ends with %s (refusal: %s) is %s', (reason, refused, stop) => {
    expect(openaiChatStop(reason, refused)).toBe(stop);
  });

  it('is refused when the message says so, and its text is the refusal', () => {
    const message = { role: 'assistant', content: null, refusal: 'No.' };
    expect(fromOpenaiChatReply(reply({ message }), 'm')).toMatchObject({ stop: 'refused', text: 'No.' });
  });

  it('may hold its text as a list of parts', () => {
    const content = [
      { type: 'thinking', thinking: 'x' },
      { type: 'text', text: 'a' },
      { type: 'text', text: 'b' },
    ];
    const message = { role: 'assistant', content, refusal: null };
    expect(fromOpenaiChatReply(reply({ message }), 'm').text).toBe('ab');
  });

  it.each([
    [{ error: { code: 429, message: 'x' } }, 'rate-limit'],
    [{ error: { code: 502, message: 'x' } }, 'server'],
    [{ error: { code: 'model_not_found', message: 'x' } }, 'no-such-model'],
    [{ choices: [] }, 'bad-reply'],
    [{ choices: undefined }, 'bad-reply'],
  ])('with %o is an error: %s', (more, kind) => {
    expect(() => fromOpenaiChatReply(reply({}, more), 'm')).toThrowError(expect.objectContaining({ kind }));
  });
});
