import type { Case } from '../domain/config.js';
import { UnionFind } from './union-find.js';

export interface PatientGroup {
  /** The smallest patient id. */
  readonly patientId: string;
  readonly patientIds: readonly string[];
  readonly caseIds: readonly string[];
}

/** Patients with their cases; patients whose cases share a study are one group. Sorted by patient id. */
export function patientGroups(
  cases: readonly Pick<Case, 'caseId' | 'patientId'>[],
  studies: readonly { readonly caseId: string | null; readonly studyInstanceUid: string | null }[],
): PatientGroup[] {
  const joined = new UnionFind();
  const patientOf = new Map(cases.map(({ caseId, patientId }) => [caseId, patientId]));
  const firstWithStudy = new Map<string, string>();
  for (const { caseId, studyInstanceUid } of studies) {
    const patientId = caseId === null ? undefined : patientOf.get(caseId);
    if (patientId === undefined || studyInstanceUid === null) continue;
    const first = firstWithStudy.get(studyInstanceUid);
    if (first === undefined) firstWithStudy.set(studyInstanceUid, patientId);
    else joined.join(first, patientId);
  }
  const groups = new Map<string, { patientIds: Set<string>; caseIds: Set<string> }>();
  for (const { caseId, patientId } of cases) {
    const root = joined.find(patientId);
    const group = groups.get(root) ?? { patientIds: new Set(), caseIds: new Set() };
    group.patientIds.add(patientId);
    group.caseIds.add(caseId);
    groups.set(root, group);
  }
  return [...groups.keys()].sort().map((root) => ({
    patientId: root,
    patientIds: [...groups.get(root)!.patientIds].sort(),
    caseIds: [...groups.get(root)!.caseIds].sort(),
  }));
}
