import path from 'node:path';
import type { Deps } from '../../adapters/deps.js';
import { modelGuard, requirePrice, type Budget, type PriceTable } from '../../adapters/llm/index.js';
import { fileSize, takeLock } from '../../adapters/store/index.js';
import { GroundmarkError } from '../../domain/error.js';
import { CallTimes, lanesOf, pricedModels, runBudget, type PricedModel } from './chat-models.js';
import { viaOf } from './chat-run-record.js';
import type { ChatSetup } from './chat-setup.js';
import { runFolderName } from './make-model.js';
import { openChatRun, refuseUnfetchedBatch, RESPONSES_FILE, type EarlierChatRun } from './open-chat-run.js';
import { problemsOf, sizedRequests } from './preflight.js';
import { openCalls } from './open-calls.js';
import { runChat, type ChatRun } from './run-chat.js';
import { DEFAULT_POLL_MS, type RunModelInput, type RunSummary } from './run-input.js';
import { interrupted } from './run-offline.js';
import { chatRunRecord } from './run-record.js';
import { Tally } from './tally.js';

/** Calls at the same time when nothing else is said; as the adapters have it. */
const DEFAULT_LANES = 8;

/** Models of providers that nothing speaks against so far. */
export interface ReadyModels {
  readonly models: readonly PricedModel[];
  readonly prices: PriceTable;
}

/**
 * Makes the models and checks all that can be known before a call: keys, what they take, every image, the budget.
 *
 * @throws {GroundmarkError} the first thing that speaks against the run
 */
export async function prepareModels(
  input: RunModelInput,
  ids: readonly string[],
  setup: ChatSetup,
): Promise<ReadyModels> {
  const ready = await pricedModels(ids, input.batch === true, setup.sources, setup.config);
  await check(ready.models, input, setup);
  affordable(input, setup, ready.models, 0);
  return ready;
}

/** The budget, when it can be kept for all models. @throws {GroundmarkError} `no-budget`, `no-price` */
function affordable(
  input: RunModelInput,
  { config }: ChatSetup,
  models: readonly PricedModel[],
  spentUsd: number,
): Budget {
  const budget = runBudget(input.budgetUsd, config, models, spentUsd);
  for (const { model, price } of models) requirePrice(price, model.id, budget);
  return budget;
}

/**
 * Runs providers' models side by side.
 *
 * @throws {GroundmarkError} the first model's error, after the others have come to their end; `context.runs` tells of all
 */
export async function runModels(
  input: RunModelInput,
  { models, prices }: ReadyModels,
  setup: ChatSetup,
  deps: Deps,
): Promise<RunSummary[]> {
  const locks: (() => Promise<void>)[] = [];
  try {
    const opened: Opened[] = [];
    for (const priced of models) {
      const folder = path.join(input.outDir, runFolderName(priced.model.id, input.condition));
      locks.push(await takeLock(path.join(folder, '.lock'), deps.clock()));
      const via = viaOf(priced.model);
      const runRecord = chatRunRecord(priced.model.id, via, input, setup.hashes, setup.prompt, deps.seed);
      const earlier = await openChatRun(folder, runRecord, input.restart === true, deps);
      if (priced.batch === null) await refuseUnfetchedBatch(folder, priced.model.id, deps);
      opened.push({ priced, folder, earlier });
    }
    const budget = affordable(input, setup, models, spentBefore(opened));
    return await runAll(opened, budget, input, setup, prices, deps);
  } finally {
    for (const release of locks) await release();
  }
}

interface Opened {
  readonly priced: PricedModel;
  readonly folder: string;
  readonly earlier: EarlierChatRun;
}

/** @throws {GroundmarkError} the first thing that speaks against the run */
async function check(
  models: readonly PricedModel[],
  input: RunModelInput,
  { items, show, request }: ChatSetup,
): Promise<void> {
  const calls = items.map((item) => ({ item, epoch: 1 }));
  const requests = await sizedRequests(calls, show, request, fileSize);
  const options = { temperature: input.temperature, batch: input.batch === true };
  for (const { model } of models) {
    const [problem] = problemsOf(model, requests, options);
    if (problem) throw problem;
  }
}

/** What the replies that are there have cost; those from the cache were paid by another run. */
function spentBefore(opened: readonly Opened[]): number {
  const records = opened.flatMap(({ earlier }) => earlier.kept);
  return records.reduce(
    (sum, { usd, cached }) => sum + (typeof usd === 'number' && cached !== true ? usd : 0),
    0,
  );
}

async function runAll(
  opened: readonly Opened[],
  budget: Budget,
  input: RunModelInput,
  setup: ChatSetup,
  prices: PriceTable,
  deps: Deps,
): Promise<RunSummary[]> {
  const tallies = new Map(opened.map(({ priced }) => [priced.model.id, new Tally()]));
  const lanes = input.concurrency ?? DEFAULT_LANES;
  const guard = modelGuard({
    config: setup.config,
    prices,
    budget,
    seed: deps.seed,
    clock: deps.clock,
    cacheFolder: input.cacheFolder ?? null,
    store: deps.store,
    concurrency: lanes,
    ...(input.retry === undefined ? {} : { retry: input.retry }),
    onRetry: (model) => tallies.get(model)?.retry(),
    onNotKept: () => deps.log.warn('A reply could not be put into the response cache; the run goes on.'),
  });
  const epochs = input.epochs ?? 1;
  const runs = opened.map(({ priced, folder, earlier }): ChatRun => {
    const times = new CallTimes(deps.clock);
    return {
      priced,
      guarded: guard(times.watch(priced.model)),
      times,
      tally: tallies.get(priced.model.id)!,
      folder,
      earlier,
      items: setup.items,
      epochs,
      condition: input.condition,
      show: setup.show,
      request: setup.request,
      lanes: lanesOf(priced.model, setup.config, lanes),
      budget,
      cacheFolder: input.cacheFolder ?? null,
      pollMs: input.pollMs ?? DEFAULT_POLL_MS,
    };
  });
  const ends = await Promise.allSettled(runs.map((run) => runChat(run, deps)));
  const summaries = runs.map(summaryOf);
  throwFirst(ends, runs, summaries, deps);
  return summaries;
}

function summaryOf({ priced, folder, earlier, items, epochs, tally }: ChatRun): RunSummary {
  const { outcomes } = tally;
  const lines = Object.values(outcomes).reduce((sum, count) => sum + count, 0);
  const kept = earlier.kept.length;
  const added = lines - kept;
  return {
    model: priced.model.id,
    responsesFile: path.join(folder, RESPONSES_FILE),
    items: items.length,
    added,
    kept,
    torn: earlier.torn,
    // A batch of an earlier run may have been for more epochs than are asked for now.
    missing: Math.max(0, openCalls(items, epochs, earlier.kept).length - added),
    outcomes,
    spending: tally.spending,
  };
}

/** A model's error, or that the run was stopped before its end; what is there is told first. */
function throwFirst(
  ends: readonly PromiseSettledResult<void>[],
  runs: readonly ChatRun[],
  summaries: readonly RunSummary[],
  deps: Deps,
): void {
  const left = summaries.reduce((sum, { missing }) => sum + Math.max(0, missing), 0);
  const failed = ends.flatMap((end, i) =>
    end.status === 'rejected' ? [{ id: runs[i]!.priced.model.id, error: end.reason as unknown }] : [],
  );
  const stopped = deps.signal.aborted || deps.stop?.aborted === true;
  if (failed.length === 0 && (left === 0 || !stopped)) return;
  for (const { model, added, kept, missing } of summaries)
    deps.log.info(`${model}: ${kept + added} replies are kept, ${Math.max(0, missing)} are left.`);
  const [first, ...others] = failed;
  if (!first) {
    const batch = runs.some(({ priced }) => priced.batch !== null);
    throw interrupted(left, batch ? ' A batch that was handed in goes on at the provider.' : '');
  }
  for (const { id, error } of others)
    deps.log.warn(`${id}: ${error instanceof Error ? error.message : String(error)}`);
  const { error } = first;
  if (!(error instanceof GroundmarkError)) throw error;
  const { code, message, context, exit } = error;
  throw new GroundmarkError(code, message, { ...context, left, runs: summaries }, { cause: error, exit });
}
