import { describe, expect, it } from 'vitest';
import { ChatError } from '../../../src/adapters/llm/chat-model.js';
import {
  DEFAULT_RETRY,
  retryWaitMs,
  withRetry,
  type RetryEvent,
  type RetryOptions,
} from '../../../src/adapters/llm/retry.js';
import { aRequest, call, failureOf, FakeTime, modelOf } from './helpers.js';

const OK = {
  stop: 'complete',
  text: 'x',
  usage: null,
  servedModel: null,
  providerRequestId: null,
  stopDetail: null,
} as const;

/** A model that throws these errors, one a call, and then answers. */
function failing(errors: readonly ChatError[], options: Partial<RetryOptions> = {}) {
  const time = new FakeTime();
  const events: RetryEvent[] = [];
  let calls = 0;
  const model = withRetry(
    modelOf(async () => {
      const error = errors[calls++];
      if (error) throw error;
      return OK;
    }),
    { ...DEFAULT_RETRY, ...options, seed: 3, time, onRetry: (event) => events.push(event) },
  );
  return { time, events, model, calls: () => calls };
}

const error = (kind: ChatError['kind'], retryAfterMs?: number): ChatError =>
  new ChatError(kind, kind, retryAfterMs === undefined ? {} : { retryAfterMs });

describe('tries', () => {
  it('go on over failures that may pass, and the reply says how many there were', async () => {
    const { time, model, events } = failing([
      error('rate-limit'),
      error('server'),
      error('timeout'),
      error('connection'),
      error('bad-reply'),
    ]);
    expect(await time.until(model.chat(aRequest({}, 0), call))).toMatchObject({ text: 'x', attempts: 6 });
    expect(events.map(({ attempt, kind }) => [attempt, kind])).toEqual([
      [1, 'rate-limit'],
      [2, 'server'],
      [3, 'timeout'],
      [4, 'connection'],
      [5, 'bad-reply'],
    ]);
  });

  it.each(['auth', 'bad-request', 'no-such-model', 'aborted'] as const)(
    'end at once after %s',
    async (kind) => {
      const { time, model, calls } = failing([error(kind)]);
      expect(await failureOf(time.until(model.chat(aRequest({}, 0), call)))).toMatchObject({ kind });
      expect(calls()).toBe(1);
    },
  );

  it('end at once after an error that is none of a call, such as a spent budget', async () => {
    const { time, model, calls } = failing([new Error('spent') as ChatError]);
    await expect(time.until(model.chat(aRequest({}, 0), call))).rejects.toThrow('spent');
    expect(calls()).toBe(1);
  });

  it('end after their number', async () => {
    const { time, model, calls } = failing(
      Array.from({ length: 9 }, () => error('server')),
      { attempts: 3 },
    );
    expect(await failureOf(time.until(model.chat(aRequest({}, 0), call)))).toMatchObject({ kind: 'server' });
    expect(calls()).toBe(3);
  });

  it('end when the wait would pass the longest time: a provider that asks for an hour is not waited for', async () => {
    const { time, model, calls } = failing([error('rate-limit', 3_600_000)]);
    expect(await failureOf(time.until(model.chat(aRequest({}, 0), call)))).toMatchObject({
      kind: 'rate-limit',
    });
    expect([calls(), time.now()]).toEqual([1, 0]);
  });

  it('wait no less than Retry-After asks, and at most one first wait more', async () => {
    const { time, model } = failing([error('rate-limit', 20_000)]);
    await time.until(model.chat(aRequest({}, 0), call));
    expect(time.now()).toBeGreaterThanOrEqual(20_000);
    expect(time.now()).toBeLessThanOrEqual(21_000);
  });

  it('stop at once when they are told to, also while waiting', async () => {
    const stop = new AbortController();
    const { model, calls } = failing([error('server', 50_000)]);
    const working = failureOf(model.chat(aRequest({}, 0), { signal: stop.signal }));
    await new Promise((resolve) => setTimeout(resolve, 5));
    stop.abort();
    expect(await working).toMatchObject({ kind: 'aborted' });
    expect(calls()).toBe(1);
  });

  it('wait the same with the same seed, key and epoch, and otherwise not', async () => {
    const waits = async (key: string, epoch: number): Promise<number[]> => {
      const { time, model, events } = failing([error('server'), error('server')]);
      await time.until(model.chat(aRequest({ key, epoch }, 0), call));
      return events.map(({ waitMs }) => waitMs);
    };
    expect(await waits('a', 1)).toEqual(await waits('a', 1));
    expect(await waits('a', 1)).not.toEqual(await waits('b', 1));
    expect(await waits('a', 1)).not.toEqual(await waits('a', 2));
  });
});

describe('the wait', () => {
  it.each([
    [1, undefined, 0, 0],
    [1, undefined, 0.5, 500],
    [4, undefined, 0.5, 4000],
    [10, undefined, 0.5, 30_000],
    [1, 7000, 0, 7000],
    [5, 7000, 0.25, 7250],
  ])('after try %i, asked for %s ms, at random %d is %i ms', (attempt, asked, random, expected) => {
    expect(retryWaitMs(attempt, asked, random, { firstWaitMs: 1000, longestWaitMs: 60_000 })).toBe(expected);
  });
});
