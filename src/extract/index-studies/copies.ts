import { byCodeUnit } from '../../adapters/store/index.js';
import type { CaseHeaderRow } from './assign-volumes.js';
import { groupBy } from './group-by.js';

/** Which file of an instance a row comes from, when several files hold it. */
export interface Copy {
  /** Files of the instance in order of their path: 0 is the one that counts. */
  readonly number: number;
  /** That one's path; null for itself. */
  readonly of: string | null;
}

/**
 * The rows of instances that a case holds in several files: the same SOPInstanceUID and frame. A row that is not in the
 * map has no copy. Which file counts is told by the paths alone, not by the order of the rows.
 *
 * Files of one SOPInstanceUID that show other places, or say another InstanceNumber, are no copies but images that a
 * careless anonymiser gave one UID: each counts.
 */
export function copyNumbers(rows: readonly CaseHeaderRow[]): ReadonlyMap<CaseHeaderRow, Copy> {
  const numbers = new Map<CaseHeaderRow, Copy>();
  for (const sameFrame of repeatedFrames(rows)) {
    sameFrame.sort((a, b) => byCodeUnit(a.path, b.path));
    for (const same of groupBy(sameFrame, imageOf)) {
      const of = same[0]!.path;
      same.forEach((row, number) => numbers.set(row, { number, of: number === 0 ? null : of }));
    }
  }
  return numbers;
}

/** What two files of one image cannot differ in. */
function imageOf(row: CaseHeaderRow): string {
  const { imagePositionPatient, imageOrientationPatient, instanceNumber, rows, columns } = row;
  return [imagePositionPatient, imageOrientationPatient, instanceNumber, rows, columns].join('|');
}

function repeatedFrames(rows: readonly CaseHeaderRow[]): CaseHeaderRow[][] {
  const repeated = repeatedInstances(rows);
  const frames = new Map<string, CaseHeaderRow[]>();
  // Most sets have no copy, and then this costs nothing: no key is written out.
  if (repeated.size === 0) return [];
  for (const row of rows) {
    if (!repeated.get(row.caseId)?.has(row.sopInstanceUid)) continue;
    const key = `${row.caseId}\0${row.sopInstanceUid}\0${row.frame}`;
    const group = frames.get(key);
    if (group) group.push(row);
    else frames.set(key, [row]);
  }
  return [...frames.values()].filter((group) => group.length > 1);
}

type Instances = Map<string | null, Set<string | null>>;

/** By case, the instances that come from a second file, or twice from one. */
function repeatedInstances(rows: readonly CaseHeaderRow[]): Instances {
  const repeated: Instances = new Map();
  const cases = new Map<string | null, Map<string | null, CaseHeaderRow>>();
  for (const row of rows) {
    let firsts = cases.get(row.caseId);
    if (!firsts) cases.set(row.caseId, (firsts = new Map<string | null, CaseHeaderRow>()));
    const first = firsts.get(row.sopInstanceUid);
    if (!first) firsts.set(row.sopInstanceUid, row);
    else if (first.frame === row.frame || first.path !== row.path) {
      const own = repeated.get(row.caseId) ?? new Set();
      repeated.set(row.caseId, own.add(row.sopInstanceUid));
    }
  }
  return repeated;
}
