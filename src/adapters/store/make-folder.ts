import { mkdir, stat } from 'node:fs/promises';
import path from 'node:path';

/**
 * Makes a folder and those above it.
 *
 * Not `mkdir(…, { recursive: true })`: where a parent is there but takes no folders and says ENOENT (`/proc`), Node 20
 * tries without end (libuv's MKDirp loop in node_file.cc).
 */
export async function makeFolder(folder: string): Promise<void> {
  const missing: string[] = [];
  for (let at = folder; !(await isThere(at)); at = path.dirname(at)) {
    missing.push(at);
    // A root that is not there, such as a drive letter without a drive: mkdir will say so.
    if (path.dirname(at) === at) break;
  }
  for (const one of missing.reverse()) {
    await mkdir(one).catch((cause: unknown) => {
      // Another worker may have made it meanwhile.
      if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw cause;
    });
  }
}

/** A file in the way counts as there: what is then written below it fails with ENOTDIR. */
async function isThere(file: string): Promise<boolean> {
  try {
    await stat(file);
    return true;
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw cause;
  }
}
