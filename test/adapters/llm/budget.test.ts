import { describe, expect, it } from 'vitest';
import { Budget, dollars, withBudget, worstCostUsd } from '../../../src/adapters/llm/budget.js';
import { ChatError, type ChatReply } from '../../../src/adapters/llm/chat-model.js';
import { costUsd, priceOf, priceTableSchema, readPriceTable } from '../../../src/adapters/llm/prices.js';
import { readDataYaml } from '../../../src/adapters/store/index.js';
import { aRequest, call, failureOf, modelOf } from './helpers.js';

const PRICE = { input: 2, cachedInput: 0.5, cacheWrite: 3, output: 10, batchFactor: 0.5 };
const usage = (input: number, cached: number, written: number, output: number): ChatReply['usage'] => ({
  inputTokens: input,
  cachedInputTokens: cached,
  cacheWriteTokens: written,
  outputTokens: output,
  reasoningTokens: 0,
});
const reply = (used: ChatReply['usage']): ChatReply => ({
  stop: 'complete',
  text: 'x',
  usage: used,
  servedModel: null,
  providerRequestId: null,
  stopDetail: null,
});

describe('the cost of a call', () => {
  it.each([
    // 1,000,000 × $2.
    [usage(1_000_000, 0, 0, 0), false, 2],
    // 500,000 × $2 + 300,000 × $0.50 + 200,000 × $3 + 100,000 × $10.
    [usage(1_000_000, 300_000, 200_000, 100_000), false, 2.75],
    [usage(1_000_000, 300_000, 200_000, 100_000), true, 1.375],
    [usage(0, 0, 0, 0), false, 0],
  ])('of %o (batch: %s) is $%d', (used, batch, expected) => {
    expect(costUsd(PRICE, used!, { batch })).toBeCloseTo(expected, 12);
  });

  it('takes the price of input where a kind of input has none', () => {
    expect(costUsd({ input: 2, output: 10 }, usage(1_000_000, 400_000, 100_000, 0)!)).toBeCloseTo(2, 12);
  });

  it('is not known without a price, or for an input that is too long for it', () => {
    expect(costUsd(null, usage(1, 0, 0, 1)!)).toBeNull();
    const short = { ...PRICE, upToInputTokens: 200_000 };
    expect(costUsd(short, usage(200_000, 0, 0, 0)!)).toBeCloseTo(0.4, 12);
    expect(costUsd(short, usage(200_001, 0, 0, 0)!)).toBeNull();
  });

  it('at worst takes every input token at its dearest, and all the output that is allowed', () => {
    // 100,000 × $3 (into the cache) + 10,000 × $10.
    expect(worstCostUsd(PRICE, { inputTokens: 100_000, maxOutputTokens: 10_000 })).toBeCloseTo(0.4, 12);
    expect(worstCostUsd({ input: 2, output: 10 }, { inputTokens: 100_000, maxOutputTokens: 0 })).toBeCloseTo(
      0.2,
      12,
    );
  });
});

describe('the table of prices', () => {
  it('is read whole; every price is positive and output costs no less than input', async () => {
    const { pages } = await readDataYaml('models/prices.yaml', priceTableSchema);
    const ids = pages.flatMap(({ models }) => Object.keys(models));
    expect(new Set(ids).size).toBe(ids.length);
    for (const [id, price] of Object.entries(await readPriceTable())) {
      expect(id).toMatch(/^(openai|anthropic|gemini)\/[a-z0-9.-]+$/);
      expect(price.input).toBeGreaterThan(0);
      expect(price.output).toBeGreaterThanOrEqual(price.input);
      expect(price.cachedInput ?? 0).toBeLessThan(price.input);
      expect(price.cacheWrite ?? price.input).toBeGreaterThanOrEqual(price.input);
      expect(price.asOf).toMatch(/^\d{4}-\d{2}-\d{2}$/);
    }
  });

  it.each([
    ['openai/gpt-5', 1.25],
    ['openai/gpt-5-2025-08-07', 1.25],
    ['openai/gpt-5-mini', 0.25],
    ['openai/gpt-5-latest', 1.25],
    ['anthropic/claude-haiku-4-5-20251001', 1],
    ['openai/gpt-5-turbo', undefined],
    ['openai/gpt-5-pro', undefined],
    ['gemini/gemini-9', undefined],
    ['toString', undefined],
  ])('gives %s an input price of %s', async (id, input) => {
    expect(priceOf(id, await readPriceTable())?.input).toBe(input);
  });

  it("goes behind a workspace's own prices, which may be 0", async () => {
    const table = await readPriceTable({
      'openai-compatible/local/m': { input: 0, output: 0 },
      'openai/gpt-5': PRICE,
    });
    expect(priceOf('openai-compatible/local/m', table)).toEqual({ input: 0, output: 0, asOf: null });
    expect(priceOf('openai/gpt-5', table)).toEqual({ ...PRICE, asOf: null });
  });
});

describe('a budget', () => {
  const estimate = { inputTokens: 100_000, maxOutputTokens: 20_000 };
  // At worst 100,000 × $3 + 20,000 × $10 = $0.50; really 100,000 × $2 + 1,000 × $10 = $0.21.
  const paid = (
    budget: Budget,
    work: () => Promise<ChatReply> = async () => reply(usage(100_000, 0, 0, 1000)),
  ) => withBudget(modelOf(work), budget, PRICE, () => estimate);

  it('stops before the call that could pass it, and not one earlier', async () => {
    const budget = new Budget(1);
    const model = paid(budget);
    for (const spent of [0.21, 0.42, 0.63]) {
      expect((await model.chat(aRequest({}, 0), call)).usd).toBeCloseTo(0.21, 12);
      expect(budget.spentUsd).toBeCloseTo(spent, 12);
    }
    // $0.63 + $0.50 > $1.
    await expect(model.chat(aRequest({}, 0), call)).rejects.toMatchObject({
      code: 'budget-spent',
      exit: 4,
      context: { limitUsd: 1, nextUsd: 0.5 },
    });
  });

  it('does not let calls at the same time spend the same dollar, and lets them wait for each other', async () => {
    const budget = new Budget(1);
    let running = 0;
    let most = 0;
    const model = paid(budget, async () => {
      most = Math.max(most, ++running);
      await new Promise((resolve) => setTimeout(resolve, 5));
      running -= 1;
      return reply(usage(50_000, 0, 0, 0));
    });
    // Each may cost $0.50 and costs $0.10: two at a time, and the sixth no longer fits: 0.6 + 0.5 > 1.
    const ends = await Promise.allSettled(Array.from({ length: 9 }, () => model.chat(aRequest({}, 0), call)));
    expect(most).toBe(2);
    expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(6);
    expect(budget.spentUsd).toBeCloseTo(0.6, 12);
  });

  it('of 0 makes no paid call, and starts from what earlier runs spent', async () => {
    let calls = 0;
    const work = async (): Promise<ChatReply> => {
      calls += 1;
      return reply(null);
    };
    await expect(paid(new Budget(0), work).chat(aRequest({}, 0), call)).rejects.toMatchObject({
      code: 'budget-spent',
    });
    await expect(paid(new Budget(10, 9.6), work).chat(aRequest({}, 0), call)).rejects.toMatchObject({
      code: 'budget-spent',
    });
    expect(calls).toBe(0);
  });

  it('refuses a model without a price, and says how to add one', async () => {
    const model = withBudget(
      modelOf(async () => reply(null)),
      new Budget(5),
      null,
      () => estimate,
    );
    await expect(model.chat(aRequest({}, 0), call)).rejects.toMatchObject({
      code: 'no-price',
      exit: 4,
      message: expect.stringContaining('prices: { "test/model": { input: 1.00, output: 2.00 } }') as string,
    });
  });

  it('without a limit lets it go, says that its cost is not known and never calls it 0', async () => {
    const budget = new Budget(null);
    const model = withBudget(
      modelOf(async () => reply(usage(1, 0, 0, 1))),
      budget,
      null,
      () => estimate,
    );
    expect((await model.chat(aRequest({}, 0), call)).usd).toBeNull();
    expect([budget.spentUsd, budget.callsWithoutPrice]).toEqual([0, 1]);
  });

  it('takes the most that a call could cost when the provider tells no tokens', async () => {
    const budget = new Budget(null);
    expect((await paid(budget, async () => reply(null)).chat(aRequest({}, 0), call)).usd).toBeCloseTo(
      0.5,
      12,
    );
  });

  it.each([
    ['rate-limit', {}, 0],
    ['server', {}, 0],
    ['auth', {}, 0],
    ['bad-request', {}, 0],
    ['connection', { unsent: true }, 0],
    ['aborted', { unsent: true }, 0],
    ['connection', {}, 0.5],
    ['timeout', {}, 0.5],
    ['bad-reply', {}, 0.5],
    ['aborted', {}, 0.5],
  ] as const)('counts a call that ended with %s %o as $%d', async (kind, detail, spent) => {
    const budget = new Budget(2);
    const model = paid(budget, () => Promise.reject(new ChatError(kind, kind, detail)));
    await failureOf(model.chat(aRequest({}, 0), call));
    expect(budget.spentUsd).toBeCloseTo(spent, 12);
    // Nothing stays set aside.
    await budget.reserve(2 - spent, 'm', [call.signal]);
  });

  it('counts an image that could not be read as nothing', async () => {
    const budget = new Budget(2);
    await expect(
      paid(budget, () => Promise.reject(new Error('ENOENT'))).chat(aRequest({}, 0), call),
    ).rejects.toThrow();
    expect(budget.spentUsd).toBe(0);
  });

  it('lets a waiting call go when it is stopped', async () => {
    const budget = new Budget(1);
    await budget.reserve(0.8, 'm', [call.signal]);
    const stop = new AbortController();
    const waiting = failureOf(budget.reserve(0.5, 'm', [stop.signal]));
    stop.abort();
    expect(await waiting).toMatchObject({ kind: 'aborted', detail: { unsent: true } });
  });
});

it.each([
  [0, '$0.00'],
  [0.01234, '$0.0123'],
  [12.3, '$12.30'],
])('%d is written %s', (usd, text) => {
  expect(dollars(usd)).toBe(text);
});
