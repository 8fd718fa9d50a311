import { GroundmarkError } from '../../../domain/error.js';
import type { Job } from '../../queue/index.js';
import { copyDeidentified, type CopyResult } from './copy-file.js';
import { keyedNames } from './keyed-names.js';
import type { KeepName } from './options.js';

export interface DeidJobInput {
  readonly files: readonly string[];
  readonly out: string;
  readonly key: Uint8Array;
  readonly keep: readonly KeepName[];
  readonly allowBurnedIn: boolean;
}

/** De-identifies a batch of files; a file that cannot be copied is one refusal. */
export async function run(input: DeidJobInput): Promise<CopyResult[]> {
  const { out, allowBurnedIn } = input;
  const options = { out, allowBurnedIn, names: keyedNames(input.key), keep: new Set(input.keep) };
  const results: CopyResult[] = [];
  for (const file of input.files) {
    try {
      results.push(await copyDeidentified(file, options));
    } catch (error) {
      // The disk is full, or the folder closed: the next file will do no better.
      if (error instanceof GroundmarkError && WRITING.has(error.code)) throw error;
      const reason = error instanceof GroundmarkError ? error.code : 'unreadable-file';
      results.push({ outcome: 'refused', reason, rules: [] });
    }
  }
  return results;
}

const WRITING = new Set(['disk-full', 'no-permission', 'read-only', 'cannot-write', 'too-long']);

/** The job, for a queue. */
export const deidJob: Job = { module: import.meta.url };
