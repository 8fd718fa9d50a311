import path from 'node:path';
import type { Deps } from '../../adapters/deps.js';
import { GroundmarkError } from '../../domain/error.js';
import type { SCHEMA_VERSION } from '../../domain/record.js';
import type { Condition } from '../../domain/response.js';
import { sha256 } from '../../util/hash.js';
import { readEarlier, type EarlierReplies } from './resume.js';

/** `run.json`: what the replies beside it depend on. No time and no path: the same run gives the same bytes. */
export interface RunRecord {
  readonly schemaVersion: typeof SCHEMA_VERSION;
  readonly model: string;
  readonly condition: Condition;
  readonly seed: number;
  readonly parser: string;
  readonly itemsSha256: string;
  /** null when the model reads no private file. */
  readonly privateSha256: string | null;
}

/**
 * Makes the run's folder ready and gives the replies that stay in it.
 *
 * @throws {GroundmarkError} `foreign-responses` when the responses there were not made by a run
 */
export async function openRun(
  folder: string,
  responsesFile: string,
  runRecord: RunRecord,
  deps: Pick<Deps, 'store' | 'log'>,
): Promise<EarlierReplies> {
  const recordFile = path.join(folder, 'run.json');
  const text = (await deps.store.exists(responsesFile))
    ? (await deps.store.read(responsesFile)).toString('utf8')
    : null;
  const startAnew = async (): Promise<EarlierReplies> => {
    await deps.store.write(recordFile, `${JSON.stringify(runRecord)}\n`);
    await deps.store.write(responsesFile, '');
    return readEarlier('', responsesFile);
  };
  if (!(await deps.store.exists(recordFile))) {
    if (text !== null) throw foreignResponses(responsesFile);
    return startAnew();
  }
  const before = (await deps.store.read(recordFile)).toString('utf8');
  if (before.trim() !== JSON.stringify(runRecord)) {
    const kept = text === null || text === '' ? null : await keepAside(folder, text, before, deps);
    deps.log.warn(
      `${runRecord.model}: items, seed, key or script have changed since its last run; it starts anew.` +
        (kept === null ? '' : ` Its earlier replies are kept in ${kept}.`),
    );
    return startAnew();
  }
  const earlier = readEarlier(text ?? '', responsesFile);
  if (earlier.torn > 0) await deps.store.write(responsesFile, earlier.whole);
  return earlier;
}

export function foreignResponses(file: string): GroundmarkError {
  return new GroundmarkError(
    'foreign-responses',
    `${file} has no run.json beside it, so it was not made by \`groundmark run\`. ` +
      `Move it away or choose another --out.`,
    { path: file },
  );
}

/** Moves earlier replies aside, never over other ones: a reply may have been paid for. */
export async function keepAside(
  folder: string,
  text: string,
  runRecord: string,
  { store }: Pick<Deps, 'store'>,
  /** What else tells it from others that were moved aside. */
  more = '',
): Promise<string> {
  const aside = path.join(folder, `earlier-${sha256(runRecord + text + more).slice(0, 8)}`);
  await store.write(path.join(aside, 'run.json'), runRecord);
  await store.write(path.join(aside, 'responses.jsonl'), text);
  return aside;
}
