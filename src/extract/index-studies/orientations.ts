import { sliceNormal, type Vector } from '../../domain/geometry.js';
import type { CaseHeaderRow } from './assign-volumes.js';

/** One orientation of a series: the cosines that stand for all that agree with them, and their normal. */
export interface Orientation {
  readonly cosines: readonly number[];
  readonly normal: Vector;
}

/** Orientations whose six cosines all agree this well are one orientation. */
const SAME_ORIENTATION = 1e-3;

/**
 * The orientation of each row of a series, one object for all rows that share it; null for a row without position or
 * orientation. Of several that agree the one that sorts first stands for them, so that the order of the rows is of no
 * account.
 */
export function orientationsOf(rows: readonly CaseHeaderRow[]): (Orientation | null)[] {
  const known = new Map<string, readonly number[]>();
  const keys: (string | null)[] = [];
  let last: readonly number[] | null = null;
  let key: string | null = null;
  for (const { imageOrientationPatient: own, imagePositionPatient: corner } of rows) {
    if (!own || !corner) {
      keys.push(null);
      continue;
    }
    if (last === null || !sameNumbers(own, last)) {
      last = own;
      key = own.join();
      known.set(key, own);
    }
    keys.push(key);
  }
  const orientations = cluster(known);
  return keys.map((one) => (one === null ? null : orientations.get(one)!));
}

function cluster(known: ReadonlyMap<string, readonly number[]>): Map<string, Orientation | null> {
  const found: Orientation[] = [];
  const of = new Map<string, Orientation | null>();
  for (const [key, cosines] of [...known].sort(([, a], [, b]) => byNumbers(a, b))) {
    let match = found.find((other) =>
      other.cosines.every((cosine, i) => Math.abs(cosine - cosines[i]!) <= SAME_ORIENTATION),
    );
    const normal = match ? match.normal : sliceNormal(cosines);
    if (!match && normal) found.push((match = { cosines, normal }));
    of.set(key, match ?? null);
  }
  return of;
}

/** Whether two lists hold the same numbers. */
export function sameNumbers(a: readonly number[], b: readonly number[]): boolean {
  if (a === b) return true;
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

function byNumbers(a: readonly number[], b: readonly number[]): number {
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return a[i]! - b[i]!;
  return 0;
}
