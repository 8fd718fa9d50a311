import { open, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { fileError } from '../../store/index.js';
import { makeFolder } from '../../store/make-folder.js';

/** A file that is being written elsewhere and appears whole, or not at all. */
export interface PartFile {
  /** Where the bytes are now. */
  readonly path: string;
  append(bytes: Uint8Array): Promise<void>;
}

/**
 * Lets `fill` write a file piece by piece at `partial`, and moves it to `target` (same file system) when that went
 * well; otherwise removes it.
 *
 * @throws {GroundmarkError} of the file system, such as `disk-full`; and what `fill` throws
 */
export async function writeWhole<T>(
  partial: string,
  target: string,
  fill: (file: PartFile) => Promise<T>,
): Promise<T> {
  const checked = async <R>(work: Promise<R>): Promise<R> =>
    work.catch((cause: unknown) => {
      throw fileError(cause, target, 'write');
    });
  await checked(makeFolder(path.dirname(partial)));
  const handle = await checked(open(partial, 'w'));
  try {
    let result: T;
    try {
      result = await fill({ path: partial, append: (bytes) => checked(handle.appendFile(bytes)) });
      await checked(handle.sync());
    } finally {
      await handle.close();
    }
    await checked(makeFolder(path.dirname(target)));
    await checked(rename(partial, target));
    return result;
  } catch (error) {
    await rm(partial, { force: true }).catch(() => undefined);
    throw error;
  }
}
