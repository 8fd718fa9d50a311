import type { HeaderRow } from '../../adapters/dicom/index.js';
import { projection, sliceNormal } from '../../domain/geometry.js';
import type { IndexRow } from '../../domain/index-row.js';
import type { OrderedBy } from '../../domain/volume.js';
import { hashValue } from '../../util/hash.js';
import { groupBy } from './group-by.js';
import { orderWithoutGeometry } from './order-without-geometry.js';
import { byInstance, splitStacks, type PlacedFrame } from './split-stacks.js';

/** A header row with the case it was found in. */
export type CaseHeaderRow = HeaderRow & { readonly caseId: string | null };

/** What an index row holds beyond the contract. */
export interface VolumeFields {
  /** What `position` rests on: geometry, or what stands for it where a file gives no position or orientation. */
  readonly orderedBy: OrderedBy;
  /** What tells this stack from others of the same places, as `name=value`; [] when there are none. */
  readonly splitBy: readonly string[];
  /** Path of the first file with the same SOPInstanceUID in this case; null for that first file. */
  readonly duplicateOf: string | null;
}

/** Orientations whose six cosines all agree this well are one orientation. */
const SAME_ORIENTATION = 1e-3;

/**
 * Index rows: every frame in a volume of its own case and series, with its position there.
 *
 * A volume holds frames of one orientation, size, pixel spacing, frame of reference and kind of image (ImageType's
 * third value; a mosaic is another kind than a slice), and one image a place. A second file with the same SOPInstanceUID
 * goes to a volume of copies and names the first. Ids do not depend on the order of the rows or on other series.
 *
 * @param headers - of any number of cases; the first of two copies is the one that comes first here. They are completed
 *   in place: a hundred thousand copies would cost more than the work.
 * @returns rows in the order of `headers`
 */
export function assignVolumes(headers: readonly CaseHeaderRow[]): (IndexRow & VolumeFields)[] {
  const copies = copyNumbers(headers);
  // By series alone: converters such as SimpleITK give every slice of one series a StudyInstanceUID of its own.
  for (const series of groupBy(headers, (row) => `${row.caseId}\0${row.seriesInstanceUid}`)) {
    const orientations = orientationIds(series);
    const keyOf = (row: CaseHeaderRow): unknown[] => [
      row.caseId,
      row.seriesInstanceUid,
      copies.get(row)?.number ?? 0,
      orientations.get(row) ?? null,
      row.rows,
      row.columns,
      row.samplesPerPixel,
      row.pixelSpacingMm?.map((mm) => Number(mm.toPrecision(4))) ?? null,
      row.frameOfReferenceUid,
      row.imageType?.[2] ?? null,
      // Without a position nothing says that two multi-frame objects continue each other.
      orientations.has(row) || row.numberOfFrames === 1 ? null : row.sopInstanceUid,
      ...(row.mosaic ? ['mosaic'] : []),
    ];
    for (const group of likeGroups(series, keyOf, (a, b) => alike(a, b, orientations, copies))) {
      const first = group[0]!;
      const orientation = orientations.get(first);
      for (const { label, rows, orderedBy } of orientation
        ? placedStacks(group, orientation)
        : [orderWithoutGeometry(group)]) {
        const volumeId = `vol-${hashValue([keyOf(first), label]).slice(0, 16)}`;
        rows.forEach((row, position) =>
          Object.assign(row, {
            volumeId,
            position,
            orderedBy,
            splitBy: label,
            duplicateOf: copies.get(row)?.of ?? null,
          }),
        );
      }
    }
  }
  return headers as unknown as (IndexRow & VolumeFields)[];
}

/** A stack in its order. */
export interface OrderedRows {
  readonly label: readonly string[];
  readonly rows: readonly CaseHeaderRow[];
  readonly orderedBy: OrderedBy;
}

/** Groups by a key that is written out only where a row differs from the one before it. */
function likeGroups(
  rows: readonly CaseHeaderRow[],
  keyOf: (row: CaseHeaderRow) => unknown[],
  sameAs: (a: CaseHeaderRow, b: CaseHeaderRow) => boolean,
): CaseHeaderRow[][] {
  let last: CaseHeaderRow | null = null;
  let key = '';
  return groupBy(rows, (row) => {
    if (last === null || !sameAs(last, row)) key = JSON.stringify(keyOf(row));
    last = row;
    return key;
  });
}

/** Whether two rows surely have one key: most rows share their values with the row before. */
function alike(
  a: CaseHeaderRow,
  b: CaseHeaderRow,
  orientations: ReadonlyMap<CaseHeaderRow, readonly number[]>,
  copies: ReadonlyMap<CaseHeaderRow, Copy>,
): boolean {
  return (
    a.rows === b.rows &&
    a.columns === b.columns &&
    a.samplesPerPixel === b.samplesPerPixel &&
    a.pixelSpacingMm === b.pixelSpacingMm &&
    a.frameOfReferenceUid === b.frameOfReferenceUid &&
    a.imageType === b.imageType &&
    a.mosaic === null &&
    b.mosaic === null &&
    orientations.has(b) &&
    orientations.get(a) === orientations.get(b) &&
    !copies.has(a) &&
    !copies.has(b)
  );
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
    orderedBy: 'position',
  }));
}

/** The orientation that stands for each row's, rounded; rows without position or orientation are left out. */
function orientationIds(rows: readonly CaseHeaderRow[]): Map<CaseHeaderRow, readonly number[]> {
  const known: (readonly number[])[] = [];
  const ids = new Map<CaseHeaderRow, readonly number[]>();
  let lastOwn: readonly number[] | null = null;
  let match: readonly number[] | undefined;
  // In InstanceNumber order, so that the one that stands for the others does not hang on file names.
  for (const row of [...rows].sort(byInstance)) {
    const own = row.imageOrientationPatient;
    if (!row.imagePositionPatient || !own) continue;
    if (own !== lastOwn) {
      lastOwn = own;
      match = undefined;
      if (!sliceNormal(own)) continue;
      match = known.find((other) =>
        other.every((cosine, i) => Math.abs(cosine - own[i]!) <= SAME_ORIENTATION),
      );
      if (!match) known.push((match = own));
    }
    if (match) ids.set(row, match);
  }
  return ids;
}

interface Copy {
  /** How many rows of the same instance and frame came before it in its case; 0 for the first. */
  readonly number: number;
  /** The first one's path; null for the first. */
  readonly of: string | null;
}

/** Instances that stand more than once in a case; a row that is not in the map has no copy. */
function copyNumbers(headers: readonly CaseHeaderRow[]): Map<CaseHeaderRow, Copy> {
  const firsts = new Map<string, { readonly path: string; count: number; readonly row: CaseHeaderRow }>();
  const numbers = new Map<CaseHeaderRow, Copy>();
  for (const row of headers) {
    const key = `${row.caseId}\0${row.sopInstanceUid}\0${row.frame}`;
    const first = firsts.get(key);
    if (!first) {
      firsts.set(key, { path: row.path, count: 1, row });
      continue;
    }
    numbers.set(first.row, { number: 0, of: null });
    numbers.set(row, { number: first.count++, of: first.path });
  }
  return numbers;
}
