import path from 'node:path';
import type { Deps } from '../../adapters/deps.js';
import {
  cachedReply,
  makeChatModel,
  modelCapabilities,
  parseModelId,
  priceOf,
  readPriceTable,
  type ChatModel,
} from '../../adapters/llm/index.js';
import { fileSize } from '../../adapters/store/index.js';
import { GroundmarkError } from '../../domain/error.js';
import type { Condition } from '../../domain/response.js';
import { viaOf } from './chat-run-record.js';
import { readRunFiles, setUpChat, type ChatSetup } from './chat-setup.js';
import { checkDistinct, checkOffline, parseModelSpec, runFolderName } from './make-model.js';
import { peekChatRun, refuseUnfetchedBatch } from './open-chat-run.js';
import {
  estimateOf,
  problemLines,
  problemsOf,
  sizedRequests,
  type Estimate,
  type SizedRequest,
} from './preflight.js';
import { openCalls } from './open-calls.js';
import type { RunModelInput } from './run-input.js';
import { chatRunRecord } from './run-record.js';

/** What a run of one model would do. */
export interface RunPlan extends Estimate {
  readonly model: string;
  readonly condition: Condition;
  /** Replies that are there and would be kept. */
  readonly kept: number;
  /** Replies that the cache would give, which cost nothing; null: not known without an API key. */
  readonly cached: number | null;
  /** Whether an API key was found. */
  readonly hasKey: boolean;
  /** ISO date of the price; null: the workspace's own, or none. */
  readonly priceAsOf: string | null;
  /** What speaks against the run; [] when nothing does. */
  readonly problems: readonly string[];
}

/**
 * What a run would do, without a call and without a change to any file. Built-in models are left out: they make no call.
 *
 * @throws {GroundmarkError} as `runModel` before its first call, but for missing keys and what a model cannot take: those
 *   are part of the plan
 */
export async function planRun(input: RunModelInput, deps: Deps): Promise<RunPlan[]> {
  const specs = input.models.map(parseModelSpec);
  checkDistinct(specs);
  checkOffline(specs, input.condition, input.batch === true);
  const ids = specs.flatMap(({ kind, id }) => (kind === 'chat' ? [id] : []));
  const setup = await setUpChat(input, await readRunFiles(input, deps), ids, deps);
  const prices = await readPriceTable(setup.config.prices);
  const plans: RunPlan[] = [];
  for (const id of ids) {
    const { model, hasKey } = await modelOrStub(id, setup);
    const folder = path.join(input.outDir, runFolderName(id, input.condition));
    const via = hasKey ? viaOf(model) : '';
    const runRecord = chatRunRecord(id, via, input, setup.hashes, setup.prompt, deps.seed);
    const kept = input.restart ? [] : (await peekChatRun(folder, runRecord, deps)).kept;
    if (!input.batch && !input.restart) await refuseUnfetchedBatch(folder, id, deps);
    const calls = openCalls(setup.items, input.epochs ?? 1, kept);
    const all = await sizedRequests(calls, setup.show, setup.request, fileSize);
    const options = { temperature: input.temperature, batch: input.batch === true };
    const fresh = hasKey ? await notCached(all, model, input, deps) : all;
    const price = priceOf(id, prices);
    plans.push({
      model: id,
      condition: input.condition,
      kept: kept.length,
      cached: hasKey ? all.length - fresh.length : null,
      hasKey,
      priceAsOf: price?.asOf ?? null,
      ...estimateOf(model, price, fresh, options.batch),
      problems: problemLines(problemsOf(model, all, options)),
    });
  }
  return plans;
}

/** Without an API key only what the tables say of a model is known. */
async function modelOrStub(
  id: string,
  { sources }: ChatSetup,
): Promise<{ readonly model: Pick<ChatModel, 'id' | 'capabilities' | 'sdk'>; readonly hasKey: boolean }> {
  try {
    return { model: await makeChatModel(id, sources), hasKey: true };
  } catch (error) {
    if (!(error instanceof GroundmarkError) || error.code !== 'no-api-key') throw error;
    const capabilities = await modelCapabilities(parseModelId(id), sources);
    return { model: { id, capabilities, sdk: '' }, hasKey: false };
  }
}

async function notCached(
  all: readonly SizedRequest[],
  model: Pick<ChatModel, 'id' | 'sdk' | 'fingerprint'>,
  { cacheFolder }: RunModelInput,
  { store }: Pick<Deps, 'store'>,
): Promise<readonly SizedRequest[]> {
  if (!cacheFolder) return all;
  const fresh: SizedRequest[] = [];
  for (const sized of all) {
    if (!(await cachedReply(model, sized.request, { folder: cacheFolder, store }))) fresh.push(sized);
  }
  return fresh;
}
