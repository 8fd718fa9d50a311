import path from 'node:path';
import type { Deps } from '../../adapters/deps.js';
import { appendDurably, takeLock, toJsonl } from '../../adapters/store/index.js';
import { GroundmarkError } from '../../domain/error.js';
import { SCHEMA_VERSION } from '../../domain/record.js';
import type { Outcome, Response } from '../../domain/response.js';
import { rng } from '../../util/rng.js';
import type { AnswerModel, Corpus, Reply } from '../baselines/index.js';
import { runFolderName } from './make-model.js';
import { openRun, type RunRecord } from './open-run.js';
import { openCalls } from './open-calls.js';
import type { RunSummary } from './run-input.js';

/** Replies written before the next forced write to the disk; offline replies cost nothing to make again. */
const REPLIES_PER_WRITE = 64;

/** Runs a built-in or scripted model on every item, in the order of the items, an epoch after the other. */
export async function runOffline(
  model: AnswerModel,
  { items }: Corpus,
  epochs: number,
  outDir: string,
  runRecord: RunRecord,
  deps: Deps,
): Promise<RunSummary> {
  const folder = path.join(outDir, runFolderName(model.id));
  const release = await takeLock(path.join(folder, '.lock'), deps.clock());
  try {
    return await runLocked(model, { items }, epochs, folder, runRecord, deps);
  } finally {
    await release();
  }
}

async function runLocked(
  model: AnswerModel,
  { items }: Pick<Corpus, 'items'>,
  epochs: number,
  folder: string,
  runRecord: RunRecord,
  deps: Deps,
): Promise<RunSummary> {
  const responsesFile = path.join(folder, 'responses.jsonl');
  const earlier = await openRun(folder, responsesFile, runRecord, deps);
  const open = openCalls(items, epochs, earlier.replies);
  const outcomes: Partial<Record<Outcome, number>> = {};
  const count = ({ outcome }: Pick<Response, 'outcome'>): void => {
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
  };
  earlier.replies.forEach(count);
  let added = 0;
  const task = deps.progress.start(model.id, open.length);
  for (let start = 0; start < open.length; start += REPLIES_PER_WRITE) {
    deps.signal.throwIfAborted();
    if (deps.stop?.aborted) throw interrupted(open.length - start);
    const batch: Response[] = [];
    for (const { item, epoch } of open.slice(start, start + REPLIES_PER_WRITE)) {
      const labels = epoch === 1 ? [] : [epoch];
      const reply = await model.answer(item, rng(deps.seed, 'run', model.id, item.id, ...labels));
      task.tick();
      if (reply.outcome === 'missing') continue;
      const response = toResponse(item.id, model.id, epoch, reply);
      count(response);
      batch.push(response);
    }
    await appendDurably(responsesFile, toJsonl(batch));
    added += batch.length;
  }
  task.done();
  const kept = earlier.replies.length;
  return {
    model: model.id,
    responsesFile,
    items: items.length,
    added,
    kept,
    torn: earlier.torn,
    missing: open.length - added,
    outcomes,
  };
}

/** Stopped by the user. `main` gives it exit code 130. */
export function interrupted(left: number, more = ''): GroundmarkError {
  return new GroundmarkError(
    'interrupted',
    `Stopped: ${left} ${left === 1 ? 'reply is' : 'replies are'} left to ask for.${more} Run the same command again to go on.`,
    { left },
  );
}

/** The first epoch is not named: a run of one has none. */
function toResponse(itemId: string, model: string, epoch: number, reply: Reply): Response {
  const { answer, evidence, outcome, raw } = reply;
  return {
    schemaVersion: SCHEMA_VERSION,
    itemId,
    model,
    answer,
    evidence: [...evidence],
    outcome,
    ...(raw === undefined ? {} : { raw }),
    ...(epoch === 1 ? {} : { epoch }),
  };
}
