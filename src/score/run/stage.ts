import path from 'node:path';
import type { Deps } from '../../adapters/deps.js';
import { appendDurably, readJsonl, takeLock, toJsonl } from '../../adapters/store/index.js';
import { EXIT, GroundmarkError } from '../../domain/error.js';
import { itemSchema, keyEntrySchema } from '../../domain/item.js';
import { SCHEMA_VERSION } from '../../domain/record.js';
import { type Condition, type Outcome, type Response } from '../../domain/response.js';
import { sha256 } from '../../util/hash.js';
import { rng } from '../../util/rng.js';
import {
  BASELINES,
  makeBaseline,
  scriptedModel,
  scriptedReplySchema,
  type AnswerModel,
  type Corpus,
} from '../baselines/index.js';
import { PARSER_VERSION } from '../parse-response.js';
import { checkDistinct, parseModelSpec, runFolderName, type ModelSpec } from './make-model.js';
import { openRun, type RunRecord } from './open-run.js';
import { replyKey } from './resume.js';

export interface RunModelInput {
  /** `items.jsonl` of a released bundle. */
  readonly itemsFile: string;
  /** The private key, for the baselines that read it. */
  readonly keyFile: string | null;
  /** `baseline/NAME` or `scripted/FILE`. */
  readonly models: readonly string[];
  readonly condition: Condition;
  /** Holds one folder a model. */
  readonly outDir: string;
}

/** What happened to one model. */
export interface RunSummary {
  readonly model: string;
  readonly responsesFile: string;
  readonly items: number;
  /** Replies that this run added. */
  readonly added: number;
  /** Replies that an earlier run had left. */
  readonly kept: number;
  /** Torn last lines that were dropped. */
  readonly torn: number;
  /** Items without a reply; nothing is written for them and the scorer counts them as missing. */
  readonly missing: number;
  readonly outcomes: Readonly<Partial<Record<Outcome, number>>>;
}

/** Replies written before the next forced write to the disk; offline replies cost nothing to make again. */
const REPLIES_PER_WRITE = 64;

/**
 * Runs models on every item and appends their replies to `<outDir>/<model>/responses.jsonl`.
 *
 * Replies that are there already are kept and not asked for again, unless items, seed, key or script have changed: then
 * the built-in models, which cost nothing, start anew.
 *
 * @throws {GroundmarkError} `not-built`, `unknown-model`, `duplicate-model`, `needs-key`, `no-dev-items`,
 *   `foreign-responses`
 */
export async function runModel(input: RunModelInput, deps: Deps): Promise<RunSummary[]> {
  if (input.condition !== 'real') {
    throw new GroundmarkError(
      'not-built',
      `--condition ${input.condition} is not built yet. Leave it out, or give \`real\`.`,
      { condition: input.condition },
      { exit: EXIT.usage },
    );
  }
  const specs = input.models.map(parseModelSpec);
  checkDistinct(specs);
  const corpus: Corpus = {
    items: await readJsonl(deps.store, input.itemsFile, itemSchema),
    key: input.keyFile === null ? null : await readJsonl(deps.store, input.keyFile, keyEntrySchema),
  };
  const itemsSha256 = sha256(await deps.store.read(input.itemsFile));
  // Every model is made before the first one runs: a wrong name must not cost half a run.
  const models = await Promise.all(specs.map((spec) => makeModel(spec, corpus, deps)));
  const summaries: RunSummary[] = [];
  for (const [i, model] of models.entries()) {
    const privateFile = privateFileOf(specs[i]!, input);
    const runRecord: RunRecord = {
      schemaVersion: SCHEMA_VERSION,
      model: model.id,
      condition: input.condition,
      seed: deps.seed,
      parser: PARSER_VERSION,
      itemsSha256,
      privateSha256: privateFile === null ? null : sha256(await deps.store.read(privateFile)),
    };
    const folder = path.join(input.outDir, runFolderName(model.id));
    const release = await takeLock(path.join(folder, '.lock'), deps.clock());
    try {
      summaries.push(await runOne(model, corpus, folder, runRecord, deps));
    } finally {
      await release();
    }
  }
  return summaries;
}

async function makeModel(spec: ModelSpec, corpus: Corpus, deps: Deps): Promise<AnswerModel> {
  if (spec.kind === 'baseline') return makeBaseline(spec.id, corpus);
  return scriptedModel(spec.id, await readJsonl(deps.store, spec.file, scriptedReplySchema), spec.file);
}

function privateFileOf(spec: ModelSpec, input: RunModelInput): string | null {
  if (spec.kind === 'scripted') return spec.file;
  return BASELINES[spec.id]!.needsKey ? input.keyFile : null;
}

async function runOne(
  model: AnswerModel,
  { items }: Corpus,
  folder: string,
  runRecord: RunRecord,
  deps: Deps,
): Promise<RunSummary> {
  const responsesFile = path.join(folder, 'responses.jsonl');
  const earlier = await openRun(folder, responsesFile, runRecord, deps);
  const done = new Set(earlier.replies.map(replyKey));
  const open = items.filter((item) => !done.has(replyKey({ model: model.id, itemId: item.id })));
  const outcomes: Partial<Record<Outcome, number>> = {};
  const count = ({ outcome }: Pick<Response, 'outcome'>): void => {
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
  };
  earlier.replies.forEach(count);
  let added = 0;
  const task = deps.progress.start(model.id, open.length);
  for (let start = 0; start < open.length; start += REPLIES_PER_WRITE) {
    deps.signal.throwIfAborted();
    const batch: Response[] = [];
    for (const item of open.slice(start, start + REPLIES_PER_WRITE)) {
      const reply = await model.answer(item, rng(deps.seed, 'run', model.id, item.id));
      task.tick();
      if (reply.outcome === 'missing') continue;
      const response = toResponse(item.id, model.id, reply);
      count(response);
      batch.push(response);
    }
    await appendDurably(responsesFile, toJsonl(batch));
    added += batch.length;
  }
  task.done();
  const kept = earlier.replies.length;
  const missing = open.length - added;
  return {
    model: model.id,
    responsesFile,
    items: items.length,
    added,
    kept,
    torn: earlier.torn,
    missing,
    outcomes,
  };
}

function toResponse(
  itemId: string,
  model: string,
  reply: Awaited<ReturnType<AnswerModel['answer']>>,
): Response {
  const { answer, evidence, outcome, raw } = reply;
  return {
    schemaVersion: SCHEMA_VERSION,
    itemId,
    model,
    answer,
    evidence: [...evidence],
    outcome,
    ...(raw === undefined ? {} : { raw }),
  };
}
