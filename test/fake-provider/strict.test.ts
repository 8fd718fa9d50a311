import { describe, expect, it } from 'vitest';
import { png } from '../adapters/llm/helpers.js';
import { fakeProvider, FAKE_KEY } from './helpers.js';

/* eslint-disable @typescript-eslint/no-explicit-any, @typescript-eslint/no-unsafe-member-access, @typescript-eslint/no-unsafe-assignment, @typescript-eslint/no-unsafe-return -- bodies are spoilt on purpose */
const base64 = png(8, 8).toString('base64');
const schema = {
  type: 'object',
  properties: {
    answer: { type: 'string', enum: ['A', 'B'] },
    evidence: { type: 'array', items: { type: 'string' } },
  },
  required: ['answer', 'evidence'],
  additionalProperties: false,
};

interface Api {
  readonly name: 'openai' | 'openai-chat' | 'anthropic' | 'gemini';
  readonly base: 'openai' | 'anthropic' | 'gemini';
  readonly path: string;
  readonly body: () => any;
  readonly image: (body: any, data: string) => void;
  readonly part: (body: any) => any;
  readonly schemaOf: (body: any) => any;
  /** The message of an unknown field `typo` in the image part. */
  readonly unknown: string;
}

const APIS: readonly Api[] = [
  {
    name: 'openai',
    base: 'openai',
    path: '/responses',
    body: () => ({
      model: 'gpt-5-mini',
      input: [
        {
          role: 'user',
          content: [
            { type: 'input_text', text: 'Image img01:' },
            { type: 'input_image', image_url: `data:image/png;base64,${base64}`, detail: 'high' },
          ],
        },
      ],
      store: false,
      text: { format: { type: 'json_schema', name: 'mcq', schema, strict: true } },
    }),
    image: (body, data) => (body.input[0].content[1].image_url = data),
    part: (body) => body.input[0].content[1],
    schemaOf: (body) => body.text.format.schema,
    unknown: "Unknown parameter: 'input[0].content[1].typo'.",
  },
  {
    name: 'openai-chat',
    base: 'openai',
    path: '/chat/completions',
    body: () => ({
      model: 'some-model',
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Image img01:' },
            { type: 'image_url', image_url: { url: `data:image/png;base64,${base64}`, detail: 'high' } },
          ],
        },
      ],
      response_format: { type: 'json_schema', json_schema: { name: 'mcq', schema, strict: true } },
    }),
    image: (body, data) => (body.messages[0].content[1].image_url.url = data),
    part: (body) => body.messages[0].content[1],
    schemaOf: (body) => body.response_format.json_schema.schema,
    unknown: "Unknown parameter: 'messages[0].content[1].typo'.",
  },
  {
    name: 'anthropic',
    base: 'anthropic',
    path: '/v1/messages',
    body: () => ({
      model: 'claude-sonnet-4-6',
      max_tokens: 100,
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Image img01:' },
            {
              type: 'image',
              source: { type: 'base64', media_type: 'image/png', data: base64 },
              transformations: { oversized_image: 'error' },
            },
          ],
        },
      ],
      output_config: { format: { type: 'json_schema', schema } },
    }),
    image: (body, data) => (body.messages[0].content[1].source.data = data.replace(/^.*,/u, '')),
    part: (body) => body.messages[0].content[1],
    schemaOf: (body) => body.output_config.format.schema,
    unknown: 'messages.0.content.1.typo: Extra inputs are not permitted',
  },
  {
    name: 'gemini',
    base: 'gemini',
    path: '/v1beta/models/gemini-2.5-flash:generateContent',
    body: () => ({
      contents: [
        {
          role: 'user',
          parts: [{ text: 'Image img01:' }, { inlineData: { mimeType: 'image/png', data: base64 } }],
        },
      ],
      generationConfig: {
        mediaResolution: 'MEDIA_RESOLUTION_HIGH',
        responseMimeType: 'application/json',
        responseJsonSchema: schema,
      },
      store: false,
    }),
    image: (body, data) => (body.contents[0].parts[1].inlineData.data = data.replace(/^.*,/u, '')),
    part: (body) => body.contents[0].parts[1],
    schemaOf: (body) => body.generationConfig.responseJsonSchema,
    unknown:
      'Invalid JSON payload received. Unknown name "typo" at \'contents[0].parts[1].typo\': Cannot find field.',
  },
];

describe.each(APIS)('the stand-in for $name', (api) => {
  async function post(change: (body: any) => void) {
    const fake = await fakeProvider();
    const body = structuredClone(api.body());
    change(body);
    const response = await fetch(fake.urls[api.base] + api.path, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${FAKE_KEY}`,
        'x-goog-api-key': FAKE_KEY,
        'anthropic-version': '2023-06-01',
      },
      body: JSON.stringify(body),
    });
    const { error } = (await response.json()) as { error?: { message: string } };
    return { status: response.status, message: error?.message, call: fake.calls()[0]! };
  }

  it('takes a request of the documented shape', async () => {
    expect(await post(() => undefined)).toMatchObject({ status: 200, call: { end: 'answered', notes: [] } });
  });

  it('refuses a field that is not documented, and names it', async () => {
    const { status, message, call } = await post((body) => (api.part(body).typo = 1));
    expect({ status, message, end: call.end }).toEqual({
      status: 400,
      message: api.unknown,
      end: 'rejected',
    });
  });

  it.each([
    ['cut-off base64', `data:image/png;base64,${base64.slice(0, -3)}`],
    ['base64 with a space in it', `data:image/png;base64,${base64.slice(0, 40)} ${base64.slice(41)}`],
    ['text', `data:image/png;base64,${Buffer.from('no picture at all').toString('base64')}`],
    ['a picture that breaks off', `data:image/png;base64,${png(64, 64).subarray(0, 120).toString('base64')}`],
  ])('refuses an image that is %s', async (_, url) => {
    const { status, message } = await post((body) => api.image(body, url));
    expect(status).toBe(400);
    expect(message).toMatch(/not base64|no image can be read/u);
  });

  it('refuses the schema keywords that the provider does not know', async () => {
    const { status, message } = await post(
      (body) => (api.schemaOf(body).properties.evidence.uniqueItems = true),
    );
    expect(status).toBe(400);
    expect(message).toContain('uniqueItems');
  });

  it('PROVIDERS §7: takes maxItems where the provider does and nowhere else', async () => {
    const { status } = await post((body) => (api.schemaOf(body).properties.evidence.maxItems = 3));
    expect(status).toBe(api.name === 'anthropic' ? 400 : 200);
  });

  it('refuses a stream, which it cannot make', async () => {
    expect((await post((body) => (body.stream = true))).status).toBe(400);
  });
});

describe('the stand-in notes what is allowed and unwise', () => {
  const withBody = async (api: Api, change: (body: any) => void): Promise<readonly string[]> => {
    const fake = await fakeProvider();
    const body = structuredClone(api.body());
    change(body);
    await fetch(fake.urls[api.base] + api.path, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${FAKE_KEY}`,
        'x-goog-api-key': FAKE_KEY,
        'anthropic-version': '2023-06-01',
      },
      body: JSON.stringify(body),
    });
    return fake.calls()[0]!.notes;
  };

  it('a request that OpenAI would keep', async () => {
    expect(await withBody(APIS[0]!, (body) => delete body.store)).toEqual([
      'store is not false: the provider keeps the request',
    ]);
  });

  it('an image that each provider may scale down', async () => {
    expect((await withBody(APIS[0]!, (body) => (APIS[0]!.part(body).detail = 'auto')))[0]).toMatch(
      /scaled down/u,
    );
    expect((await withBody(APIS[2]!, (body) => delete APIS[2]!.part(body).transformations))[0]).toMatch(
      /scaled down/u,
    );
    expect((await withBody(APIS[3]!, (body) => delete body.generationConfig.mediaResolution))[0]).toMatch(
      /scaled down/u,
    );
  });

  it('refuses temperature for a reasoning model', async () => {
    const fake = await fakeProvider();
    const response = await fetch(`${fake.urls.openai}/responses`, {
      method: 'POST',
      headers: { authorization: `Bearer ${FAKE_KEY}` },
      body: JSON.stringify({ ...APIS[0]!.body(), temperature: 0 }),
    });
    expect(await response.json()).toMatchObject({
      error: { param: 'temperature', code: 'unsupported_parameter' },
    });
  });
});
