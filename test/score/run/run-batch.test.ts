import path from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  ChatError,
  type BatchHandle,
  type BatchModel,
  type BatchResult,
  type ChatRequest,
} from '../../../src/adapters/llm/index.js';
import { fileStore } from '../../../src/adapters/store/index.js';
import { readBatchState, writeBatchState } from '../../../src/score/run/batch-state.js';
import { buildRequest } from '../../../src/score/run/build-request.js';
import { runBatches, type BatchRun } from '../../../src/score/run/run-batch.js';
import { ANY } from '../../adapters/llm/helpers.js';
import { anItem, aReply, aShown } from './an-item.js';
import { testFolder } from './helpers.js';

const KEYS = ['a', 'b', 'c'];

type End = 'ok' | ChatError['kind'];

/** A provider whose batches take one part a request, and end as a script says: by key, one end a time it is handed in. */
class FakeBatches implements BatchModel {
  readonly id = 'test/m';
  readonly provider = 'test';
  readonly capabilities = ANY;
  readonly sdk = 'test@1';
  readonly submitted: string[][] = [];
  readonly log: string[] = [];
  /** Kinds of failure of the next requests to the service itself, by name. */
  readonly failures: Partial<Record<'submit' | 'poll', ChatError['kind'][]>> = {};
  /** Parts that a failing submit takes before it fails. */
  takenBeforeFailure = 0;
  /** Polls that a batch runs at before it has ended. */
  polls = 0;
  onPoll: () => void = () => undefined;
  readonly #times = new Map<string, number>();

  constructor(private readonly ends: Readonly<Record<string, readonly End[]>> = {}) {}

  async submit(requests: readonly ChatRequest[], options: Parameters<BatchModel['submit']>[1]) {
    const failure = this.failures.submit?.shift();
    let handle: BatchHandle = { model: this.id, parts: [], sent: {} };
    const taken = failure === undefined ? requests : requests.slice(0, this.takenBeforeFailure);
    for (const { key } of taken) {
      handle = { ...handle, parts: [...handle.parts, { id: `batch-${key}`, keys: [key] }] };
      await options.onPart?.(handle);
    }
    this.submitted.push(taken.map(({ key }) => key));
    if (failure !== undefined) throw new ChatError(failure, `submit: ${failure}`);
    return handle;
  }

  async poll({ parts }: BatchHandle) {
    this.onPoll();
    const failure = this.failures.poll?.shift();
    if (failure !== undefined) throw new ChatError(failure, `poll: ${failure}`);
    const ended = this.polls-- <= 0;
    const counts = { total: parts.length, finished: ended ? parts.length : 0 };
    return { state: ended ? ('ended' as const) : ('running' as const), counts };
  }

  async *results({ parts }: BatchHandle): AsyncGenerator<BatchResult> {
    // The last first: no provider promises an order.
    for (const key of parts.flatMap(({ keys }) => keys).reverse()) {
      const time = this.#times.get(key) ?? 0;
      this.#times.set(key, time + 1);
      const ends = this.ends[key] ?? ['ok'];
      const end = ends[Math.min(time, ends.length - 1)]!;
      yield end === 'ok'
        ? { key, reply: aReply(`reply to ${key}`) }
        : { key, error: new ChatError(end, `entry: ${end}`) };
    }
  }

  async cancel(): Promise<void> {}
}

interface Seen {
  readonly replies: string[];
  readonly failures: string[];
  readonly troubles: string[];
  readonly reserved: string[][];
  readonly unpaid: string[];
}

async function setUp(batch: FakeBatches, overrides: Partial<BatchRun> = {}) {
  const file = path.join(await testFolder(), 'batch.json');
  const seen: Seen = { replies: [], failures: [], troubles: [], reserved: [], unpaid: [] };
  const { signal } = new AbortController();
  const run: BatchRun = {
    batch,
    open: new Map(KEYS.map((key) => [key, { item: anItem(key), epoch: 1 }])),
    epochs: 1,
    file,
    store: fileStore(),
    clock: () => new Date(),
    pollMs: 1,
    show: async ({ item }) => aShown({ itemId: item.id }),
    request: (shown) =>
      buildRequest(shown, shown.itemId, { prompt: 'P', readFile: async () => Buffer.alloc(0) }),
    cached: async () => null,
    reserve: async (requests) => void seen.reserved.push(requests.map(({ key }) => key)),
    onUnpaid: ({ key }) => void seen.unpaid.push(key),
    onReply: async ({ text }, { itemId }) => void seen.replies.push(`${itemId}: ${text}`),
    onFailure: async ({ kind }, { itemId }) => void seen.failures.push(`${itemId}: ${kind}`),
    onStatus: () => undefined,
    onTrouble: ({ message }) => void seen.troubles.push(message),
    signals: { signal, stop: signal },
    ...overrides,
  };
  return { run, seen, state: () => readBatchState(file, fileStore()) };
}

const ALL = ['a: reply to a', 'b: reply to b', 'c: reply to c'];

describe('runBatches', () => {
  it('hands in what is open, waits, and keeps every reply, in whatever order', async () => {
    const batch = new FakeBatches();
    batch.polls = 2;
    const { run, seen, state } = await setUp(batch);
    await runBatches(run);
    expect(batch.submitted).toEqual([['a', 'b', 'c']]);
    expect(seen.replies).toEqual([...ALL].reverse());
    expect(seen).toMatchObject({ failures: [], reserved: [['a', 'b', 'c']], unpaid: [] });
    expect(run.open.size).toBe(0);
    expect(await state()).toBeNull();
  });

  it('hands in again what expired, up to three times, and then keeps it as a failure', async () => {
    const batch = new FakeBatches({ a: ['timeout', 'ok'], b: ['server'] });
    const { run, seen, state } = await setUp(batch);
    await runBatches(run);
    expect(batch.submitted).toEqual([['a', 'b', 'c'], ['a', 'b'], ['b']]);
    expect([...seen.replies].sort()).toEqual(ALL.filter((line) => !line.startsWith('b')));
    expect(seen.failures).toEqual(['b: server']);
    // Given back each time that no reply came: once for a, three times for b.
    expect([...seen.unpaid].sort()).toEqual(['a', 'b', 'b', 'b']);
    expect(await state()).toBeNull();
  });

  it('does not hand in again what the provider refused as a request', async () => {
    const batch = new FakeBatches({ b: ['bad-request'] });
    const { run, seen } = await setUp(batch);
    await runBatches(run);
    expect(batch.submitted).toHaveLength(1);
    expect(seen.failures).toEqual(['b: bad-request']);
  });

  it('fetches what an earlier run handed in before it hands in the rest', async () => {
    const batch = new FakeBatches();
    const { run, seen, state } = await setUp(batch);
    const parts = [{ id: 'batch-old', keys: ['b', 'not-asked-for'] }];
    const handles = [{ model: 'test/m', parts, sent: {} }];
    await writeBatchState(run.file, { epochs: 1, handles, tries: {} }, run.store);
    await runBatches(run);
    expect(batch.submitted).toEqual([['a', 'c']]);
    expect(seen.replies[0]).toBe('b: reply to b');
    expect([...seen.replies].sort()).toEqual(ALL);
    expect(await state()).toBeNull();
  });

  it('remembers over a restart how often an entry was tried', async () => {
    const batch = new FakeBatches({ b: ['server'] });
    const { run, seen } = await setUp(batch);
    const handles = [{ model: 'test/m', parts: [{ id: 'batch-old', keys: ['b'] }], sent: {} }];
    await writeBatchState(run.file, { epochs: 1, handles, tries: { b: 2 } }, run.store);
    await runBatches(run);
    expect(batch.submitted).toEqual([['a', 'c']]);
    expect(seen.failures).toEqual(['b: server']);
  });

  it('takes from the cache what is there, and hands in the others', async () => {
    const batch = new FakeBatches();
    const { run, seen } = await setUp(batch, {
      cached: async ({ key }) => (key === 'b' ? aReply('from the cache') : null),
    });
    await runBatches(run);
    expect(batch.submitted).toEqual([['a', 'c']]);
    expect(seen.replies[0]).toBe('b: from the cache');
    const all = new FakeBatches();
    const second = await setUp(all, { cached: async () => aReply('from the cache') });
    await runBatches(second.run);
    expect([all.submitted, second.seen.reserved]).toEqual([[], []]);
  });

  it('gives back what was set aside for a batch that was not taken, and hands it in again', async () => {
    const batch = new FakeBatches();
    batch.failures.submit = ['server'];
    const { run, seen } = await setUp(batch);
    await runBatches(run);
    expect(seen.troubles).toEqual(['submit: server']);
    expect(seen.unpaid).toEqual(['a', 'b', 'c']);
    expect(seen.reserved).toEqual([
      ['a', 'b', 'c'],
      ['a', 'b', 'c'],
    ]);
    expect([...seen.replies].sort()).toEqual(ALL);
  });

  it('keeps the part that was taken when the next one is not, and hands in only the rest', async () => {
    const batch = new FakeBatches();
    batch.failures.submit = ['connection'];
    batch.takenBeforeFailure = 1;
    const { run, seen } = await setUp(batch);
    await runBatches(run);
    expect(batch.submitted).toEqual([['a'], ['b', 'c']]);
    expect(seen.unpaid).toEqual(['b', 'c']);
    expect([...seen.replies].sort()).toEqual(ALL);
  });

  it.each(['auth', 'no-such-model', 'bad-request'] as const)(
    'gives up at once when a batch is refused: %s',
    async (kind) => {
      const batch = new FakeBatches();
      batch.failures.submit = [kind];
      const { run, seen } = await setUp(batch);
      await expect(runBatches(run)).rejects.toMatchObject({
        code: 'provider-refuses',
        exit: 4,
        context: { kind },
      });
      expect([seen.replies, seen.failures]).toEqual([[], []]);
    },
  );

  it('asks again when asking fails, up to ten times in a row; the batch stays known', async () => {
    const batch = new FakeBatches();
    batch.failures.poll = Array<'server'>(9).fill('server');
    const first = await setUp(batch);
    await runBatches(first.run);
    expect(first.seen.troubles).toHaveLength(9);
    expect([...first.seen.replies].sort()).toEqual(ALL);

    const down = new FakeBatches();
    down.failures.poll = Array<'server'>(10).fill('server');
    const second = await setUp(down);
    await expect(runBatches(second.run)).rejects.toMatchObject({ code: 'provider-refuses' });
    expect((await second.state())!.handles[0]!.parts.map(({ id }) => id)).toEqual([
      'batch-a',
      'batch-b',
      'batch-c',
    ]);
  });

  it('stops when it is told to; the provider works on and the batch stays known', async () => {
    const [stop, batch] = [new AbortController(), new FakeBatches()];
    batch.polls = 100;
    batch.onPoll = () => stop.abort();
    const { run, seen, state } = await setUp(batch, {
      signals: { signal: new AbortController().signal, stop: stop.signal },
    });
    await runBatches(run);
    expect(seen.replies).toEqual([]);
    expect(run.open.size).toBe(3);
    expect((await state())!.handles).toHaveLength(1);
  });

  it('hands in nothing when the batch file cannot be read', async () => {
    const batch = new FakeBatches();
    const { run } = await setUp(batch);
    await run.store.write(run.file, '{"handles":');
    await expect(runBatches(run)).rejects.toMatchObject({ code: 'bad-batch-file' });
    expect(batch.submitted).toEqual([]);
  });

  it('hands in nothing that the budget does not bear', async () => {
    const batch = new FakeBatches();
    const spent = Object.assign(new Error('budget-spent'), { code: 'budget-spent' });
    const { run, state } = await setUp(batch, { reserve: () => Promise.reject(spent) });
    await expect(runBatches(run)).rejects.toBe(spent);
    expect([batch.submitted, await state()]).toEqual([[], null]);
  });
});
