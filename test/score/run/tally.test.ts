import { describe, expect, it } from 'vitest';
import { Tally } from '../../../src/score/run/tally.js';
import { aResponse } from '../helpers/an-item.js';

function usage(inputTokens: number, outputTokens: number) {
  return { inputTokens, cachedInputTokens: 0, cacheWriteTokens: 0, outputTokens, reasoningTokens: 0 };
}

const OK = aResponse(['img01']);

describe('Tally', () => {
  it('begins with nothing', () => {
    const tally = new Tally();
    expect(tally.outcomes).toEqual({});
    expect(tally.note()).toBe('0 failed, 0 retried, 0 tokens, $0.00');
  });

  it('adds up outcomes, tokens and money; unknown prices are counted, not taken for nothing', () => {
    const tally = new Tally();
    tally.add(OK, usage(1000, 20), 0.25);
    tally.add(aResponse([], null, 'refused'), usage(900, 5), 0.5);
    tally.add(OK, usage(100, 5), null);
    tally.add(aResponse([], null, 'transport'), null, 0);
    tally.retry();
    tally.retry();
    expect(tally.outcomes).toEqual({ ok: 2, refused: 1, transport: 1 });
    expect(tally.spending).toEqual({
      retried: 2,
      cached: 0,
      inputTokens: 2000,
      outputTokens: 30,
      usd: 0.75,
      withoutPrice: 1,
    });
    expect(tally.note()).toBe('1 failed, 2 retried, 2030 tokens, $0.7500 and 1 call without a price');
  });

  it('a reply of an earlier run counts by its outcome and costs nothing now; so does one from the cache', () => {
    const tally = new Tally();
    tally.keep(OK);
    tally.keep(aResponse([], null, 'blocked'));
    tally.add({ ...OK, cached: true }, null, 0);
    expect(tally.outcomes).toEqual({ ok: 2, blocked: 1 });
    expect(tally.spending).toMatchObject({ cached: 1, inputTokens: 0, usd: 0, withoutPrice: 0 });
  });

  it('shortens many tokens and tells larger sums in cents', () => {
    const tally = new Tally();
    tally.add(OK, usage(9_000, 999), 1.5);
    expect(tally.note()).toBe('0 failed, 0 retried, 9999 tokens, $1.50');
    tally.add(OK, usage(2_500, 1), 0);
    expect(tally.note()).toBe('0 failed, 0 retried, 13k tokens, $1.50');
  });
});
