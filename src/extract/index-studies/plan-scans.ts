import type { KeptScan } from '../../domain/kept-scan.js';

/** What is to be scanned, and what an earlier scan still holds for. Files are numbers of wanted ones. */
export interface ScanPlan {
  /** Earlier scans with the wanted file of each of their results; null: that result is of no use. */
  readonly kept: readonly { readonly scan: KeptScan; readonly files: readonly (number | null)[] }[];
  /** The others, in order. */
  readonly anew: readonly number[];
}

/** A batch is read whole again when fewer of its files are as they were: leftovers do not pile up over many runs. */
const WORTH_KEEPING = 0.5;

/**
 * Which files must be read: all that are not, by path, size and times, what an earlier scan saw.
 *
 * @param paths - of the wanted files
 * @param stamps - of the same files now; null where there is none
 */
export function planScans(
  paths: readonly string[],
  stamps: readonly (string | null)[],
  earlier: readonly KeptScan[],
): ScanPlan {
  if (earlier.length === 0) return { kept: [], anew: paths.map((_, i) => i) };
  const numbers = new Map(paths.map((path, i) => [path, i]));
  const taken = new Set<number>();
  const kept: { scan: KeptScan; files: (number | null)[] }[] = [];
  for (const scan of earlier) {
    const files = scan.files.map((file) => {
      const number = file === null ? undefined : numbers.get(file.path);
      if (number === undefined || taken.has(number) || stamps[number] !== file!.stamp) return null;
      return number;
    });
    const valid = files.filter((number) => number !== null);
    if (valid.length < files.length * WORTH_KEEPING) continue;
    for (const number of valid) taken.add(number);
    kept.push({
      scan: { ...scan, files: scan.files.map((file, i) => (files[i] === null ? null : file)) },
      files,
    });
  }
  return { kept, anew: paths.flatMap((_, i) => (taken.has(i) ? [] : [i])) };
}

/** A scanned batch as it is kept. Files that gave no rows are read again: why they did not may be gone. */
export function keptScan(
  results: string,
  files: readonly { readonly path: string; readonly stamp: string | null; readonly hasRows: boolean }[],
): KeptScan {
  const kept = files.map(({ path, stamp, hasRows }) => (hasRows && stamp !== null ? { path, stamp } : null));
  return { files: kept, results };
}
