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
  const distinct = (of: (row: IndexRow) => string | null): number => {
    const found = new Set<string>();
    for (const row of rows) found.add(`${row.caseId}\0${of(row)}`);
    return found.size;
  };
  return {
    files,
    instances: distinct((row) => row.sopInstanceUid),
    frames: rows.length,
    studies: distinct((row) => row.studyInstanceUid),
    series: distinct((row) => row.seriesInstanceUid),
    volumes: distinct((row) => row.volumeId),
    duplicates: new Set(rows.filter((row) => row.duplicateOf !== null).map((row) => row.path)).size,
    volumesWithoutGeometry: new Set(
      rows.filter((row) => row.orderedBy !== 'position').map((row) => row.volumeId),
    ).size,
    skipped: [...skipped],
    seconds,
  };
}
