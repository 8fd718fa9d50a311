import path from 'node:path';
import type { Deps } from '../../adapters/deps.js';
import {
  deidJob,
  deidPlanJob,
  openCopyFolder,
  type CopyFolder,
  type CopyResult,
  type DeidFile,
  type DeidJobInput,
  type DeidPlanInput,
  type KeepName,
} from '../../adapters/dicom/deid/index.js';
import { walkFiles } from '../../adapters/dicom/index.js';
import { GroundmarkError } from '../../domain/error.js';

export interface DeidInput {
  readonly sources: readonly string[];
  readonly out: string;
  readonly key: Uint8Array;
  readonly keep: readonly KeepName[];
  readonly allowBurnedIn: boolean;
}

export interface DeidSummary {
  readonly files: number;
  readonly written: number;
  /** Copies that were there already, equal. */
  readonly kept: number;
  readonly patients: number;
  /** Files without a copy. Paths are those of the originals: this list is private. */
  readonly skipped: readonly { readonly path: string; readonly reason: string }[];
  /** How many files were written in spite of a rule, by rule. */
  readonly overridden: Readonly<Record<string, number>>;
  readonly seconds: number;
}

/** Files in one job. */
const BATCH = 16;

/**
 * De-identified copies of DICOM files, one a file, under new UIDs. A file that cannot be read, or whose pixels may show
 * who the patient is, has no copy and is listed with the reason; so is the second of two files of one instance.
 *
 * @throws {GroundmarkError} `no-such-folder`, `unreadable-folder`, `empty-source`, `other-copies` when the folder has copies
 * made with another key or other options, and when the copies cannot be written
 */
export async function runDeid(
  input: DeidInput,
  deps: Pick<Deps, 'queue' | 'clock' | 'progress' | 'signal'>,
): Promise<DeidSummary> {
  const began = deps.clock().getTime();
  const { out, key, keep, allowBurnedIn } = input;
  const files: string[] = [];
  const skipped: { path: string; reason: string }[] = [];
  // One source may lie in another: a file that both lead to is met once.
  const seen = new Set<string>();
  for (const source of input.sources) {
    for (const found of await walkFiles(source)) {
      if (seen.has(found.path)) continue;
      seen.add(found.path);
      if (found.problem === null) files.push(found.path);
      else skipped.push({ path: found.path, reason: found.problem });
    }
  }
  const met = files.length + skipped.length;
  if (met === 0) {
    throw new GroundmarkError(
      'empty-source',
      `${input.sources.join(', ')}: there is no file. Name a folder of DICOM files.`,
      {},
    );
  }
  const groups = await sameInstances(files, key, await openCopyFolder(out, key, keep), deps);
  const batches: DeidJobInput[] = [];
  for (let i = 0; i < groups.length; i += BATCH) {
    batches.push({ groups: groups.slice(i, i + BATCH), out, key, keep, allowBurnedIn });
  }
  const order = groups.flat();
  const task = deps.progress.start('De-identify', files.length);
  const onDone = (i: number): void => task.tick(batches[i]!.groups.flat().length);
  let results: CopyResult[];
  try {
    const parts = await deps.queue.map<DeidJobInput, CopyResult[]>(deidJob, batches, {
      onDone,
      signal: deps.signal,
    });
    results = parts.flat();
  } finally {
    task.done();
  }
  const overridden: Record<string, number> = {};
  const patients = new Set<string>();
  const counts = { written: 0, kept: 0 };
  for (const [i, result] of results.entries()) {
    if (result.outcome === 'refused') {
      skipped.push({ path: order[i]!.path, reason: result.reason });
      continue;
    }
    counts[result.outcome]++;
    patients.add(result.patient);
    for (const rule of result.allowed) overridden[rule] = (overridden[rule] ?? 0) + 1;
  }
  const seconds = Math.round(deps.clock().getTime() - began) / 1000;
  return { files: met, ...counts, patients: patients.size, skipped, overridden, seconds };
}

/**
 * The files by their instance, in the order found: nearly always one a group. Of two files of one SOP Instance UID only
 * one has a copy, also when they name different series, and when the other was copied by an earlier run.
 */
async function sameInstances(
  files: readonly string[],
  key: Uint8Array,
  { places }: CopyFolder,
  deps: Pick<Deps, 'queue' | 'progress' | 'signal'>,
): Promise<DeidFile[][]> {
  const batches: DeidPlanInput[] = [];
  for (let i = 0; i < files.length; i += BATCH) batches.push({ files: files.slice(i, i + BATCH), key });
  const task = deps.progress.start('Read headers', files.length);
  try {
    const targets = await deps.queue.map<DeidPlanInput, (string | null)[]>(deidPlanJob, batches, {
      onDone: (i) => task.tick(batches[i]!.files.length),
      signal: deps.signal,
    });
    const groups = new Map<string, DeidFile[]>();
    for (const [i, target] of targets.flat().entries()) {
      const instance = target === null ? `unnamed ${i}` : path.basename(target, '.dcm');
      const place = places.get(instance);
      const group = groups.get(instance) ?? [];
      group.push({ path: files[i]!, copiedElsewhere: place !== undefined && place !== target });
      groups.set(instance, group);
    }
    return [...groups.values()];
  } finally {
    task.done();
  }
}
