import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { fileError } from './file-store.js';

/**
 * A small file that is most likely in the system's cache, read on the spot: four turns through Node's thread pool cost
 * many times what the reading does. For files of some 100 kB, a few at a time.
 *
 * @param take - gives memory of at least so many bytes; absent: fresh memory
 */
export function smallFileBytes(
  file: string,
  take: (length: number) => Buffer = (length) => Buffer.allocUnsafe(length),
): Uint8Array {
  try {
    const handle = openSync(file, 'r');
    try {
      const { size } = fstatSync(handle);
      const into = take(size);
      let length = 0;
      while (length < size) {
        const read = readSync(handle, into, length, size - length, length);
        // It was cut meanwhile: its hash tells.
        if (read === 0) break;
        length += read;
      }
      return into.subarray(0, length);
    } finally {
      closeSync(handle);
    }
  } catch (cause) {
    throw fileError(cause, file, 'read');
  }
}
