import {
  ChatError,
  realTime,
  type BatchHandle,
  type BatchModel,
  type CallOptions,
  type ChatReply,
  type ChatRequest,
} from '../../adapters/llm/index.js';
import type { Store } from '../../adapters/store/index.js';
import { readBatchState, writeBatchState, type BatchState } from './batch-state.js';
import { refused, type Call } from './run-calls.js';
import type { ShownItem } from './shown-item.js';

/** What the batches of one model need. */
export interface BatchRun {
  readonly batch: BatchModel;
  /** Every call that has no reply yet, by its key. */
  readonly open: Map<string, Call>;
  readonly epochs: number;
  /** `batch.json`. */
  readonly file: string;
  readonly store: Store;
  readonly clock: () => Date;
  readonly pollMs: number;
  readonly show: (call: Call) => Promise<ShownItem>;
  readonly request: (shown: ShownItem) => ChatRequest;
  /** An earlier reply to the same request, or null. */
  readonly cached: (request: ChatRequest) => Promise<ChatReply | null>;
  /** Sets aside what the requests may cost. @throws {GroundmarkError} `budget-spent` */
  readonly reserve: (requests: readonly ChatRequest[]) => Promise<void>;
  /** Gives back what was set aside for a request that was not run. */
  readonly onUnpaid: (request: ChatRequest) => void;
  readonly onReply: (reply: ChatReply, shown: ShownItem, request: ChatRequest) => Promise<void>;
  readonly onFailure: (error: ChatError, shown: ShownItem) => Promise<void>;
  /** Told how far the provider is. */
  readonly onStatus: (finished: number | null, total: number) => void;
  readonly onTrouble: (error: ChatError) => void;
  readonly signals: Required<CallOptions>;
}

/** Times that an entry is handed in before it counts as failed: it may expire, or the provider may stumble. */
const MAX_TRIES = 3;
/** Failures of the provider in a row, asking about batches, before the run gives up. What is under way stays known. */
const MAX_TROUBLES = 10;

/**
 * Gets every reply by batches: fetches what an earlier run handed in, hands in what is open, waits, and hands in again what
 * came back without a reply. Returns when nothing is open, or when `stop` has fired; the provider then works on, and the
 * next run fetches.
 *
 * @throws {GroundmarkError} `provider-refuses`, `budget-spent`, and what files throw
 */
export async function runBatches(run: BatchRun): Promise<void> {
  let state = (await readBatchState(run.file, run.store)) ?? { epochs: run.epochs, handles: [], tries: {} };
  const save = async (next: BatchState): Promise<void> => {
    state = next;
    await writeBatchState(run.file, state, run.store);
  };
  let troubles = 0;
  while (!run.signals.stop.aborted && !run.signals.signal.aborted) {
    try {
      for (const handle of [...state.handles]) {
        if (!(await hasEnded(handle, run))) continue;
        const tries = await collect(handle, state.tries, run);
        await save({ ...state, tries, handles: state.handles.filter((other) => other !== handle) });
      }
      if (state.handles.length === 0) {
        if (run.open.size === 0) return;
        await handIn(run, state, save);
        if (run.open.size === 0) return;
      }
      troubles = 0;
    } catch (error) {
      if (!(error instanceof ChatError)) throw error;
      if (error.kind === 'aborted') return;
      if (!error.retryable || ++troubles >= MAX_TROUBLES) throw refused(error, run.batch.id);
      run.onTrouble(error);
    }
    await pause(run);
  }
}

async function hasEnded(handle: BatchHandle, run: BatchRun): Promise<boolean> {
  const { state, counts } = await run.batch.poll(handle, run.signals);
  run.onStatus(counts.finished, counts.total);
  return state === 'ended';
}

/** Keeps the replies of a batch that has ended. @returns how often each call without a reply was handed in */
async function collect(
  handle: BatchHandle,
  before: BatchState['tries'],
  run: BatchRun,
): Promise<BatchState['tries']> {
  const tries: Record<string, number> = { ...before };
  for await (const result of run.batch.results(handle, run.signals)) {
    const call = run.open.get(result.key);
    // Kept by an earlier run that was killed before it could say so.
    if (!call) continue;
    const shown = await run.show(call);
    const request = run.request(shown);
    if ('reply' in result) {
      await run.onReply(result.reply, shown, request);
      run.open.delete(result.key);
      continue;
    }
    const { error } = result;
    run.onUnpaid(request);
    if (error.kind === 'auth' || error.kind === 'no-such-model') throw refused(error, run.batch.id);
    tries[result.key] = (tries[result.key] ?? 0) + 1;
    if (error.retryable && tries[result.key]! < MAX_TRIES) continue;
    await run.onFailure(error, shown);
    run.open.delete(result.key);
  }
  return tries;
}

/** Hands in what is open and not in the cache; each part is written down as soon as the provider has it. */
async function handIn(
  run: BatchRun,
  state: BatchState,
  save: (next: BatchState) => Promise<void>,
): Promise<void> {
  const requests: ChatRequest[] = [];
  for (const [key, call] of [...run.open]) {
    const shown = await run.show(call);
    const request = run.request(shown);
    const cached = await run.cached(request);
    if (cached) {
      await run.onReply(cached, shown, request);
      run.open.delete(key);
    } else requests.push(request);
  }
  if (requests.length === 0) return;
  await run.reserve(requests);
  const taken = new Set<string>();
  try {
    await run.batch.submit(requests, {
      signal: run.signals.signal,
      onPart: async (handle) => {
        for (const { keys } of handle.parts) keys.forEach((key) => taken.add(key));
        await save({ ...state, epochs: run.epochs, handles: [handle] });
      },
    });
  } catch (error) {
    // What was not taken is handed in again, and then set aside again: held twice, it could wait for itself for ever.
    requests.filter(({ key }) => !taken.has(key)).forEach((request) => run.onUnpaid(request));
    throw error;
  }
}

async function pause({ clock, pollMs, signals }: BatchRun): Promise<void> {
  try {
    await realTime(clock).sleep(pollMs, [signals.stop, signals.signal]);
  } catch (error) {
    if (!(error instanceof ChatError)) throw error;
  }
}
