import { describe, expect, it } from 'vitest';
import type { DatedPrice } from '../../../src/adapters/llm/index.js';
import {
  CallTimes,
  lanesOf,
  replyUsd,
  runBudget,
  withLimitOptions,
  type PricedModel,
} from '../../../src/score/run/chat-models.js';
import { aRequest, call, modelOf } from '../../adapters/llm/helpers.js';
import { aReply, thrownBy } from './an-item.js';

const CONFIG = { providers: {}, prices: {}, budget: { usd: 0 } };
const DEAR: DatedPrice = { input: 2, output: 8, batchFactor: 0.5, asOf: null };
const FREE: DatedPrice = { input: 0, output: 0, asOf: null };

function priced(price: DatedPrice | null, id = 'openai/m'): PricedModel {
  return { model: modelOf(async () => aReply(''), { id }), batch: null, price };
}

describe('runBudget', () => {
  it.each([
    { given: 5, configured: 0, limit: 5, why: 'the command line says' },
    { given: undefined, configured: 3, limit: 3, why: 'groundmark.yaml says' },
    { given: 2, configured: 3, limit: 2, why: 'the command line goes over groundmark.yaml' },
    { given: null, configured: 3, limit: null, why: '--budget none' },
  ])('is $limit: $why', ({ given, configured, limit }) => {
    const budget = runBudget(given, { ...CONFIG, budget: { usd: configured } }, [priced(DEAR)], 0.25);
    expect([budget.limitUsd, budget.spentUsd]).toEqual([limit, 0.25]);
  });

  it.each([
    { given: undefined, price: DEAR, says: 'openai/m costs money, and the budget is 0, so no call is made.' },
    { given: 0, price: DEAR, says: 'openai/m costs money' },
    { given: 0, price: null, says: 'openai/m has no price in the tables, and the budget is 0' },
    { given: 0, price: { ...FREE, output: 1 }, says: 'openai/m costs money' },
  ])('without one no paid call is made: $says', ({ given, price, says }) => {
    const thrown = thrownBy(() => runBudget(given, CONFIG, [priced(FREE, 'own/m'), priced(price)], 0));
    expect(thrown).toMatchObject({ code: 'no-budget', exit: 2, context: { model: 'openai/m' } });
    expect((thrown as Error).message).toContain(says);
    expect((thrown as Error).message).toMatch(/--budget 5 .*--budget none; see first with --dry-run/u);
  });

  it('is not needed for a server of one’s own that costs nothing', () => {
    expect(runBudget(undefined, CONFIG, [priced(FREE)], 0).limitUsd).toBe(0);
    expect(runBudget(undefined, CONFIG, [], 0).limitUsd).toBe(0);
  });
});

describe('limits from the command line', () => {
  const providers = { openai: { concurrency: 4, requestsPerMinute: 60 }, anthropic: { concurrency: 2 } };

  it('go over those of groundmark.yaml, for the providers of the run alone', () => {
    const ids = ['openai/a', 'openai/b', 'openai-compatible/local/m'];
    const limits = { concurrency: 9, requestsPerMinute: undefined, tokensPerMinute: 1000 };
    expect(withLimitOptions({ ...CONFIG, providers }, ids, limits).providers).toEqual({
      openai: { concurrency: 9, requestsPerMinute: 60, tokensPerMinute: 1000 },
      anthropic: { concurrency: 2 },
      local: { concurrency: 9, tokensPerMinute: 1000 },
    });
  });

  it('are the calls at the same time of each provider', () => {
    const config = { ...CONFIG, providers };
    expect(lanesOf({ id: 'openai/a' }, config, 8)).toBe(4);
    expect(lanesOf({ id: 'gemini/a' }, config, 8)).toBe(8);
    expect(lanesOf({ id: 'openai-compatible/toString/a' }, config, 8)).toBe(8);
  });
});

describe('replyUsd', () => {
  const usage = {
    inputTokens: 1_000_000,
    cachedInputTokens: 0,
    cacheWriteTokens: 0,
    outputTokens: 500_000,
    reasoningTokens: 0,
  };

  it('is what the table says, half in a batch, and null where price or usage are not known', () => {
    expect(replyUsd(DEAR, usage)).toBe(6);
    expect(replyUsd(DEAR, usage, true)).toBe(3);
    expect(replyUsd(null, usage)).toBeNull();
    expect(replyUsd(DEAR, null)).toBeNull();
  });
});

describe('CallTimes', () => {
  it('times each call by its key and gives the time once; a call that failed has none', async () => {
    let now = 0;
    const times = new CallTimes(() => new Date(now));
    const model = times.watch(
      modelOf(async ({ key }) => {
        now += key === 'slow' ? 700 : 30;
        if (key === 'bad') throw new Error('no');
        return aReply('');
      }),
    );
    await model.chat(aRequest({ key: 'slow' }), call);
    await model.chat(aRequest({ key: 'fast' }), call);
    await expect(model.chat(aRequest({ key: 'bad' }), call)).rejects.toThrow('no');
    expect(['fast', 'slow', 'slow', 'bad', 'other'].map((key) => times.take(key))).toEqual([
      30,
      700,
      undefined,
      undefined,
      undefined,
    ]);
  });
});
