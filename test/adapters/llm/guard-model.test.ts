import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Budget } from '../../../src/adapters/llm/budget.js';
import { ChatError } from '../../../src/adapters/llm/chat-model.js';
import { modelGuard, type GuardOptions } from '../../../src/adapters/llm/guard-model.js';
import { scriptedChatModel } from '../../../src/adapters/llm/scripted.js';
import { fileStore } from '../../../src/adapters/store/index.js';
import { aRequest, call, failureOf, FakeTime } from './helpers.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'groundmark-guard-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const PRICES = { 'scripted/s': { input: 1000, output: 1000, asOf: null } };

function options(time: FakeTime, overrides: Partial<GuardOptions> = {}): GuardOptions {
  return {
    config: { providers: { scripted: { requestsPerMinute: 2 } } },
    prices: PRICES,
    budget: new Budget(null),
    seed: 0,
    clock: () => new Date(0),
    cacheFolder: folder,
    store: fileStore(),
    time,
    ...overrides,
  };
}

it('tries again within the limits of the provider, pays once, and never pays again for what is kept', async () => {
  const time = new FakeTime();
  const budget = new Budget(null);
  const script = new Map([
    [
      'item-1',
      [new ChatError('server', 'x'), new ChatError('rate-limit', 'x', { retryAfterMs: 100 }), 'TEXT'],
    ],
  ]);
  const retries: string[] = [];
  const guard = modelGuard(
    options(time, { budget, onRetry: (model, { kind }) => retries.push(`${model} ${kind}`) }),
  );
  const model = guard(scriptedChatModel('s', script));
  const request = aRequest({}, 1);
  expect(await time.until(model.chat(request, call))).toMatchObject({ text: 'TEXT', attempts: 3 });
  expect(retries).toEqual(['scripted/s server', 'scripted/s rate-limit']);
  // Two requests a minute: the third try had to wait for the first two to leave the window.
  expect(time.now()).toBeGreaterThan(60_000);
  // 11 + 11 + 13 characters are 9 tokens, TEXT is 1: 10 × $1000 / 1,000,000.
  expect(budget.spentUsd).toBeCloseTo(0.01, 12);
  const before = time.now();
  expect(await time.until(model.chat(request, call))).toMatchObject({
    fromCache: true,
    usd: 0,
    sent: [{ width: 9 }],
  });
  expect([time.now(), budget.spentUsd]).toEqual([before, expect.closeTo(0.01, 12)]);
});

it('gives out what the cache has even when the budget is spent', async () => {
  const time = new FakeTime();
  const model = scriptedChatModel('s', new Map([['item-1', 'TEXT']]));
  await time.until(modelGuard(options(time))(model).chat(aRequest(), call));
  const poor = modelGuard(options(time, { budget: new Budget(0) }))(model);
  expect(await time.until(poor.chat(aRequest(), call))).toMatchObject({ fromCache: true });
  await expect(time.until(poor.chat(aRequest({ epoch: 2 }), call))).rejects.toMatchObject({
    code: 'budget-spent',
  });
});

it('keeps nothing without a folder, and repeats its last answer', async () => {
  const time = new FakeTime();
  const model = modelGuard(options(time, { cacheFolder: null, config: { providers: {} } }))(
    scriptedChatModel('s', new Map([['item-1', ['a', 'b']]])),
  );
  const texts = [];
  for (let i = 0; i < 3; i++) texts.push((await time.until(model.chat(aRequest({}, 0), call))).text);
  expect(texts).toEqual(['a', 'b', 'b']);
});

it('a scripted model says so when its script does not hold a key', async () => {
  const model = scriptedChatModel('s', new Map());
  expect(await failureOf(model.chat(aRequest({}, 0), call))).toMatchObject({ kind: 'no-such-model' });
});

it('when it is to stop, lets the call under way end and begins no other', async () => {
  const time = new FakeTime();
  const stop = new AbortController();
  const signal = new AbortController().signal;
  const begun: string[] = [];
  const script = async ({ key }: { readonly key: string }): Promise<string | ChatError> => {
    begun.push(key);
    if (key === 'fails') return new ChatError('server', 'x', { retryAfterMs: 10_000 });
    await time.sleep(500);
    return 'TEXT';
  };
  const model = modelGuard(
    options(time, { config: { providers: { scripted: { concurrency: 2 } } }, cacheFolder: null }),
  )(scriptedChatModel('s', script));
  const ends = ['runs', 'fails', 'waits', 'waits-too'].map((key) =>
    model.chat(aRequest({ key }, 0), { signal, stop: stop.signal }).then(
      ({ text }) => text,
      (error: unknown) => (error as ChatError).kind,
    ),
  );
  void time.sleep(100).then(() => stop.abort());
  // `fails` gives its place to `waits`; both it (before its second try) and `waits-too` end without a call.
  expect(await time.until(Promise.all(ends))).toEqual(['TEXT', 'aborted', 'TEXT', 'aborted']);
  expect(begun).toEqual(['runs', 'fails', 'waits']);
});
