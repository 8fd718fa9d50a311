import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { byCodeUnit } from '../adapters/store/index.js';
import { fileError } from '../adapters/store/file-store.js';

/** What lies below a folder beside plain files, as paths relative to it with `/`, sorted. */
export interface BundleTree {
  readonly folders: readonly string[];
  /** Links, pipes, devices: never read. */
  readonly special: readonly string[];
}

export async function bundleTree(folder: string): Promise<BundleTree> {
  const folders: string[] = [];
  const special: string[] = [];
  const walk = async (relative: string): Promise<void> => {
    for (const entry of await readdir(path.join(folder, relative), { withFileTypes: true })) {
      const name = relative === '' ? entry.name : `${relative}/${entry.name}`;
      if (entry.isDirectory()) {
        folders.push(name);
        await walk(name);
      } else if (!entry.isFile()) special.push(name);
    }
  };
  try {
    await walk('');
  } catch (cause) {
    throw fileError(cause, folder, 'list');
  }
  return { folders: folders.sort(byCodeUnit), special: special.sort(byCodeUnit) };
}
