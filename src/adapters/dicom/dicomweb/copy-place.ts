import { readdir, rm, rmdir } from 'node:fs/promises';
import path from 'node:path';
import { hashValue } from '../../../util/hash.js';
import { walkFiles } from '../walk-files.js';
import { parseDicomwebUrl } from './dicomweb-url.js';

/** Where the copy of what a DICOMweb URL names lies. */
export interface CopyPlace {
  /** The folder to index: `studies/UID/series/UID/instances/UID` below it. */
  readonly root: string;
  /** What the rows' paths begin with: the service's address. */
  readonly shownRoot: string;
  /** Files that are not whole yet. */
  readonly partial: string;
  readonly lock: string;
  /** What the last run fetched and left out. */
  readonly record: string;
}

/**
 * The copy's place in a folder that holds copies. Service and filters decide it, credentials do not.
 *
 * @throws {GroundmarkError} what `parseDicomwebUrl` throws
 */
export function copyPlace(folder: string, source: string): CopyPlace {
  const { base, filters } = parseDicomwebUrl(source);
  const own = path.join(folder, hashValue({ base, filters }).slice(0, 16));
  return {
    root: path.join(own, 'dicom'),
    shownRoot: base,
    partial: path.join(own, 'partial'),
    lock: path.join(own, 'lock'),
    record: path.join(own, 'fetched.json'),
  };
}

/** Relative paths of the instances that a copy holds already. */
export async function copiedInstances({ root }: CopyPlace): Promise<Set<string>> {
  const files = await walkFiles(root).catch((error: { code?: unknown }) => {
    if (error.code === 'no-such-folder') return [];
    throw error;
  });
  return new Set(files.map(({ relative }) => relative));
}

/** Removes instances from a copy, and folders that are empty then. */
export async function removeInstances({ root }: CopyPlace, instances: Iterable<string>): Promise<void> {
  for (const relative of instances) {
    await rm(path.join(root, relative), { force: true });
    for (let at = path.dirname(path.join(root, relative)); at !== root; at = path.dirname(at)) {
      if ((await readdir(at)).length > 0) break;
      await rmdir(at);
    }
  }
}
