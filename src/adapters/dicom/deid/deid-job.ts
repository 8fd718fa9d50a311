import { GroundmarkError } from '../../../domain/error.js';
import type { Job } from '../../queue/index.js';
import { copyDeidentified, type CopyResult } from './copy-file.js';
import { keyedNames } from './keyed-names.js';
import type { KeepName } from './options.js';

export interface DeidFile {
  readonly path: string;
  /** The folder has a copy of this instance already, and at another place: of a file that names another series. */
  readonly copiedElsewhere: boolean;
}

export interface DeidJobInput {
  /** Files of one SOP Instance UID together: the first that can be copied is. */
  readonly groups: readonly (readonly DeidFile[])[];
  readonly out: string;
  readonly key: Uint8Array;
  readonly keep: readonly KeepName[];
  readonly allowBurnedIn: boolean;
}

/** De-identifies a batch; one result a file, group after group. A file that cannot be copied is one refusal. */
export async function run(input: DeidJobInput): Promise<CopyResult[]> {
  const { out, allowBurnedIn } = input;
  const options = { out, allowBurnedIn, names: keyedNames(input.key), keep: new Set(input.keep) };
  const results: CopyResult[] = [];
  for (const group of input.groups) {
    let taken = false;
    for (const { path, copiedElsewhere } of group) {
      const result: CopyResult = await copyDeidentified(path, options, taken || copiedElsewhere).catch(
        refusal,
      );
      taken ||= result.outcome !== 'refused';
      results.push(result);
    }
  }
  return results;
}

function refusal(error: unknown): CopyResult {
  // The disk is full, or the folder closed: the next file will do no better.
  if (error instanceof GroundmarkError && WRITING.has(error.code)) throw error;
  const reason = error instanceof GroundmarkError ? error.code : 'unreadable-file';
  return { outcome: 'refused', reason, rules: [] };
}

const WRITING = new Set(['disk-full', 'no-permission', 'read-only', 'cannot-write', 'too-long']);

/** The job, for a queue. */
export const deidJob: Job = { module: import.meta.url };
