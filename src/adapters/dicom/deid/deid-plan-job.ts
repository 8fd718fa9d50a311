import type { Job } from '../../queue/index.js';
import { copyTarget } from './copy-file.js';
import { keyedNames } from './keyed-names.js';

export interface DeidPlanInput {
  readonly files: readonly string[];
  readonly key: Uint8Array;
}

/** Where each file's copy would go; null for one that cannot be read: copying it will say why. */
export async function run({ files, key }: DeidPlanInput): Promise<(string | null)[]> {
  const names = keyedNames(key);
  const targets: (string | null)[] = [];
  for (const file of files) targets.push(await copyTarget(file, names).catch(() => null));
  return targets;
}

/** The job, for a queue. */
export const deidPlanJob: Job = { module: import.meta.url };
