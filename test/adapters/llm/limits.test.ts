import { describe, expect, it } from 'vitest';
import type { ChatReply } from '../../../src/adapters/llm/chat-model.js';
import { Limiter, withLimits } from '../../../src/adapters/llm/limits.js';
import { RateWindow } from '../../../src/adapters/llm/rate-window.js';
import { rng } from '../../../src/util/rng.js';
import { aRequest, call, failureOf, FakeTime, modelOf } from './helpers.js';

const REPLY: ChatReply = {
  stop: 'complete',
  text: 'x',
  usage: { inputTokens: 60, cachedInputTokens: 0, cacheWriteTokens: 0, outputTokens: 40, reasoningTokens: 0 },
  servedModel: null,
  providerRequestId: null,
  stopDetail: null,
};

/** Most events in any closed window of a minute. */
function mostInAMinute(times: readonly number[]): number {
  const sorted = [...times].sort((a, b) => a - b);
  return Math.max(...sorted.map((start) => sorted.filter((t) => t >= start && t <= start + 60_000).length));
}

describe('requests per minute', () => {
  it('are never passed in any minute as the server sees it, whatever the way there takes', async () => {
    const time = new FakeTime();
    const limiter = new Limiter({ concurrency: 16, requestsPerMinute: 20 }, time);
    const random = rng(7, 'test');
    const arrivals: number[] = [];
    const model = withLimits(
      modelOf(async () => {
        // Up to 4.9 s until it arrives, and up to 3 s until the reply is back.
        await time.sleep(random.int(4900));
        arrivals.push(time.now());
        await time.sleep(random.int(3000));
        return REPLY;
      }),
      limiter,
      () => 0,
    );
    await time.until(Promise.all(Array.from({ length: 100 }, () => model.chat(aRequest({}, 0), call))));
    expect(arrivals).toHaveLength(100);
    expect(mostInAMinute(arrivals)).toBe(20);
    // Five minutes' worth; not needlessly slow.
    expect(time.now()).toBeLessThan(5 * 66_000);
  });

  it('count calls that fail, so that tries again are within them', async () => {
    const time = new FakeTime();
    const starts: number[] = [];
    const model = withLimits(
      modelOf(async () => {
        starts.push(time.now());
        throw new Error('no');
      }),
      new Limiter({ concurrency: 4, requestsPerMinute: 2 }, time),
      () => 0,
    );
    const tries = [1, 2, 3, 4].map(() => model.chat(aRequest({}, 0), call).catch(() => undefined));
    await time.until(Promise.all(tries));
    expect(starts).toEqual([0, 0, 60_001, 60_001]);
  });
});

describe('tokens per minute', () => {
  it('hold calls back by their estimate and then by what they took', async () => {
    const time = new FakeTime();
    const starts: number[] = [];
    const model = withLimits(
      modelOf(async () => {
        starts.push(time.now());
        await time.sleep(1000);
        return REPLY;
      }),
      new Limiter({ concurrency: 9, tokensPerMinute: 400 }, time),
      () => 300,
    );
    await time.until(Promise.all(Array.from({ length: 3 }, () => model.chat(aRequest({}, 0), call))));
    // 300 + 300 do not fit; once the first took 100, they do; then 100 + 100 + 300 do not until the first has left.
    expect(starts).toEqual([0, 1000, 61_001]);
  });

  it('let a call above the limit go when it is alone', async () => {
    const time = new FakeTime();
    const model = withLimits(
      modelOf(async () => REPLY),
      new Limiter({ concurrency: 1, tokensPerMinute: 10 }, time),
      () => 1000,
    );
    await time.until(model.chat(aRequest({}, 0), call));
    expect(time.now()).toBe(0);
  });
});

describe('a limiter', () => {
  it('lets so many run at a time, in the order in which they asked', async () => {
    const time = new FakeTime();
    const limiter = new Limiter({ concurrency: 3 }, time);
    const order: string[] = [];
    let most = 0;
    const model = withLimits(
      modelOf(async ({ key }) => {
        order.push(key);
        most = Math.max(most, limiter.running);
        await time.sleep(10);
        return REPLY;
      }),
      limiter,
      () => 0,
    );
    const keys = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
    await time.until(Promise.all(keys.map((key) => model.chat(aRequest({ key }, 0), call))));
    expect(most).toBe(3);
    expect(order).toEqual(keys);
    expect(time.now()).toBe(30);
    expect(limiter.running).toBe(0);
  });

  it('is shared by the models of a provider', async () => {
    const time = new FakeTime();
    const limiter = new Limiter({ concurrency: 9, requestsPerMinute: 3 }, time);
    const starts: number[] = [];
    const make = (): ReturnType<typeof withLimits> =>
      withLimits(
        modelOf(async () => {
          starts.push(time.now());
          return REPLY;
        }),
        limiter,
        () => 0,
      );
    const [one, two] = [make(), make()];
    await time.until(Promise.all([one, two, one, two].map((model) => model.chat(aRequest({}, 0), call))));
    expect(starts).toEqual([0, 0, 0, 60_001]);
  });

  it('lets a waiting call go at once when it is stopped, unsent, and the next one takes its place', async () => {
    const time = new FakeTime();
    const limiter = new Limiter({ concurrency: 1 }, time);
    const first = await limiter.turn(0, [call.signal]);
    const stop = new AbortController();
    const second = failureOf(limiter.turn(0, [stop.signal]));
    const third = limiter.turn(0, [call.signal]);
    stop.abort();
    expect(await second).toMatchObject({ kind: 'aborted', detail: { unsent: true } });
    first.end(null);
    first.end(null);
    (await third).end(null);
    expect(limiter.running).toBe(0);
  });
});

describe('a window', () => {
  it('is free again a minute after the reply, or after the longest way when there is none', () => {
    const window = new RateWindow(1);
    window.take(1, 1000);
    expect(window.waitMs(1, 1000)).toBe(65_001);
    const answered = new RateWindow(1);
    answered.take(1, 1000).endMs = 1200;
    expect(answered.waitMs(1, 2000)).toBe(59_201);
    expect(answered.waitMs(1, 61_200)).toBe(1);
    expect(answered.waitMs(1, 61_201)).toBe(0);
  });
});
