import path from 'node:path';
import { z } from 'zod';
import { hashValue } from '../../util/hash.js';
import { byCodeUnit } from './file-store.js';
import type { Store } from './store.js';

const stepSchema = z.object({ key: z.string(), value: z.unknown() });

/**
 * Gives the kept result of a finished piece of a stage, or does the piece and keeps it. A stage that was killed does
 * only the pieces that were not finished.
 *
 * @param key - everything the piece depends on; hashed
 */
export async function keepStep<T>(
  store: Store,
  folder: string,
  key: unknown,
  work: () => Promise<T>,
): Promise<T> {
  const hash = hashValue(key);
  const file = path.join(folder, `${hash}.json`);
  if (await store.exists(file)) {
    try {
      const step = stepSchema.parse(JSON.parse((await store.read(file)).toString('utf8')));
      if (step.key === hash) return step.value as T;
    } catch {
      // Not a whole step file: the piece is done again.
    }
  }
  const value = await work();
  await store.write(file, JSON.stringify({ key: hash, value }));
  return value;
}

/**
 * A text that changes when a folder of source files changes: relative path, size and modification time of every file.
 * Source folders are too large to hash on every run.
 */
export async function folderFingerprint(
  folder: string,
  stat: (file: string) => Promise<{ readonly size: number; readonly mtimeMs: number }>,
  files: readonly string[],
): Promise<string> {
  const lines: string[] = [];
  for (const file of [...files].sort(byCodeUnit)) {
    const { size, mtimeMs } = await stat(path.join(folder, file));
    lines.push(`${file}\t${size}\t${mtimeMs}`);
  }
  return hashValue(lines);
}
