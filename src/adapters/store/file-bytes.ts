import { readFileSync } from 'node:fs';
import { fileError } from './file-store.js';

/**
 * A small file that is most likely in the system's cache, read on the spot: four turns through Node's thread pool cost
 * many times what the reading does. For files of some 100 kB, a few at a time.
 */
export function smallFileBytes(file: string): Uint8Array {
  try {
    return readFileSync(file);
  } catch (cause) {
    throw fileError(cause, file, 'read');
  }
}
