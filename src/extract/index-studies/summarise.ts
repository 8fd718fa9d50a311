import type { IndexRow, IndexSummary, SkippedFile } from '../../domain/index-row.js';
import type { VolumeFields } from './assign-volumes.js';

/**
 * Counts of an index. `instances` counts distinct SOP instances of a case; a further file of one counts in
 * `duplicates`.
 *
 * @param files - files looked at, skipped ones included
 */
export function summarise(
  rows: readonly (IndexRow & VolumeFields)[],
  skipped: readonly SkippedFile[],
  files: number,
  seconds: number,
): IndexSummary {
  return {
    files,
    instances: distinct(rows, (row) => row.sopInstanceUid),
    frames: rows.length,
    studies: distinct(rows, (row) => row.studyInstanceUid),
    series: distinct(rows, (row) => row.seriesInstanceUid),
    volumes: distinct(rows, (row) => row.volumeId),
    duplicates: new Set(rows.filter((row) => row.duplicateOf !== null).map((row) => row.path)).size,
    volumesWithoutGeometry: new Set(
      rows.filter((row) => row.orderedBy !== 'position').map((row) => row.volumeId),
    ).size,
    skipped: [...skipped],
    seconds,
  };
}

/** Number of values, those of two cases told apart. Rows mostly have the value of the row before. */
function distinct(rows: readonly IndexRow[], of: (row: IndexRow) => string | null): number {
  const byCase = new Map<string | null, Set<string | null>>();
  let last: string | null | undefined;
  let lastCase: string | null | undefined;
  let found = new Set<string | null>();
  for (const row of rows) {
    const value = of(row);
    if (row.caseId !== lastCase) {
      lastCase = row.caseId;
      found = byCase.get(lastCase) ?? new Set();
      byCase.set(lastCase, found);
    } else if (value === last) continue;
    last = value;
    found.add(value);
  }
  return [...byCase.values()].reduce((sum, values) => sum + values.size, 0);
}
