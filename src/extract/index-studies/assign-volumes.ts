import type { HeaderRow } from '../../adapters/dicom/index.js';
import { projection } from '../../domain/geometry.js';
import type { IndexRow } from '../../domain/index-row.js';
import type { OrderedBy } from '../../domain/volume.js';
import { hashValue } from '../../util/hash.js';
import { copyNumbers } from './copies.js';
import { groupBy } from './group-by.js';
import { orderWithoutGeometry } from './order-without-geometry.js';
import { orientationsOf } from './orientations.js';
import { splitStacks } from './split-stacks.js';
import { alikeRows, keyLabels, type AlikeRows } from './stack-keys.js';

/** A header row with the case it was found in. */
export type CaseHeaderRow = HeaderRow & { readonly caseId: string | null };

/** What an index row holds beyond the contract. */
export interface VolumeFields {
  /** What `position` rests on: geometry, or what stands for it where a file gives no position or orientation. */
  readonly orderedBy: OrderedBy;
  /** What tells this stack from the others of its series, as `name=value`; [] when it is the only one. */
  readonly splitBy: readonly string[];
  /** Path of the file that counts when several of this case hold the instance; null for that file. */
  readonly duplicateOf: string | null;
}

/** Index rows as they are completed. */
type Completed = { -readonly [K in keyof VolumeFields]: VolumeFields[K] } & {
  volumeId: string;
  position: number;
};

/**
 * Index rows: every frame in a volume of its own case and series, with its position there.
 *
 * A volume holds frames of one orientation, size, pixel spacing, frame of reference and kind of image (ImageType's
 * third value; a mosaic is another kind than a slice), and one image a place. A further file with the same
 * SOPInstanceUID goes to a volume of copies and names the first by path. Neither ids nor positions depend on the order
 * of the rows or on other series.
 *
 * @param headers - of any number of cases. They are completed in place: a hundred thousand copies would cost more than
 *   the work.
 * @returns rows in the order of `headers`
 */
export function assignVolumes(headers: readonly CaseHeaderRow[]): (IndexRow & VolumeFields)[] {
  const copies = copyNumbers(headers);
  for (const series of seriesOf(headers)) {
    const orientations = orientationsOf(series);
    const groups = alikeRows(
      series.map((row, i) => ({
        row,
        orientation: orientations[i]!,
        copy: copies.get(row)?.number ?? 0,
      })),
    );
    for (const group of groups) {
      const { caseId, seriesInstanceUid } = series[0]!;
      const labels = groups.length === 1 ? [] : keyLabels(group, groups);
      for (const { label, rows, orderedBy } of stacksOf(group)) {
        const id = hashValue([caseId, seriesInstanceUid, group.values, label]);
        const volumeId = `vol-${id.slice(0, 16)}`;
        const splitBy = [...labels, ...label];
        rows.forEach((row, position) => {
          const completed = row as unknown as Completed;
          completed.volumeId = volumeId;
          completed.position = position;
          completed.orderedBy = orderedBy;
          completed.splitBy = splitBy;
          completed.duplicateOf = copies.get(row)?.of ?? null;
        });
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

/** Rows by case and series. By series alone: SimpleITK gives every slice of one series a StudyInstanceUID of its own. */
function seriesOf(headers: readonly CaseHeaderRow[]): CaseHeaderRow[][] {
  let last: CaseHeaderRow | null = null;
  let key = '';
  return groupBy(headers, (row) => {
    const { caseId, seriesInstanceUid } = row;
    if (last?.caseId !== caseId || last.seriesInstanceUid !== seriesInstanceUid)
      key = `${caseId}\0${seriesInstanceUid}`;
    last = row;
    return key;
  });
}

function stacksOf({ rows }: AlikeRows): OrderedRows[] {
  const { orientation } = rows[0]!;
  if (!orientation) return [orderWithoutGeometry(rows.map(({ row }) => row))];
  const frames = rows.map(({ row }) => ({
    row,
    alongNormal: projection(row.imagePositionPatient!, orientation.normal),
  }));
  return splitStacks(frames, orientation).map(({ label, frames: ordered }) => ({
    label,
    rows: ordered.map(({ row }) => row),
    orderedBy: 'position',
  }));
}
