import { GroundmarkError } from '../domain/error.js';
import { splits, type Split } from '../domain/item.js';
import { assignSplits, type SplitMode, type SplitRatios } from './assign-splits.js';
import { UnionFind } from './union-find.js';

/** Fields that say what an item belongs to, the widest first; spellings of one thing share a namespace. */
const GROUP_FIELDS: readonly (readonly [field: string, namespace: string])[] = [
  ['patientId', 'patient'],
  ['patient_id', 'patient'],
  ['caseGroup', 'group'],
  ['caseId', 'case'],
  ['case_id', 'case'],
  ['studyInstanceUid', 'study'],
];

export interface SplitRecordsResult {
  /** The records in their order, each with its `split`. */
  readonly records: Record<string, unknown>[];
  readonly groups: number;
  readonly counts: Record<Split, number>;
}

/**
 * Records of any item file with a split each: two records that share a patient, case group, case or study, directly or
 * through others, share their split.
 *
 * @param options.group - one field that alone decides; null takes every known field that a record has
 * @throws {GroundmarkError} `no-group` naming the first record (from 1) that has no such field
 */
export function splitRecords(
  records: readonly Record<string, unknown>[],
  options: {
    readonly group: string | null;
    readonly mode: SplitMode;
    readonly ratios: SplitRatios;
    readonly seed: number;
  },
): SplitRecordsResult {
  const fields = options.group === null ? GROUP_FIELDS : [[options.group, options.group] as const];
  const joined = new UnionFind();
  const first = records.map((record, i) => {
    const names = fields.flatMap(([field, namespace]) => {
      const value = record[field];
      const usable = (typeof value === 'string' && value !== '') || typeof value === 'number';
      return usable ? [`${namespace}\u0000${value}`] : [];
    });
    if (names.length === 0) {
      throw new GroundmarkError(
        'no-group',
        `Record ${i + 1} has none of the fields ${fields.map(([field]) => field).join(', ')}, so nothing says which ` +
          `patient or case it belongs to. Add one, or name another field with --group.`,
        { record: i + 1 },
      );
    }
    for (const name of names) joined.join(names[0]!, name);
    return names[0]!;
  });
  const roots = first.map((name) => joined.find(name));
  const sizes = new Map<string, number>();
  for (const root of roots) sizes.set(root, (sizes.get(root) ?? 0) + 1);
  const assigned = assignSplits(
    [...sizes].map(([key, items]) => ({ key, items })),
    options,
  );
  const placed = records.map((record, i) => ({ ...record, split: assigned.get(roots[i]!)! }));
  const counts = Object.fromEntries(
    splits.map((split) => [split, placed.filter((record) => record.split === split).length]),
  ) as Record<Split, number>;
  return { records: placed, groups: sizes.size, counts };
}
