import { ChatError, type ChatModel, type ChatRequest, type CallOptions } from '../../adapters/llm/index.js';
import { EXIT, GroundmarkError } from '../../domain/error.js';
import type { Item } from '../../domain/item.js';
import type { ShownItem } from './shown-item.js';

/** One reply that is asked for. */
export interface Call {
  readonly item: Item;
  readonly epoch: number;
}

/** What the calls of one model need. */
export interface CallRun {
  readonly model: ChatModel;
  readonly calls: readonly Call[];
  /** Calls under way at the same time. */
  readonly lanes: number;
  readonly show: (call: Call) => Promise<ShownItem>;
  readonly request: (shown: ShownItem) => ChatRequest;
  /** Keeps a reply; returns once it is on the disk. */
  readonly onReply: (reply: Awaited<ReturnType<ChatModel['chat']>>, shown: ShownItem) => Promise<void>;
  readonly onFailure: (error: ChatError, shown: ShownItem) => Promise<void>;
  readonly signals: Required<CallOptions>;
}

/** Failures in a row, before any reply, that say that no call will bring one. */
const FAILURES_AT_FIRST = 5;
/** And after there were replies; or as many as there are lanes, when those are more. */
const FAILURES_IN_A_ROW = 10;

/**
 * Asks for every reply, some at a time, each built when its turn comes. Returns when all are kept, or when `stop` has
 * fired and the calls under way have ended.
 *
 * A call that fails is a record, and the rest goes on, unless the failure holds for every call (key, model name, budget) or
 * many fail in a row: then nothing new begins, calls under way come to their end, and the error is thrown.
 *
 * @throws {GroundmarkError} `provider-refuses`, `provider-failing`, `budget-spent`, `no-price`, and what reading and
 *   writing files throws
 */
export async function runCalls(run: CallRun): Promise<void> {
  const ending = new AbortController();
  const stop = AbortSignal.any([run.signals.stop, ending.signal]);
  let fatal: Error | null = null;
  const end = (error: unknown): void => {
    fatal ??= error instanceof Error ? error : new Error(String(error));
    ending.abort();
  };
  const streak = new Streak(run.lanes);
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < run.calls.length && !stop.aborted && !run.signals.signal.aborted) {
      const call = run.calls[next++]!;
      try {
        const error = await callOnce(call, run, { signal: run.signals.signal, stop });
        streak.add(error, run.model.id);
      } catch (error) {
        if (isAborted(error)) return;
        end(error);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(run.lanes, run.calls.length) }, lane));
  if (fatal !== null) throw fatal as Error;
}

/** @returns the failure that was kept, or null after a reply */
async function callOnce(call: Call, run: CallRun, options: Required<CallOptions>): Promise<ChatError | null> {
  const shown = await run.show(call);
  const request = run.request(shown);
  let reply;
  try {
    reply = await run.model.chat(request, options);
  } catch (error) {
    if (!(error instanceof ChatError) || isAborted(error)) throw error;
    if (error.kind === 'auth' || error.kind === 'no-such-model') throw refused(error, run.model.id);
    if (error.kind === 'bad-request' && error.detail.unsent) throw badImage(error, call);
    await run.onFailure(error, shown);
    return error;
  }
  await run.onReply(reply, shown);
  return null;
}

function isAborted(error: unknown): boolean {
  return error instanceof ChatError && error.kind === 'aborted';
}

/** Failures in a row. */
class Streak {
  #failures = 0;
  #replied = false;

  constructor(private readonly lanes: number) {}

  /** @throws {GroundmarkError} `provider-failing` */
  add(error: ChatError | null, model: string): void {
    if (error === null) {
      this.#failures = 0;
      this.#replied = true;
      return;
    }
    this.#failures += 1;
    const most = this.#replied ? Math.max(FAILURES_IN_A_ROW, this.lanes) : FAILURES_AT_FIRST;
    if (this.#failures < most) return;
    throw new GroundmarkError(
      'provider-failing',
      `${this.#failures} calls in a row brought no reply, so no more are made. The last: ${error.message} ` +
        `Run the same command again to go on; these calls are then tried again.`,
      { model, failures: this.#failures, kind: error.kind },
      { exit: EXIT.provider },
    );
  }
}

/** Holds for every call: no other is made. */
export function refused(error: ChatError, model: string): GroundmarkError {
  const { status } = error.detail;
  return new GroundmarkError(
    'provider-refuses',
    error.message,
    { model, kind: error.kind, ...(status === undefined ? {} : { status }) },
    { exit: EXIT.provider },
  );
}

function badImage(error: ChatError, { item }: Call): GroundmarkError {
  return new GroundmarkError('changed-image', `Item ${item.id}: ${error.message}`, { itemId: item.id });
}
