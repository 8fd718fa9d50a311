import { describe, expect, it } from 'vitest';
import type { FakeProvider } from '../../../src/fake-provider/index.js';
import { planRun, runModel, type RunModelInput } from '../../../src/score/index.js';
import { fakeProvider } from '../../fake-provider/helpers.js';
import { aBundle, runDeps, runInput } from './helpers.js';

/** Hands a batch in and is stopped before it has ended. */
async function handIn(input: RunModelInput, fake: FakeProvider): Promise<void> {
  const stop = new AbortController();
  const info = (line: string): void => {
    if (line.includes('batch under way')) stop.abort();
  };
  const deps = runDeps(fake, { log: { info, warn: () => undefined }, stop: stop.signal });
  await expect(runModel(input, deps)).rejects.toMatchObject({
    code: 'interrupted',
    message: expect.stringMatching(/A batch that was handed in goes on at the provider\./u) as string,
  });
}

describe('a batch that was handed in and not fetched', () => {
  it('is fetched by the same command, and nothing is asked twice', async () => {
    const bundle = await aBundle(3);
    const fake = await fakeProvider({ batchPolls: 4 });
    await handIn(runInput(bundle, { batch: true, pollMs: 5 }), fake);
    const [run] = await runModel(runInput(bundle, { batch: true, pollMs: 5 }), runDeps(fake));
    expect(run).toMatchObject({ added: 3, missing: 0, outcomes: { ok: 3 } });
    expect(fake.calls()).toHaveLength(3);
    expect(fake.calls().every(({ batchKey }) => batchKey !== null)).toBe(true);
    // Fetched, and no batch is in the way any more.
    const [more] = await runModel(runInput(bundle, { epochs: 2 }), runDeps(fake));
    expect(more).toMatchObject({ added: 3, kept: 3, missing: 0 });
  });

  it('is fetched whole when fewer epochs are asked for, and none is missing then', async () => {
    const bundle = await aBundle(2);
    const fake = await fakeProvider({ batchPolls: 3 });
    const three = runInput(bundle, { batch: true, pollMs: 5, epochs: 3 });
    await handIn(three, fake);
    const [run] = await runModel({ ...three, epochs: 1 }, runDeps(fake));
    expect(run).toMatchObject({ added: 6, missing: 0 });
  });

  it('is not asked for call by call: it would be paid twice', async () => {
    const bundle = await aBundle(3);
    const fake = await fakeProvider({ batchPolls: 4 });
    await handIn(runInput(bundle, { batch: true, pollMs: 5 }), fake);
    const refusal = {
      code: 'batch-under-way',
      exit: 2,
      message: expect.stringMatching(/Run with --batch/u) as string,
    };
    await expect(runModel(runInput(bundle), runDeps(fake))).rejects.toMatchObject(refusal);
    await expect(planRun(runInput(bundle), runDeps(fake))).rejects.toMatchObject(refusal);
    expect(fake.calls().filter(({ batchKey }) => batchKey === null)).toEqual([]);
    const [run] = await runModel(runInput(bundle, { restart: true }), runDeps(fake));
    expect(run).toMatchObject({ added: 3, kept: 0, missing: 0 });
  });
});
