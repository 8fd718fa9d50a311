import { describe, expect, it } from 'vitest';
import {
  modelCapabilities,
  parseModelId,
  priceOf,
  readPriceTable,
  type ChatModel,
} from '../../../src/adapters/llm/index.js';
import type { Config } from '../../../src/domain/config.js';
import { buildRequest } from '../../../src/score/run/build-request.js';
import {
  estimateOf,
  problemLines,
  problemsOf,
  sizedRequests,
  type SizedRequest,
} from '../../../src/score/run/preflight.js';
import { anItem, aShown, FOLDER, showOf } from './an-item.js';

const OPTIONS = { prompt: 'PROMPT', readFile: async () => Buffer.alloc(0), maxOutputTokens: 100 };

/** Two images, 20 × 10 pixels; the prompt has 6 characters, each label 12, question and choices 59. */
function sized(
  imageBytes: readonly number[] = [300, 500],
  size?: { width: number; height: number },
): SizedRequest {
  const images = aShown().images.map((image) => ({ ...image, ...size }));
  return { itemId: 'item-1', request: buildRequest(aShown({ images }), 'item-1-e1', OPTIONS), imageBytes };
}

async function modelOf(
  id: string,
  providers: Config['providers'] = {},
): Promise<Pick<ChatModel, 'id' | 'capabilities'>> {
  return { id, capabilities: await modelCapabilities(parseModelId(id), { config: { providers } }) };
}

const codes = async (id: string, request: SizedRequest, providers?: Config['providers']): Promise<string[]> =>
  problemsOf(await modelOf(id, providers), [request], { batch: false }).map(({ code }) => code);

describe('sizedRequests', () => {
  it('looks at each file once, whatever the number of epochs, and at none that is made on the way', async () => {
    const items = [anItem('one'), anItem('two')];
    const calls = [1, 2, 3].flatMap((epoch) => items.map((item) => ({ item, epoch })));
    const asked: string[] = [];
    const fileSize = async (file: string): Promise<number> => asked.push(file) * 10;
    const requests = await sizedRequests(calls, showOf(items, 'real'), OPTIONS, fileSize);
    expect(requests).toHaveLength(6);
    expect(asked).toHaveLength(14);
    expect(asked[0]).toBe(`${FOLDER}/images/one-1.png`);
    expect(requests[0]!.imageBytes).toEqual([10, 20, 30, 40, 50, 60, 70]);
    expect(requests[4]).toMatchObject({ itemId: 'one', imageBytes: [10, 20, 30, 40, 50, 60, 70] });
    expect(new Set(requests.map(({ request }) => request.key)).size).toBe(6);
    const [blank] = await sizedRequests(calls.slice(0, 1), showOf(items, 'blank'), OPTIONS, fileSize);
    expect(asked).toHaveLength(14);
    expect(blank!.imageBytes).toHaveLength(7);
  });
});

describe('problemsOf', () => {
  it('finds none where everything is taken', async () => {
    const model = await modelOf('anthropic/claude-sonnet-4-6');
    expect(problemsOf(model, [sized(), sized()], { batch: true })).toEqual([]);
    expect(problemsOf(await modelOf('openai-compatible/x/m'), [sized([9e9, 9e9])], { batch: false })).toEqual(
      [],
    );
  });

  it.each([
    { limit: 1, codes: ['too-many-images'] },
    { limit: 2, codes: [] },
  ])('a server that takes $limit images: $codes', async ({ limit, codes: wanted }) => {
    const providers = { local: { baseUrl: 'http://x/v1', maxImages: limit } };
    expect(await codes('openai-compatible/local/m', sized(), providers)).toEqual(wanted);
  });

  it.each([
    // Anthropic: 5 MB an image, 32 MB a request; OpenAI: 50 MB; Gemini: 7 and 20 MB. Base64 is four thirds of the file.
    { id: 'anthropic/claude-sonnet-4-6', bytes: [5_000_000, 1], wanted: [] },
    { id: 'anthropic/claude-sonnet-4-6', bytes: [1, 5_000_001], wanted: ['image-too-large'] },
    { id: 'openai/gpt-5-mini', bytes: [18_000_000, 18_000_000], wanted: [] },
    { id: 'openai/gpt-5-mini', bytes: [19_000_000, 19_000_000], wanted: ['request-too-large'] },
    { id: 'gemini/gemini-2.5-flash', bytes: [7_000_000, 7_000_000], wanted: [] },
    { id: 'gemini/gemini-2.5-flash', bytes: [7_000_001, 1], wanted: ['image-too-large'] },
    {
      id: 'gemini/gemini-2.5-flash',
      bytes: [7_000_000, 7_000_000, 7_000_000],
      wanted: ['request-too-large'],
    },
  ])('$id with files of $bytes bytes: $wanted', async ({ id, bytes, wanted }) => {
    expect(await codes(id, sized(bytes))).toEqual(wanted);
  });

  it('refuses an image that a provider would scale down', async () => {
    const large = sized([300, 500], { width: 1600, height: 700 });
    expect(await codes('anthropic/claude-sonnet-4-5', large)).toEqual(['image-too-large']);
    expect(await codes('openai/gpt-5-mini', large)).toEqual([]);
  });

  it('names the option that a model does not take', async () => {
    const model = await modelOf('openai-compatible/x/m');
    expect(problemsOf(model, [], { batch: true }).map(({ message }) => message)).toEqual([
      'openai-compatible/x/m takes no batches. Leave --batch out.',
    ]);
    const reasoning = await modelOf('openai/gpt-5-mini');
    expect(problemsOf(reasoning, [], { batch: true, temperature: 0 })).toMatchObject([
      {
        code: 'not-taken',
        exit: 2,
        message: 'openai/gpt-5-mini takes no temperature. Leave --temperature out.',
      },
    ]);
    expect(problemsOf(await modelOf('openai/gpt-4.1'), [], { batch: true, temperature: 0 })).toEqual([]);
  });

  it('tells what holds for every item once, with its number, and different things one by one', async () => {
    const model = await modelOf('openai-compatible/local/m', {
      local: { baseUrl: 'http://x/v1', maxImages: 1 },
    });
    const lines = problemLines(problemsOf(model, [sized(), sized(), sized()], { batch: true }));
    expect(lines).toHaveLength(2);
    expect(lines[0]).toBe('openai-compatible/local/m takes no batches. Leave --batch out.');
    expect(lines[1]).toMatch(/takes 1 images a request and item-1-e1 has 2\..*\(3 requests\.\)$/u);
    const both = await modelOf('anthropic/claude-sonnet-4-6');
    const options = { batch: true, temperature: 1 };
    const noBatch = { ...both, capabilities: { ...both.capabilities, batch: false } };
    expect(problemLines(problemsOf(noBatch, [], options))).toHaveLength(2);
  });
});

describe('estimateOf', () => {
  // Text: 8 tokens a part and one for 4 characters: 8 + 2, twice 8 + 3, 8 + 15. In all 55.
  it.each([
    // Images of one patch of 32 × 32, times 1.62, rounded up: 2 + 8 each. 75 tokens at 0.25 and 100 at 2 a million.
    { id: 'openai/gpt-5-mini', batch: false, tokens: 75, input: 0.00001875, atMost: 0.00021875 },
    { id: 'openai/gpt-5-mini', batch: true, tokens: 75, input: 0.000009375, atMost: 0.000109375 },
    // 200 / 750 pixels, rounded up: 1 + 8 each. 73 tokens at the price of writing the cache, 3.75, and 100 at 15.
    { id: 'anthropic/claude-sonnet-4-5', batch: false, tokens: 73, input: 0.00027375, atMost: 0.00177375 },
    // One tile: 258 + 8 each. 587 tokens at 0.3 and 100 at 2.5.
    { id: 'gemini/gemini-2.5-flash', batch: false, tokens: 587, input: 0.0001761, atMost: 0.0004261 },
  ])(
    '$id (batch: $batch): $tokens tokens, at most $atMost dollars',
    async ({ id, batch, tokens, input, atMost }) => {
      const price = priceOf(id, await readPriceTable());
      const { usd, ...rest } = estimateOf(await modelOf(id), price, [sized()], batch);
      expect(rest).toEqual({
        calls: 1,
        images: 2,
        imageBytes: 800,
        inputTokens: tokens,
        maxOutputTokens: 100,
      });
      expect(usd!.input).toBeCloseTo(input, 12);
      expect(usd!.atMost).toBeCloseTo(atMost, 12);
    },
  );

  it('adds up requests, and is nothing for none', async () => {
    const model = await modelOf('openai/gpt-5-mini');
    const price = { input: 4, output: 10, asOf: null };
    const three = estimateOf(model, price, [sized(), sized([1]), sized([])], false);
    expect(three).toMatchObject({
      calls: 3,
      images: 3,
      imageBytes: 801,
      inputTokens: 225,
      maxOutputTokens: 300,
    });
    expect(three.usd!.input).toBeCloseTo(0.0009, 12);
    expect(three.usd!.atMost).toBeCloseTo(0.0039, 12);
    expect(estimateOf(model, price, [], false)).toMatchObject({ calls: 0, usd: { input: 0, atMost: 0 } });
  });

  it('says that the cost is not known where there is no price, or none for so long an input', async () => {
    const model = await modelOf('openai/gpt-5-mini');
    expect(estimateOf(model, null, [sized()], false).usd).toBeNull();
    const short = { input: 1, output: 1, upToInputTokens: 74, asOf: null };
    expect(estimateOf(model, short, [sized()], false).usd).toBeNull();
    expect(estimateOf(model, { ...short, upToInputTokens: 75 }, [sized()], false).usd).not.toBeNull();
  });
});
