import { mkdir, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { toJsonl } from '../../../src/adapters/store/index.js';
import { planRun, type RunModelInput } from '../../../src/score/index.js';
import { testDeps } from '../../helpers/deps.js';
import { anItem } from './an-item.js';
import { testFolder } from './helpers.js';

const KEYS: Readonly<Record<string, string>> = { OPENAI_API_KEY: 'sk-1', ANTHROPIC_API_KEY: 'sk-2' };

/** Two items of seven images of 20 × 10 pixels, whose files have 300 bytes each. A plan reads no image. */
async function plan(input: Partial<RunModelInput>, keys = KEYS) {
  const folder = await testFolder();
  const items = [anItem('one'), anItem('two')];
  await mkdir(path.join(folder, 'images'));
  await Promise.all(
    items.flatMap(({ images }) =>
      images.map(({ file }) => writeFile(path.join(folder, file), Buffer.alloc(300))),
    ),
  );
  await writeFile(path.join(folder, 'items.jsonl'), toJsonl(items));
  const deps = testDeps({ environment: (name) => keys[name] });
  const plans = await planRun(
    {
      itemsFile: path.join(folder, 'items.jsonl'),
      keyFile: null,
      models: ['openai/gpt-5-mini'],
      condition: 'real',
      outDir: path.join(folder, 'runs'),
      ...input,
    },
    deps,
  );
  expect((await readdir(folder)).sort()).toEqual(['images', 'items.jsonl']);
  return plans;
}

describe('planRun', () => {
  it('comes to the figures worked by hand, and writes nothing', async () => {
    // A request: the prompt's 348 characters are 87 + 8 tokens, seven labels 3 + 8, seven images 2 + 8, the question 15 + 8:
    // 265. Two items, two epochs: 1060 tokens at 0.25, and 4 × 8192 at 2 dollars a million.
    const [only, ...others] = await plan({ epochs: 2 });
    expect(others).toEqual([]);
    const { usd, ...rest } = only!;
    expect(rest).toEqual({
      model: 'openai/gpt-5-mini',
      condition: 'real',
      kept: 0,
      cached: 0,
      hasKey: true,
      priceAsOf: '2025-12-15',
      calls: 4,
      images: 28,
      imageBytes: 8400,
      inputTokens: 1060,
      maxOutputTokens: 32_768,
      problems: [],
    });
    expect(usd!.input).toBeCloseTo(0.000265, 12);
    expect(usd!.atMost).toBeCloseTo(0.065801, 12);
  });

  it.each([
    { condition: 'no-images' as const, images: 0, tokens: 236 },
    { condition: 'choices-only' as const, images: 0, tokens: 230 },
    { condition: 'no-question' as const, images: 14, tokens: 524 },
  ])('$condition: $images images and $tokens tokens', async ({ condition, images, tokens }) => {
    // Prompt 95, question and choices 23 or choices alone (45 characters) 20, labels and images 147, for two items.
    const [only] = await plan({ condition });
    expect(only).toMatchObject({ condition, images, imageBytes: images * 300, inputTokens: tokens });
  });

  it('states that a price is not known, and takes the workspace’s own', async () => {
    const models = ['openai/gpt-99'];
    expect((await plan({ models }))[0]).toMatchObject({ usd: null, priceAsOf: null, problems: [] });
    const config = {
      providers: {},
      prices: { 'openai/gpt-99': { input: 10, output: 0 } },
      budget: { usd: 0 },
    };
    const [own] = await plan({ models, config });
    expect(own).toMatchObject({ priceAsOf: null, usd: { input: own!.usd!.atMost } });
    expect(own!.usd!.input).toBeGreaterThan(0);
  });

  it('halves the price of a batch', async () => {
    const [[whole], [half]] = [await plan({}), await plan({ batch: true })];
    expect(half!.usd!.atMost).toBeCloseTo(whole!.usd!.atMost / 2, 12);
  });

  it('lists each model; built-in ones make no call and are left out', async () => {
    const plans = await plan({
      models: ['baseline/random', 'anthropic/claude-haiku-4-5', 'openai/gpt-5-mini'],
    });
    expect(plans.map(({ model }) => model)).toEqual(['anthropic/claude-haiku-4-5', 'openai/gpt-5-mini']);
  });

  it('needs no key: it then knows nothing of the cache', async () => {
    const [only] = await plan({ cacheFolder: '/nowhere' }, {});
    expect(only).toMatchObject({ hasKey: false, cached: null, calls: 2 });
  });

  it('tells of a limit once, with the number of requests that it is about', async () => {
    const config = {
      providers: { local: { baseUrl: 'http://127.0.0.1:1/v1', maxImages: 5 } },
      prices: {},
      budget: { usd: 0 },
    };
    const [only] = await plan({ models: ['openai-compatible/local/m'], config, batch: true });
    expect(only!.problems).toHaveLength(2);
    expect(only!.problems[0]).toBe('openai-compatible/local/m takes no batches. Leave --batch out.');
    expect(only!.problems[1]).toMatch(/takes 5 images a request and one-e1-\w+ has 7\..*\(2 requests\.\)$/u);
  });
});
