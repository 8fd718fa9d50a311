import path from 'node:path';
import { z } from 'zod';
import { workspacePaths, type Store } from '../adapters/store/index.js';
import { GroundmarkError } from '../domain/error.js';
import { record, SCHEMA_VERSION } from '../domain/record.js';

const madeSchema = z.strictObject({
  cases: z.number().int(),
  patients: z.number().int(),
  /** DICOM files. */
  files: z.number().int(),
  /** Planted findings that a benchmark may ask about. */
  planted: z.number().int(),
});
/** What a run of the phantom generator gave. */
export type PhantomsMade = z.infer<typeof madeSchema>;

const markerSchema = record({
  inputHash: z.string(),
  /** Null while a run is going on, or after one was killed. */
  made: madeSchema.nullable(),
});

/** The mark that tells a demo's files from a user's own. */
const markerPath = (out: string): string => path.join(workspacePaths(out).state, 'phantoms.json');

/**
 * What an earlier run left in a folder, or null when the folder is free. `made` is null when the run did not end or
 * its files are no longer all there.
 *
 * @throws {GroundmarkError} `folder-in-use` when cases lie there that no demo made: they must not be overwritten
 */
export async function earlierRun(
  store: Store,
  out: string,
): Promise<{ readonly inputHash: string; readonly made: PhantomsMade | null } | null> {
  const files = await store.list(path.join(out, 'cases'));
  if (!(await store.exists(markerPath(out)))) {
    if (files.length === 0 && !(await store.exists(path.join(out, 'cases.csv')))) return null;
    throw new GroundmarkError(
      'folder-in-use',
      `${out} already has cases that the demo did not make. Choose another folder with --out.`,
      { out },
    );
  }
  let marker: z.infer<typeof markerSchema>;
  try {
    marker = markerSchema.parse(JSON.parse((await store.read(markerPath(out))).toString('utf8')));
  } catch {
    // The mark is there, so the files are a demo's; what it says is of no use, so all is made again.
    return { inputHash: '', made: null };
  }
  const { made, inputHash } = marker;
  const complete =
    made !== null &&
    files.length === made.files + made.cases &&
    (await store.exists(path.join(out, 'cases.csv'))) &&
    (await store.exists(path.join(out, 'planted.jsonl')));
  return { inputHash, made: complete ? made : null };
}

export async function markStarted(store: Store, out: string, inputHash: string): Promise<void> {
  await writeMarker(store, out, inputHash, null);
}

export async function markDone(
  store: Store,
  out: string,
  inputHash: string,
  made: PhantomsMade,
): Promise<void> {
  await writeMarker(store, out, inputHash, made);
}

async function writeMarker(
  store: Store,
  out: string,
  inputHash: string,
  made: PhantomsMade | null,
): Promise<void> {
  await store.write(
    markerPath(out),
    JSON.stringify({ schemaVersion: SCHEMA_VERSION, inputHash, made }) + '\n',
  );
}
