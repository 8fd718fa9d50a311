import { createHmac } from 'node:crypto';
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { GroundmarkError } from '../../../domain/error.js';
import { byCodeUnit, fileError, makeFolder } from '../../store/index.js';
import { KEEP_NAMES, type KeepName } from './options.js';
import { PROFILE_EDITION } from './profile.js';

/** Lies in a folder of copies and says what they were made with; it holds nothing that the copies do not tell. */
export const COPY_FOLDER_FILE = '.groundmark-deid.json';

const recordSchema = z.object({
  schemaVersion: z.literal(1),
  profile: z.string(),
  keep: z.array(z.enum(KEEP_NAMES)),
  /** Of the key, one way: two runs are told apart by it, and it leads to no original. */
  keyCheck: z.string(),
});
type FolderRecord = z.infer<typeof recordSchema>;

/** Copies that lie in a folder. */
export interface CopyFolder {
  /** Where the copy of an instance lies, below the folder, by the instance's new UID. */
  readonly places: ReadonlyMap<string, string>;
}

const NEW_UID = /^2\.25\.\d+$/u;
const COPY = /^(2\.25\.\d+)\.dcm$/u;
/** What a run that was killed leaves: a copy that was being written. */
const UNFINISHED = /^2\.25\.\d+\.dcm\.\d+-\d+\.tmp$/u;

/**
 * The copies that a folder holds. A folder is for copies of one key and one set of options: the first run writes down
 * which, and another run with others is refused, because UIDs, pseudonyms and dates of two keys do not fit together.
 *
 * @throws {GroundmarkError} `other-copies` when the folder's copies were made with something else, or nobody says with what;
 * and when it cannot be read or written
 */
export async function openCopyFolder(
  out: string,
  key: Uint8Array,
  keep: readonly KeepName[],
): Promise<CopyFolder> {
  const own: FolderRecord = {
    schemaVersion: 1,
    profile: PROFILE_EDITION,
    keep: [...keep].sort(byCodeUnit),
    keyCheck: createHmac('sha256', key).update('groundmark-deid\0folder').digest('hex').slice(0, 16),
  };
  const file = path.join(out, COPY_FOLDER_FILE);
  const known = await readRecord(file);
  const studies = (await names(out)).filter((name) => NEW_UID.test(name));
  if (known === null && studies.length > 0) {
    throw otherCopies(out, 'holds copies, and nothing says with which key and options they were made');
  }
  const difference = known && differenceOf(known, own);
  if (difference) throw otherCopies(out, `holds copies made with ${difference}`);
  if (known === null) await writeRecord(out, file, own);
  return { places: await placesOf(out, studies) };
}

function differenceOf(known: FolderRecord, own: FolderRecord): string | null {
  if (known.keyCheck !== own.keyCheck) return 'another key, so that one patient would have two pseudonyms';
  if (known.keep.join() !== own.keep.join()) {
    return known.keep.length === 0 ? 'no --keep option' : `--keep ${known.keep.join(',')}`;
  }
  return known.profile === own.profile ? null : `edition ${known.profile} of the profile`;
}

function otherCopies(out: string, what: string): GroundmarkError {
  return new GroundmarkError(
    'other-copies',
    `${out} ${what}. Copies of two kinds are not mixed: name another folder with --out, or run with what these were made with.`,
    { out },
  );
}

/** null when there is none. */
async function readRecord(file: string): Promise<FolderRecord | null> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    throw fileError(cause, file, 'read');
  }
  try {
    return recordSchema.parse(JSON.parse(text));
  } catch {
    throw otherCopies(path.dirname(file), `has a ${COPY_FOLDER_FILE} that cannot be read`);
  }
}

async function writeRecord(out: string, file: string, record: FolderRecord): Promise<void> {
  try {
    await makeFolder(out);
    await writeFile(`${file}.tmp`, `${JSON.stringify(record)}\n`);
    await rename(`${file}.tmp`, file);
  } catch (cause) {
    throw fileError(cause, file, 'write');
  }
}

async function placesOf(out: string, studies: readonly string[]): Promise<Map<string, string>> {
  const places = new Map<string, string>();
  for (const study of studies) {
    for (const series of await names(path.join(out, study))) {
      const folder = path.join(study, series);
      for (const name of await names(path.join(out, folder))) {
        const instance = COPY.exec(name)?.[1];
        if (instance !== undefined) places.set(instance, path.join(folder, name));
        else if (UNFINISHED.test(name)) await rm(path.join(out, folder, name), { force: true });
      }
    }
  }
  return places;
}

/** Names in a folder, in code-unit order; none when it is no folder. */
async function names(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).sort(byCodeUnit);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return [];
    throw fileError(cause, folder, 'read');
  }
}
