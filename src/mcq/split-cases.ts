import type { Case, Config } from '../domain/config.js';
import type { IndexRow } from '../domain/index-row.js';
import { splits as splitNames, type Split, type SplitsFile } from '../domain/item.js';
import { SCHEMA_VERSION } from '../domain/record.js';
import { assignSplits } from './assign-splits.js';
import type { DraftItem } from './draft-item.js';
import { patientGroups } from './patient-groups.js';

export interface CaseSplits {
  readonly file: SplitsFile;
  /** By case id: its split, and the patient (or the smallest of several who share a study). */
  readonly ofCase: ReadonlyMap<string, { readonly patientId: string; readonly split: Split }>;
}

/** The split of every case, patients kept whole; cases without items have a split as well. */
export function splitCases(
  drafts: readonly Pick<DraftItem, 'target'>[],
  index: readonly Pick<IndexRow, 'caseId' | 'studyInstanceUid'>[],
  { cases, splits }: { readonly cases: readonly Case[]; readonly splits: Config['splits'] },
  seed: number,
): CaseSplits {
  const groups = patientGroups(cases, index).map((group) => ({
    patientId: group.patientId,
    patientIds: [...group.patientIds],
    caseIds: [...group.caseIds],
    items: drafts.filter(({ target }) => group.caseIds.includes(target.caseId)).length,
  }));
  const assigned = assignSplits(
    groups.map(({ patientId, items }) => ({ key: patientId, items })),
    { mode: splits.mode, ratios: splits.ratios, seed },
  );
  const placed = groups.map((group) => ({ ...group, split: assigned.get(group.patientId)! }));
  const itemsIn = (name: Split): number =>
    placed.filter(({ split }) => split === name).reduce((sum, { items }) => sum + items, 0);
  const counts = Object.fromEntries(splitNames.map((name) => [name, itemsIn(name)])) as SplitsFile['counts'];
  return {
    file: { schemaVersion: SCHEMA_VERSION, mode: splits.mode, ratios: splits.ratios, groups: placed, counts },
    ofCase: new Map(
      placed.flatMap(({ caseIds, patientId, split }) =>
        caseIds.map((caseId) => [caseId, { patientId, split }] as const),
      ),
    ),
  };
}
