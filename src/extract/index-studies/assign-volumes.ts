import type { HeaderRow } from '../../adapters/dicom/index.js';
import { projection, sliceNormal } from '../../domain/geometry.js';
import type { IndexRow } from '../../domain/index-row.js';
import { hashValue } from '../../util/hash.js';
import { groupBy } from './group-by.js';
import { byInstance, splitStacks, type PlacedFrame } from './split-stacks.js';

/** A header row with the case it was found in. */
export type CaseHeaderRow = HeaderRow & { readonly caseId: string | null };

/** What an index row holds beyond the contract. */
export interface VolumeFields {
  /** What `position` rests on: geometry, or InstanceNumber where a file gives no position or orientation. */
  readonly orderedBy: 'position' | 'instance-number';
  /** Path of the first file with the same SOPInstanceUID in this case; null for that first file. */
  readonly duplicateOf: string | null;
}

/** Orientations whose six cosines all agree this well are one orientation. */
const SAME_ORIENTATION = 1e-3;

/**
 * Index rows: every frame in a volume of its own case and series, with its position there.
 *
 * A volume holds frames of one orientation, size, pixel spacing, frame of reference and kind of image (ImageType's
 * third value), and one image a place. A second file with the same SOPInstanceUID goes to a volume of copies and names
 * the first. Ids do not depend on the order of the rows or on other series.
 *
 * @param headers - of any number of cases; the first of two copies is the one that comes first here
 * @returns rows in the order of `headers`
 */
export function assignVolumes(headers: readonly CaseHeaderRow[]): (IndexRow & VolumeFields)[] {
  const placed = new Map<CaseHeaderRow, { volumeId: string; position: number } & VolumeFields>();
  const copies = copyNumbers(headers);
  // By series alone: converters such as SimpleITK give every slice of one series a StudyInstanceUID of its own.
  for (const series of groupBy(headers, (row) => [row.caseId, row.seriesInstanceUid])) {
    const orientations = orientationIds(series);
    const keyOf = (row: CaseHeaderRow): unknown[] => [
      row.caseId,
      row.seriesInstanceUid,
      copies.get(row)!.number,
      orientations.get(row) ?? null,
      row.rows,
      row.columns,
      row.samplesPerPixel,
      row.pixelSpacingMm?.map((mm) => Number(mm.toPrecision(4))) ?? null,
      row.frameOfReferenceUid,
      row.imageType?.[2] ?? null,
      // Without a position nothing says that two multi-frame objects continue each other.
      orientations.has(row) || row.numberOfFrames === 1 ? null : row.sopInstanceUid,
    ];
    for (const group of groupBy(series, keyOf)) {
      const first = group[0]!;
      const orientation = orientations.get(first);
      const orderedBy = orientation ? 'position' : 'instance-number';
      for (const stack of orientation ? placedStacks(group, orientation) : [byNumber(group)]) {
        const volumeId = `vol-${hashValue([keyOf(first), stack.label]).slice(0, 16)}`;
        stack.rows.forEach((row, position) =>
          placed.set(row, { volumeId, position, orderedBy, duplicateOf: copies.get(row)!.of }),
        );
      }
    }
  }
  return headers.map((row) => ({ ...row, ...placed.get(row)! }));
}

interface OrderedRows {
  readonly label: readonly string[];
  readonly rows: readonly CaseHeaderRow[];
}

function placedStacks(group: readonly CaseHeaderRow[], orientation: readonly number[]): OrderedRows[] {
  const normal = sliceNormal(orientation)!;
  const frames: PlacedFrame[] = group.map((row) => ({
    row,
    alongNormal: projection(row.imagePositionPatient!, normal),
  }));
  return splitStacks(frames).map(({ label, frames: ordered }) => ({
    label,
    rows: ordered.map(({ row }) => row as CaseHeaderRow),
  }));
}

function byNumber(group: readonly CaseHeaderRow[]): OrderedRows {
  return { label: [], rows: [...group].sort(byInstance) };
}

/** The orientation that stands for each row's, rounded; rows without position or orientation are left out. */
function orientationIds(rows: readonly CaseHeaderRow[]): Map<CaseHeaderRow, readonly number[]> {
  const known: (readonly number[])[] = [];
  const ids = new Map<CaseHeaderRow, readonly number[]>();
  // In InstanceNumber order, so that the one that stands for the others does not hang on file names.
  for (const row of [...rows].sort(byInstance)) {
    const own = row.imageOrientationPatient;
    if (!row.imagePositionPatient || !own || !sliceNormal(own)) continue;
    let match = known.find((other) =>
      other.every((cosine, i) => Math.abs(cosine - own[i]!) <= SAME_ORIENTATION),
    );
    if (!match) known.push((match = own));
    ids.set(row, match);
  }
  return ids;
}

/** For each row how many rows of the same instance and frame came before it in its case, and the first one's path. */
function copyNumbers(
  headers: readonly CaseHeaderRow[],
): Map<CaseHeaderRow, { readonly number: number; readonly of: string | null }> {
  const numbers = new Map<CaseHeaderRow, { number: number; of: string | null }>();
  for (const copies of groupBy(headers, (row) => [row.caseId, row.sopInstanceUid, row.frame])) {
    copies.forEach((row, number) => numbers.set(row, { number, of: number === 0 ? null : copies[0]!.path }));
  }
  return numbers;
}
