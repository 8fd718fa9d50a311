import path from 'node:path';
import type { Deps } from '../../adapters/deps.js';
import { appendDurably, toJsonl } from '../../adapters/store/index.js';
import { EXIT, GroundmarkError } from '../../domain/error.js';
import type { Response } from '../../domain/response.js';
import { chatRunSchema, differences, refuseMixing, type ChatRunRecord } from './chat-run-record.js';
import { foreignResponses, keepAside } from './open-run.js';
import { readEarlier } from './resume.js';

/** Names of the files in a run's folder. */
export const RUN_FILE = 'run.json';
export const RESPONSES_FILE = 'responses.jsonl';
/** Calls of earlier runs that brought no reply: they were asked again. */
export const FAILURES_FILE = 'failures.jsonl';
export const BATCH_FILE = 'batch.json';

/** What earlier runs left. */
export interface EarlierChatRun {
  /** Replies that stay. Calls that had brought none are not among them. */
  readonly kept: readonly Response[];
  /** Calls without a reply, which are asked again. */
  readonly failed: readonly Response[];
  readonly torn: number;
}

const NOTHING: EarlierChatRun = { kept: [], failed: [], torn: 0 };

/**
 * Looks at a run's folder without changing it.
 *
 * @throws {GroundmarkError} `run-differs`, `foreign-responses`, `bad-line`, `bad-run-file`
 */
export async function peekChatRun(
  folder: string,
  runRecord: ChatRunRecord,
  { store }: Pick<Deps, 'store'>,
): Promise<EarlierChatRun> {
  const file = path.join(folder, RESPONSES_FILE);
  const hasReplies = await store.exists(file);
  const before = await readRunFile(path.join(folder, RUN_FILE), store);
  if (before === null) {
    if (hasReplies) throw foreignResponses(file);
    return NOTHING;
  }
  const text = hasReplies ? (await store.read(file)).toString('utf8') : '';
  const differing = differences(before, runRecord);
  if (differing.length > 0) {
    if (text === '' && !(await store.exists(path.join(folder, BATCH_FILE)))) return NOTHING;
    refuseMixing(runRecord.model, folder, differing);
  }
  const { replies, torn } = readEarlier(text, file);
  return {
    kept: replies.filter(({ outcome }) => outcome !== 'transport'),
    failed: replies.filter(({ outcome }) => outcome === 'transport'),
    torn,
  };
}

/**
 * Makes a run's folder ready. A torn last line is dropped; calls without a reply move to `failures.jsonl`, so that
 * `responses.jsonl` always has one line a call.
 *
 * @param restart - puts replies aside that were made otherwise, rather than refusing
 */
export async function openChatRun(
  folder: string,
  runRecord: ChatRunRecord,
  restart: boolean,
  deps: Pick<Deps, 'store' | 'log'>,
): Promise<EarlierChatRun> {
  if (restart) await putAside(folder, runRecord.model, deps);
  const earlier = await peekChatRun(folder, runRecord, deps);
  const file = path.join(folder, RESPONSES_FILE);
  if (earlier.failed.length > 0) {
    // First the copy, then the removal: a kill between leaves both, and the copy is only a record.
    await appendDurably(path.join(folder, FAILURES_FILE), toJsonl(earlier.failed));
  }
  if (earlier.torn > 0 || earlier.failed.length > 0) await deps.store.write(file, toJsonl(earlier.kept));
  await deps.store.write(path.join(folder, RUN_FILE), `${JSON.stringify(runRecord, null, 1)}\n`);
  if (!(await deps.store.exists(file))) await deps.store.write(file, '');
  return earlier;
}

/**
 * Refuses to ask call by call for what a batch was handed in for: it would be paid twice.
 *
 * @throws {GroundmarkError} `batch-under-way`
 */
export async function refuseUnfetchedBatch(
  folder: string,
  model: string,
  { store }: Pick<Deps, 'store'>,
): Promise<void> {
  const file = path.join(folder, BATCH_FILE);
  if (!(await store.exists(file))) return;
  throw new GroundmarkError(
    'batch-under-way',
    `${file} names a batch of ${model} that was handed in and not fetched. Run with --batch to fetch it, or give --restart: ` +
      `it is then kept aside, and what it holds is asked and paid for again.`,
    { model, path: file },
    { exit: EXIT.usage },
  );
}

/** A batch that is under way is kept aside with the rest: its replies are still to be had from the provider. */
async function putAside(folder: string, model: string, deps: Pick<Deps, 'store' | 'log'>): Promise<void> {
  const textOf = async (name: string): Promise<string> => {
    const file = path.join(folder, name);
    return (await deps.store.exists(file)) ? (await deps.store.read(file)).toString('utf8') : '';
  };
  const [runFile, replies, batch] = [
    await textOf(RUN_FILE),
    await textOf(RESPONSES_FILE),
    await textOf(BATCH_FILE),
  ];
  if (runFile === '') return;
  if (replies + batch !== '') {
    const kept = await keepAside(folder, replies, runFile, deps, batch);
    if (batch !== '') await deps.store.write(path.join(kept, BATCH_FILE), batch);
    deps.log.info(`${model}: earlier replies are kept in ${kept}.`);
  }
  for (const name of [RESPONSES_FILE, BATCH_FILE, RUN_FILE]) await deps.store.remove(path.join(folder, name));
}

async function readRunFile(file: string, store: Deps['store']): Promise<ChatRunRecord | null> {
  if (!(await store.exists(file))) return null;
  try {
    return chatRunSchema.parse(JSON.parse((await store.read(file)).toString('utf8')));
  } catch {
    throw new GroundmarkError(
      'bad-run-file',
      `${file} is no run file of a provider's model. Move the folder away, or choose another --out.`,
      { path: file },
    );
  }
}
