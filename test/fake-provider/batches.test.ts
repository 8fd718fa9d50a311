import { describe, expect, it } from 'vitest';
import { makeBatchModel, type BatchModel } from '../../src/adapters/llm/index.js';
import { call } from '../adapters/llm/helpers.js';
import { fakeProvider, MODELS, sourcesOf } from './helpers.js';
import { aQuestion } from './question.js';

const BATCHING = MODELS.filter((id) => !id.startsWith('openai-compatible/'));

/** Keys and how each ended. */
async function endsOf(model: BatchModel, handle: Awaited<ReturnType<BatchModel['submit']>>) {
  const ends: [string, string][] = [];
  for await (const result of model.results(handle, call)) {
    ends.push([result.key, 'reply' in result ? result.reply.stop : `error ${result.error.kind}`]);
  }
  return ends.sort(([a], [b]) => (a < b ? -1 : 1));
}

describe.each(BATCHING)('batches of %s through the real SDK', (id) => {
  it('run for a while, come in another order, and tell refused, failed and expired entries apart', async () => {
    const faults = ['refusal', 'server-error', 'hang', null, null] as const;
    const fake = await fakeProvider({
      batchPolls: 2,
      faults: ({ texts }) => {
        const kind = faults[Number(/number (\d)/u.exec(texts.at(-1)!)?.[1])];
        return kind ? { kind } : null;
      },
    });
    const model = await makeBatchModel(id, sourcesOf(fake));
    const requests = faults.map((_, n) => {
      const question = aQuestion(2, { key: `k${n}` });
      return {
        ...question,
        parts: [...question.parts, { type: 'text' as const, text: `number ${n}\nA. a` }],
      };
    });
    const handle = await model.submit(requests, call);
    expect(await model.poll(handle, call)).toMatchObject({ state: 'running' });
    expect(await model.poll(handle, call)).toMatchObject({ state: 'running' });
    expect(await model.poll(handle, call)).toEqual({ state: 'ended', counts: { total: 5, finished: 5 } });
    const refused = id.startsWith('gemini/') ? 'complete' : 'refused';
    expect(await endsOf(model, handle)).toEqual([
      ['k0', refused],
      ['k1', 'error server'],
      ['k2', 'error server'],
      ['k3', 'complete'],
      ['k4', 'complete'],
    ]);
    expect(fake.calls().map(({ batchKey }) => batchKey)).toEqual(['k0', 'k1', 'k2', 'k3', 'k4']);
    expect(fake.calls().every(({ notes }) => notes.length === 0)).toBe(true);
  });

  it('can be cancelled: nothing was run', async () => {
    const fake = await fakeProvider({ batchPolls: 99 });
    const model = await makeBatchModel(id, sourcesOf(fake));
    const handle = await model.submit([aQuestion(1, { key: 'k0' })], call);
    await model.cancel(handle, call);
    expect(await model.poll(handle, call)).toMatchObject({ state: 'ended' });
    expect(await endsOf(model, handle)).toEqual([['k0', 'error server']]);
  });
});
