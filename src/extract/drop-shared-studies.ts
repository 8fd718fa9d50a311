import { byCodeUnit } from '../adapters/store/index.js';
import type { IndexRow } from '../domain/index-row.js';

export interface SharedStudy {
  /** The case that is left out. */
  readonly caseId: string;
  /** The case that keeps the study: the first in the order given. */
  readonly keptBy: string;
  readonly frames: number;
}

/**
 * Leaves out every case that holds a study which an earlier case holds already: the same images under two cases would
 * put one patient on both sides of a split.
 *
 * @param order - case ids as cases.csv lists them
 */
export function dropSharedStudies<T extends IndexRow>(
  rows: readonly T[],
  order: readonly string[],
): { readonly rows: T[]; readonly shared: SharedStudy[] } {
  const rank = new Map(order.map((caseId, i) => [caseId, i]));
  const place = (caseId: string): number => rank.get(caseId) ?? order.length;
  const owner = new Map<string, string>();
  for (const { studyInstanceUid, caseId } of rows) {
    if (studyInstanceUid === null || caseId === null) continue;
    const known = owner.get(studyInstanceUid);
    if (known === undefined || place(caseId) < place(known)) owner.set(studyInstanceUid, caseId);
  }
  const keptBy = new Map<string, string>();
  for (const { studyInstanceUid, caseId } of rows) {
    if (studyInstanceUid === null || caseId === null) continue;
    const first = owner.get(studyInstanceUid)!;
    if (first !== caseId) keptBy.set(caseId, first);
  }
  const shared = [...keptBy]
    .sort(([a], [b]) => byCodeUnit(a, b))
    .map(([caseId, first]) => ({
      caseId,
      keptBy: first,
      frames: rows.filter((row) => row.caseId === caseId).length,
    }));
  return { rows: rows.filter(({ caseId }) => caseId === null || !keptBy.has(caseId)), shared };
}
