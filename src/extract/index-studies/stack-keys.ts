import type { CaseHeaderRow } from './assign-volumes.js';
import { sameNumbers, type Orientation } from './orientations.js';

/** A row of a series with what was found out about it. */
export interface KnownRow {
  readonly row: CaseHeaderRow;
  readonly orientation: Orientation | null;
  /** Which file of its instance it comes from: 0 unless it is a copy. */
  readonly copy: number;
}

/** What frames of one stack always have in common, by the name that stands in `splitBy`. */
type Part = readonly [string, (of: KnownRow) => string | number | null];

const PARTS: readonly Part[] = [
  ['copy', ({ copy }) => copy],
  ['normal', ({ orientation }) => orientation && orientation.normal.map((x) => x.toFixed(2)).join()],
  ['orientation', ({ orientation }) => orientation && orientation.cosines.join()],
  ['size', ({ row }) => `${row.rows}×${row.columns}`],
  ['samples', ({ row }) => row.samplesPerPixel],
  ['pixelSpacing', ({ row }) => row.pixelSpacingMm && row.pixelSpacingMm.map(fourDigits).join()],
  ['frameOfReference', ({ row }) => row.frameOfReferenceUid],
  ['kind', ({ row }) => row.imageType?.[2] ?? null],
  ['mosaic', ({ row }) => (row.mosaic ? row.mosaic.images : null)],
  // Without a position nothing says that two multi-frame objects continue each other.
  ['object', ({ row, orientation }) => (orientation || row.numberOfFrames === 1 ? null : row.sopInstanceUid)],
];

/** Rows that may form one stack, and the values that they share, in the order of `PARTS`. */
export interface AlikeRows {
  readonly values: readonly (string | number | null)[];
  readonly rows: KnownRow[];
}

/** The rows of a series by what frames of one stack always have in common. */
export function alikeRows(rows: readonly KnownRow[]): AlikeRows[] {
  const groups = new Map<string, AlikeRows>();
  let last: KnownRow | null = null;
  let group: AlikeRows | null = null;
  for (const known of rows) {
    // Most rows share their values with the row before: their key need not be written out.
    if (group === null || last === null || !surelyAlike(last, known)) {
      const values = PARTS.map(([, valueOf]) => valueOf(known));
      const key = values.join('\0');
      group = groups.get(key) ?? { values, rows: [] };
      groups.set(key, group);
    }
    group.rows.push(known);
    last = known;
  }
  return [...groups.values()];
}

/** What sets a group apart from the others of its series, as `name=value`. */
export function keyLabels(group: AlikeRows, all: readonly AlikeRows[]): string[] {
  return PARTS.flatMap(([name], part) => {
    const value = group.values[part] ?? null;
    const differs = all.some(({ values }) => (values[part] ?? null) !== value);
    // The exact cosines say no more than the normal unless one normal has two of them.
    const silent =
      (name === 'copy' && value === 0) ||
      (name === 'orientation' && all.every((one) => normalTells(one, group)));
    return differs && !silent ? [`${name}=${value ?? 'none'}`] : [];
  });
}

/** Whether two groups' normals differ unless their orientations agree. */
function normalTells(a: AlikeRows, b: AlikeRows): boolean {
  return a.values[1] !== b.values[1] || a.values[2] === b.values[2];
}

function surelyAlike(a: KnownRow, b: KnownRow): boolean {
  const [x, y] = [a.row, b.row];
  return (
    a.copy === b.copy &&
    a.orientation === b.orientation &&
    b.orientation !== null &&
    x.rows === y.rows &&
    x.columns === y.columns &&
    x.samplesPerPixel === y.samplesPerPixel &&
    x.pixelSpacingMm !== null &&
    y.pixelSpacingMm !== null &&
    sameNumbers(x.pixelSpacingMm, y.pixelSpacingMm) &&
    x.frameOfReferenceUid === y.frameOfReferenceUid &&
    x.imageType?.[2] === y.imageType?.[2] &&
    !x.mosaic &&
    !y.mosaic
  );
}

/** Rounding noise of stored spacings is in their later digits. */
function fourDigits(mm: number): number {
  return Number(mm.toPrecision(4));
}
