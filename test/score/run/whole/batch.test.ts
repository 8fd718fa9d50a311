import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { FakeQuestion } from '../../../../src/fake-provider/index.js';
import { rng } from '../../../../src/util/rng.js';
import { fakeProvider } from '../../../fake-provider/helpers.js';
import { exists } from '../../../helpers/e2e.js';
import { aBundle, lasting } from '../helpers.js';
import {
  BATCH_MODELS,
  counted,
  itemIdOf,
  LONG,
  responsesOf,
  run,
  runFolder,
  startRun,
  summariesOf,
} from './helpers.js';

const BATCH = ['--json', '--batch', '--poll', '0.1'];

describe('groundmark run --batch', () => {
  it.each(BATCH_MODELS)(
    'with %s: killed five times while it polls and fetches, hands everything in once and ends as without kills',
    async (model) => {
      const bundle = await aBundle(40);
      const calm = await fakeProvider();
      const direct = ['--no-cache', '--concurrency', '8'];
      await run(bundle, calm, direct, { models: [model], out: 'direct' });

      const fake = await fakeProvider({ batchPolls: 12 });
      const random = rng(7, 'batch kills', model);
      for (let kill = 0; kill < 5; kill++) {
        const running = await startRun(bundle, fake, BATCH, { models: [model] });
        const { child, ended } = running;
        // The first word about the batch comes when it is handed in and written down.
        await running.line((text) => text.includes('batch under way'));
        await sleep(random.int(250));
        child.kill('SIGKILL');
        await ended;
      }
      const [summary] = summariesOf(await run(bundle, fake, BATCH, { models: [model] }));
      expect(summary).toMatchObject({ items: 40, missing: 0, outcomes: { ok: 40 } });
      const keys = fake.calls().map(({ batchKey }) => batchKey);
      expect(keys).not.toContain(null);
      expect([keys.length, new Set(keys).size]).toEqual([40, 40]);
      expect(await exists(path.join(runFolder(bundle, model), 'batch.json'))).toBe(false);

      // The same replies as one by one; a batch costs half.
      const without = (responses: Awaited<ReturnType<typeof responsesOf>>) =>
        lasting(responses.map(({ usd: _usd, ...rest }) => rest));
      const [inBatch, oneByOne] = [
        await responsesOf(bundle, model),
        await responsesOf(bundle, model, 'direct'),
      ];
      expect(without(inBatch)).toEqual(without(oneByOne));
      const usd = new Map(oneByOne.map((response) => [response.itemId, response.usd as number]));
      for (const response of inBatch) expect(response.usd).toBeCloseTo(usd.get(response.itemId)! / 2, 12);
      // Results come in an order of their own.
      const order = inBatch.map(({ itemId }) => itemId);
      expect([...order].sort()).toEqual(bundle.items.map(({ id }) => id));
      expect(order).not.toEqual([...order].sort());
    },
    LONG,
  );

  it.each(BATCH_MODELS)(
    'with %s: asks again for entries that expired or failed, three times at most, and keeps the others',
    async (model) => {
      const bundle = await aBundle(16);
      const times = (question: FakeQuestion): number =>
        ({ 'item-002': 1, 'item-003': 2, 'item-004': 99 })[itemIdOf(question)] ?? 0;
      let down = true;
      const fake = await fakeProvider({
        faults: (question) => {
          const id = itemIdOf(question);
          if (id === 'item-001') return { kind: 'refusal' };
          if (id === 'item-006') return { kind: 'truncation' };
          // `hang`: the entry is not run before the batch expires. `server-error`: it is run and fails.
          if (down && question.call < times(question)) return { kind: 'hang' };
          if (id === 'item-005' && question.call === 0) return { kind: 'server-error' };
          return null;
        },
      });
      const first = await run(bundle, fake, BATCH, { models: [model] });
      // Gemini has no refusal but in words.
      const word = model.startsWith('gemini') ? 'unparsed' : 'refused';
      const others = { [word]: 1, truncated: 1 };
      const [summary] = summariesOf(first);
      expect(summary).toMatchObject({ added: 16, missing: 0 });
      expect(summary!.outcomes).toEqual({ ...others, ok: 13, transport: 1 });
      const perItem = counted(fake.calls().map(({ batchKey }) => batchKey!.slice(0, 'item-000'.length)));
      expect(perItem).toEqual({
        ...Object.fromEntries(bundle.items.map(({ id }) => [id, 1])),
        'item-002': 2,
        'item-003': 3,
        'item-004': 3,
        'item-005': 2,
      });

      down = false;
      const [again] = summariesOf(await run(bundle, fake, BATCH, { models: [model] }));
      expect(again).toMatchObject({ kept: 15, added: 1, missing: 0 });
      expect(again!.outcomes).toEqual({ ...others, ok: 14 });
      expect(fake.calls()).toHaveLength(16 + 1 + 2 + 2 + 1 + 1);
    },
    LONG,
  );

  it(
    'is refused for a compatible server, before any call',
    async () => {
      const bundle = await aBundle(2);
      const fake = await fakeProvider();
      const models = ['openai-compatible/local/some-model'];
      const said = await run(bundle, fake, BATCH, { models, exit: 2 });
      expect(said.stderr).toContain('has no batches');
      expect(fake.calls()).toEqual([]);
    },
    LONG,
  );
});
