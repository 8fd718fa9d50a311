import { statSync } from 'node:fs';

/** File systems keep times to two seconds at worst: a file younger than that may change without showing it. */
const SETTLED_MS = 2000;

/**
 * A file's size and times (nanoseconds) as text, to see later whether it is still the same; null for a file that cannot
 * be looked at, or that was changed within the last two seconds.
 *
 * The time of the last change of the inode is part of it: tools that copy a file's own time cannot set that one.
 */
export function fileStamp(file: string, now: Date): string | null {
  const settled = BigInt(now.getTime() - SETTLED_MS) * 1_000_000n;
  try {
    const { size, mtimeNs, ctimeNs } = statSync(file, { bigint: true });
    return mtimeNs >= settled || ctimeNs >= settled ? null : `${size} ${mtimeNs} ${ctimeNs}`;
  } catch {
    // Gone, or not to be looked at: the scan says what is wrong.
    return null;
  }
}
