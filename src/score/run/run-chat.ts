import path from 'node:path';
import type { Deps } from '../../adapters/deps.js';
import {
  cachedReply,
  estimateFor,
  keepReply,
  worstCostUsd,
  type Budget,
  type CallOptions,
  type ChatError,
  type ChatModel,
  type ChatReply,
  type ChatRequest,
} from '../../adapters/llm/index.js';
import { DurableLog, toJsonl, type Store } from '../../adapters/store/index.js';
import type { Condition, Response } from '../../domain/response.js';
import { readBatchState } from './batch-state.js';
import { assertSent, buildRequest, type RequestOptions } from './build-request.js';
import { callKey } from './call-key.js';
import { openCalls } from './open-calls.js';
import { replyUsd, type CallTimes, type PricedModel } from './chat-models.js';
import { failureRecord, replyRecord } from './chat-response.js';
import { BATCH_FILE, RESPONSES_FILE, type EarlierChatRun } from './open-chat-run.js';
import { runBatches } from './run-batch.js';
import { runCalls, type Call } from './run-calls.js';
import type { Show, ShownItem } from './shown-item.js';
import type { Item } from '../../domain/item.js';
import type { Tally } from './tally.js';

/** One model of a run, ready to be asked. */
export interface ChatRun {
  readonly priced: PricedModel;
  /** The model with its wrappers. */
  readonly guarded: ChatModel;
  readonly times: CallTimes;
  readonly tally: Tally;
  readonly folder: string;
  readonly earlier: EarlierChatRun;
  readonly items: readonly Item[];
  readonly epochs: number;
  readonly condition: Condition;
  readonly show: Show;
  readonly request: RequestOptions;
  readonly lanes: number;
  readonly budget: Budget;
  readonly cacheFolder: string | null;
  readonly pollMs: number;
}

/**
 * Asks one model for what is open, each reply on the disk before it counts.
 *
 * @throws {GroundmarkError} as `runCalls` and `runBatches`; replies until then are kept
 */
export async function runChat(run: ChatRun, deps: Deps): Promise<void> {
  const { priced, tally, condition } = run;
  const model = priced.model.id;
  run.earlier.kept.forEach((record) => tally.keep(record));
  const log = await DurableLog.open(path.join(run.folder, RESPONSES_FILE));
  const calls = openCalls(run.items, run.epochs, run.earlier.kept);
  const task = deps.progress.start(condition === 'real' ? model : `${model} (${condition})`, calls.length);
  const keep = async (record: Response, reply: ChatReply | null): Promise<void> => {
    await log.append(toJsonl([record]));
    tally.add(
      record,
      reply?.fromCache ? null : (reply?.usage ?? null),
      reply === null ? 0 : (reply.usd ?? null),
    );
    task.note?.(tally.note());
    task.tick();
  };
  const facts = { model, condition };
  const steps = {
    show: (call: Call) => run.show.item(call.item, call.epoch),
    request: (shown: ShownItem) => buildRequest(shown, callKey(shown), run.request),
    onFailure: (error: ChatError, shown: ShownItem) =>
      keep(failureRecord(error, shown, { ...facts, usd: null }), null),
    signals: signalsOf(deps),
  };
  try {
    if (priced.batch) await inBatches(run, calls, steps, keep, deps);
    else {
      const onReply = async (reply: ChatReply, shown: ShownItem): Promise<void> => {
        assertSent(reply.sent, shown);
        const ms = run.times.take(callKey(shown));
        await keep(
          replyRecord(reply, shown, { ...facts, ms, usd: replyUsd(priced.price, reply.usage) }),
          reply,
        );
      };
      await runCalls({ ...steps, model: run.guarded, calls, lanes: run.lanes, onReply });
    }
  } finally {
    task.done();
    await log.close();
  }
}

interface Steps {
  readonly show: (call: Call) => Promise<ShownItem>;
  readonly request: (shown: ShownItem) => ChatRequest;
  readonly onFailure: (error: ChatError, shown: ShownItem) => Promise<void>;
  readonly signals: Required<CallOptions>;
}

async function inBatches(
  run: ChatRun,
  calls: readonly Call[],
  steps: Steps,
  keep: (record: Response, reply: ChatReply) => Promise<void>,
  deps: Deps,
): Promise<void> {
  const { priced, budget, condition, epochs } = run;
  const batch = priced.batch!;
  const file = path.join(run.folder, BATCH_FILE);
  // A batch that is under way may have been handed in for more epochs than are asked for now.
  const submitted = (await readBatchState(file, deps.store))?.epochs ?? 0;
  const all = submitted > epochs ? openCalls(run.items, submitted, run.earlier.kept) : calls;
  const open = new Map(
    all.map((call): [string, Call] => [callKey({ itemId: call.item.id, epoch: call.epoch }), call]),
  );
  const cache = cacheOf(run.cacheFolder, deps.store);
  const worst = (request: ChatRequest): number =>
    worstCostUsd(priced.price, estimateFor(priced.model, request), { batch: true }) ?? 0;
  /** US dollars set aside by this run, by request: what an earlier run handed in has nothing set aside. */
  const held = new Map<string, number>();
  const settle = ({ key }: ChatRequest, usd: number | null): void => {
    budget.settle(held.get(key) ?? 0, usd);
    held.delete(key);
  };
  let finished: string | null = null;
  await runBatches({
    ...steps,
    batch,
    open,
    epochs,
    file,
    store: deps.store,
    clock: deps.clock,
    pollMs: run.pollMs,
    cached: async (request) => (cache ? cachedReply(batch, request, cache) : null),
    reserve: async (requests) => {
      const usd = requests.reduce((sum, request) => sum + worst(request), 0);
      await budget.reserve(usd, batch.id, [steps.signals.signal, steps.signals.stop]);
      for (const request of requests) held.set(request.key, worst(request));
    },
    onUnpaid: (request) => settle(request, 0),
    onReply: async (reply, shown, request) => {
      assertSent(reply.sent, shown);
      const usd = replyUsd(priced.price, reply.usage, true);
      if (!reply.fromCache) settle(request, usd);
      if (cache) await keepReply(batch, request, reply, cache);
      await keep(replyRecord(reply, shown, { model: batch.id, condition, usd }), {
        ...reply,
        usd: reply.fromCache ? 0 : usd,
      });
    },
    onStatus: (done, total) => {
      const now = `${batch.id}: batch under way, ${done ?? 'some'} of ${total} finished at the provider.`;
      if (now !== finished) deps.log.info(now);
      finished = now;
    },
    onTrouble: (error) => deps.log.warn(`${error.message} Asking again in ${run.pollMs / 1000} s.`),
  });
}

function cacheOf(folder: string | null, store: Store): { folder: string; store: Store } | null {
  return folder === null ? null : { folder, store };
}

function signalsOf({ signal, stop }: Pick<Deps, 'signal' | 'stop'>): Required<CallOptions> {
  return { signal, stop: stop ?? signal };
}
