import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { fakeProvider } from '../../../fake-provider/helpers.js';
import { aBundle } from '../helpers.js';
import {
  BATCH_MODELS,
  errorOf,
  itemIdOf,
  LONG,
  MODELS,
  responsesOf,
  run,
  startRun,
  summariesOf,
  until,
} from './helpers.js';

const MODEL = 'openai/gpt-5-mini';
/** Well below what a run would wait for: a retry, a reply, a minute's limit. */
const AT_ONCE_MS = 4000;

async function timed<T>(work: Promise<T>): Promise<{ readonly value: T; readonly ms: number }> {
  const began = performance.now();
  const value = await work;
  return { value, ms: performance.now() - began };
}

describe('the first Ctrl-C', () => {
  it.each(MODELS)(
    'lets the calls of %s that are under way end, keeps their replies, exits 130 and says what is left',
    async (model) => {
      const bundle = await aBundle(16);
      const fake = await fakeProvider({ latencyMs: 500 });
      const options = ['--concurrency', '3', '--json'];
      const { child, ended } = await startRun(bundle, fake, options, { models: [model] });
      await until(() => fake.calls().length >= 5, 'the second calls');
      child.kill('SIGINT');
      const stopped = await ended;
      expect([stopped.code, stopped.signal]).toEqual([130, null]);
      const asked = fake.calls().length;
      expect(asked).toBeLessThan(16);
      expect(fake.calls().map(({ end }) => end)).toEqual(Array<string>(asked).fill('answered'));
      const first = await responsesOf(bundle, model);
      expect(first.map(({ outcome }) => outcome)).toEqual(Array<string>(asked).fill('ok'));
      const { code, message, context } = errorOf(stopped);
      expect(code).toBe('interrupted');
      expect(message).toContain(`Stopped: ${16 - asked} replies are left to ask for.`);
      expect(context).toMatchObject({ left: 16 - asked });
      expect(stopped.stderr).toContain('Stopping: calls under way come to their end.');
      expect(stopped.stderr).toContain(`${model}: ${asked} replies are kept, ${16 - asked} are left.`);

      const [again] = summariesOf(await run(bundle, fake, options, { models: [model] }));
      expect(again).toMatchObject({ kept: asked, added: 16 - asked, missing: 0, outcomes: { ok: 16 } });
      expect(fake.calls()).toHaveLength(16);
      // What was there is there still, byte for byte.
      expect((await responsesOf(bundle, model)).slice(0, asked)).toEqual(first);
    },
    LONG,
  );

  it(
    'waits for no retry: a call between two tries is left for the next run, without a record',
    async () => {
      const bundle = await aBundle(6);
      let down = true;
      const fake = await fakeProvider({
        faults: (question) =>
          down && itemIdOf(question) === 'item-003' ? { kind: 'rate-limit', retryAfterSeconds: 60 } : null,
      });
      const { child, ended } = await startRun(bundle, fake, ['--json']);
      await until(() => fake.calls().filter(({ end }) => end !== null).length === 6, 'six calls');
      await sleep(200);
      child.kill('SIGINT');
      const { value: stopped, ms } = await timed(ended);
      expect(stopped.code).toBe(130);
      expect(ms).toBeLessThan(AT_ONCE_MS);
      expect(errorOf(stopped).context).toMatchObject({ left: 1 });
      expect(await responsesOf(bundle, MODEL)).toHaveLength(5);
      down = false;
      expect(summariesOf(await run(bundle, fake, ['--json']))[0]).toMatchObject({ kept: 5, added: 1 });
    },
    LONG,
  );

  it(
    'waits for no turn: calls held back by --rpm are left for the next run',
    async () => {
      const bundle = await aBundle(6);
      const fake = await fakeProvider();
      const { child, ended } = await startRun(bundle, fake, ['--json', '--rpm', '2']);
      await until(() => fake.answered().size === 2, 'two calls');
      await sleep(200);
      child.kill('SIGINT');
      const { value: stopped, ms } = await timed(ended);
      expect([stopped.code, errorOf(stopped).context.left]).toEqual([130, 4]);
      expect(ms).toBeLessThan(AT_ONCE_MS);
      expect(fake.calls()).toHaveLength(2);
    },
    LONG,
  );

  it.each(BATCH_MODELS)(
    'leaves a batch of %s with the provider; the next run fetches it and hands nothing in',
    async (model) => {
      const bundle = await aBundle(5);
      const fake = await fakeProvider({ batchPolls: 10 });
      const options = ['--json', '--batch', '--poll', '0.2'];
      const running = await startRun(bundle, fake, options, { models: [model] });
      const { child, ended } = running;
      expect(await running.line((text) => text.includes('batch under way'))).not.toBeNull();
      child.kill('SIGINT');
      const { value: stopped, ms } = await timed(ended);
      expect([stopped.code, errorOf(stopped).context.left]).toEqual([130, 5]);
      expect(ms).toBeLessThan(AT_ONCE_MS);
      expect(errorOf(stopped).message).toContain('A batch that was handed in goes on at the provider.');
      const [again] = summariesOf(await run(bundle, fake, options, { models: [model] }));
      expect(again).toMatchObject({ kept: 0, added: 5, missing: 0, outcomes: { ok: 5 } });
      expect(fake.calls()).toHaveLength(5);
    },
    LONG,
  );
});

describe('the second Ctrl-C', () => {
  it.each(MODELS)(
    'ends calls of %s that hang at once, and the next run completes what is left',
    async (model) => {
      const bundle = await aBundle(8);
      let hangs = true;
      const fake = await fakeProvider({
        faults: (question) =>
          hangs && ['item-002', 'item-005'].includes(itemIdOf(question)) ? { kind: 'hang' } : null,
      });
      const options = ['--json', '--concurrency', '4'];
      const running = await startRun(bundle, fake, options, { models: [model] });
      const { child, ended } = running;
      await until(() => fake.calls().filter(({ end }) => end === 'answered').length === 6, 'six replies');
      child.kill('SIGINT');
      expect(await running.line((text) => text.startsWith('Stopping'))).not.toBeNull();
      await sleep(400);
      expect(child.exitCode).toBeNull();
      child.kill('SIGINT');
      const { value: stopped, ms } = await timed(ended);
      expect([stopped.code, stopped.signal]).toEqual([130, null]);
      expect(ms).toBeLessThan(AT_ONCE_MS);
      expect(errorOf(stopped).context).toMatchObject({ left: 2 });
      expect(await responsesOf(bundle, model)).toHaveLength(6);
      hangs = false;
      const [again] = summariesOf(await run(bundle, fake, options, { models: [model] }));
      expect(again).toMatchObject({ kept: 6, added: 2, missing: 0, outcomes: { ok: 8 } });
      expect(fake.calls()).toHaveLength(10);
    },
    LONG,
  );
});
