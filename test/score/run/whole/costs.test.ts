import { describe, expect, it } from 'vitest';
import type { FakeQuestion } from '../../../../src/fake-provider/index.js';
import { fakeProvider } from '../../../fake-provider/helpers.js';
import { hashesBelow, oneJson } from '../../../helpers/e2e.js';
import { aBundle } from '../helpers.js';
import { errorOf, itemIdOf, LONG, MODELS, responsesOf, run, summariesOf } from './helpers.js';

const MODEL = 'openai/gpt-5-mini';

describe('groundmark run --dry-run', () => {
  it(
    'makes no call and changes no file, before a run and in the middle of one',
    async () => {
      const bundle = await aBundle(6);
      let down = true;
      const fake = await fakeProvider({
        faults: (question) => (down && itemIdOf(question) > 'item-004' ? { kind: 'blocked' } : null),
      });
      const images = bundle.items.reduce((sum, item) => sum + item.images.length, 0);
      const plan = async (...more: string[]) => {
        const said = await run(bundle, fake, ['--dry-run', '--json', ...more], { models: MODELS });
        return (oneJson(said.stdout) as { runs: readonly Record<string, unknown>[] }).runs;
      };
      // groundmark.yaml of the workspace is written with the first start.
      await plan();
      const before = await hashesBelow(bundle.folder);
      const plans = await plan();
      expect(plans.map(({ model }) => model)).toEqual([...MODELS]);
      for (const one of plans) expect(one).toMatchObject({ calls: 6, images, kept: 0, cached: 0 });
      expect(await hashesBelow(bundle.folder)).toEqual(before);
      expect(fake.calls()).toEqual([]);

      await run(bundle, fake, [], { models: [MODEL] });
      down = false;
      const between = await hashesBelow(bundle.folder);
      const calls = fake.calls().length;
      // Under a second epoch 6 are open, and four of those that are there are in the cache for another folder.
      expect((await plan('--epochs', '2'))[0]).toMatchObject({ calls: 6, kept: 6, cached: 0 });
      const elsewhere = await run(bundle, fake, ['--dry-run', '--json'], { out: 'other' });
      expect(oneJson(elsewhere.stdout)).toMatchObject({ runs: [{ calls: 2, kept: 0, cached: 4 }] });
      expect(await hashesBelow(bundle.folder)).toEqual(between);
      expect(fake.calls()).toHaveLength(calls);
    },
    LONG,
  );
});

describe('groundmark run --budget', () => {
  it(
    'stops with 4 before the call that it may not bear, makes none when it is spent, and goes on with more',
    async () => {
      const bundle = await aBundle(30);
      const fake = await fakeProvider({ latencyMs: 20 });
      // 0.25 and 2 dollars per million tokens: a call costs about 0.0007, and 0.004 are set aside for its output alone.
      const options = ['--json', '--max-output-tokens', '2000', '--concurrency', '4'];
      const stopped = await run(bundle, fake, options, { budget: '0.015', exit: 4 });
      const { code, context } = errorOf(stopped);
      const calls = fake.calls().length;
      expect(calls).toBeGreaterThan(4);
      expect(calls).toBeLessThan(30);
      expect([code, context.left]).toEqual(['budget-spent', 30 - calls]);
      // Every call that was made was within it, was ended, and is kept.
      const kept = await responsesOf(bundle, MODEL);
      expect(kept).toHaveLength(calls);
      const spent = kept.reduce((sum, { usd }) => sum + (usd as number), 0);
      expect(spent).toBeLessThanOrEqual(0.015);
      expect(context.spentUsd).toBeCloseTo(spent, 12);

      const again = await run(bundle, fake, options, { budget: '0.015', exit: 4 });
      expect(errorOf(again).code).toBe('budget-spent');
      expect(fake.calls()).toHaveLength(calls);
      const more = summariesOf(await run(bundle, fake, options, { budget: '1' }));
      expect(more[0]).toMatchObject({ kept: calls, added: 30 - calls, missing: 0 });
      expect(fake.calls()).toHaveLength(30);
    },
    LONG,
  );

  it(
    'without one there is no call, exit code 2',
    async () => {
      const bundle = await aBundle(2);
      const fake = await fakeProvider();
      const said = await run(bundle, fake, ['--json'], { budget: '0', exit: 2 });
      expect(errorOf(said).code).toBe('no-budget');
      expect(fake.calls()).toEqual([]);
    },
    LONG,
  );
});

describe('the response cache', () => {
  it(
    'gives a second run with another --out everything but refusals, blocks, truncations and failures, which are asked again',
    async () => {
      const bundle = await aBundle(10);
      const kinds = new Map([
        ['item-001', 'refusal'],
        ['item-002', 'blocked'],
        ['item-003', 'truncation'],
        ['item-004', 'bad-body'],
        // Whole replies, if bad ones: what the model said is what it said.
        ['item-005', 'malformed'],
        ['item-006', 'five-ids'],
      ] as const);
      let ill = true;
      const faults = (question: FakeQuestion) => {
        const kind = kinds.get(itemIdOf(question) as 'item-001');
        return ill && kind !== undefined ? { kind } : null;
      };
      const fake = await fakeProvider({ faults });
      const first = summariesOf(await run(bundle, fake, ['--json']))[0]!;
      expect(first.outcomes).toEqual({
        ok: 4,
        refused: 1,
        blocked: 1,
        truncated: 1,
        transport: 1,
        unparsed: 1,
        'invalid-selection': 1,
      });
      ill = false;
      const before = fake.calls().length;
      const second = summariesOf(await run(bundle, fake, ['--json'], { out: 'second' }))[0]!;
      expect(second).toMatchObject({ added: 10, spending: { cached: 6 } });
      expect(second.outcomes).toEqual({ ok: 8, unparsed: 1, 'invalid-selection': 1 });
      expect(fake.calls()).toHaveLength(before + 4);
      // Now everything is there: no call, no cost, though a budget of 0.0001 would bear none.
      const third = summariesOf(await run(bundle, fake, ['--json'], { out: 'third', budget: '0.0001' }))[0]!;
      expect(third).toMatchObject({ added: 10, spending: { cached: 10, usd: 0, inputTokens: 0 } });
      expect(fake.calls()).toHaveLength(before + 4);
      // Another epoch is another question; --no-cache neither reads nor writes.
      await run(bundle, fake, ['--epochs', '2'], { out: 'third' });
      expect(fake.calls()).toHaveLength(before + 14);
      await run(bundle, fake, ['--no-cache'], { out: 'fourth' });
      expect(fake.calls()).toHaveLength(before + 24);
    },
    LONG,
  );
});
