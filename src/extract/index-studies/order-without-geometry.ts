import { byCodeUnit } from '../../adapters/store/index.js';
import type { OrderedBy } from '../../domain/volume.js';
import type { CaseHeaderRow, OrderedRows } from './assign-volumes.js';
import { byInstance } from './split-stacks.js';

/**
 * Frames without a position or an orientation in the best order that is left: the frames of one object by frame number;
 * several objects by position when all positions lie on one line and only the orientation is missing, towards its growing
 * coordinate; else by InstanceNumber; where InstanceNumbers are missing or repeat, by SliceLocation when every frame has
 * one of its own; at last by SOPInstanceUID. `orderedBy` names which.
 */
export function orderWithoutGeometry(group: readonly CaseHeaderRow[]): OrderedRows {
  const along = group[0]!.numberOfFrames > 1 ? null : alongLine(group);
  if (along !== null) {
    const rows = [...group].sort((a, b) => along.get(a)! - along.get(b)!);
    return { label: [], rows, orderedBy: 'image-position' };
  }
  const orderedBy = basisOf(group);
  const rows = [...group].sort(ORDERS[orderedBy]);
  return { label: [], rows, orderedBy };
}

type Basis = Exclude<OrderedBy, 'position' | 'image-position'>;

function basisOf(group: readonly CaseHeaderRow[]): Basis {
  if (group[0]!.numberOfFrames > 1) return 'frame-number';
  const numbers = distinct(group, (row) => row.instanceNumber);
  if (numbers === group.length) return 'instance-number';
  if (distinct(group, (row) => row.sliceLocation) === group.length) return 'slice-location';
  return numbers > 0 ? 'instance-number' : 'sop-instance-uid';
}

/** Positions off their line by more than this, mm, are of no stack; nearer together than this, of one place. */
const [OFF_LINE_MM, SAME_PLACE_MM] = [1, 0.01];

/** Where each frame lies on the line of all positions, mm; null when they lie on none, or two at one place. */
function alongLine(group: readonly CaseHeaderRow[]): Map<CaseHeaderRow, number> | null {
  if (group.length < 2 || !group.every((row) => row.imagePositionPatient)) return null;
  const corners = group.map((row) => row.imagePositionPatient!);
  const minus = (a: readonly number[], b: readonly number[]): number[] => a.map((x, axis) => x - b[axis]!);
  const farthest = (from: readonly number[]): readonly number[] =>
    corners.reduce((far, corner) => (length(minus(corner, from)) > length(minus(far, from)) ? corner : far));
  // The ends of a line are the farthest from each other, whichever corner comes first.
  const end = farthest(corners[0]!);
  const direction = minus(farthest(end), end);
  const span = length(direction);
  if (!(span > SAME_PLACE_MM)) return null;
  const main = direction.reduce(
    (best, x, axis) => (Math.abs(x) > Math.abs(direction[best]!) ? axis : best),
    0,
  );
  const unit = direction.map((x) => (x / span) * Math.sign(direction[main]!));
  const along = new Map<CaseHeaderRow, number>();
  for (const [i, row] of group.entries()) {
    const offset = minus(corners[i]!, end);
    const at = dot(offset, unit);
    if (
      length(
        minus(
          offset,
          unit.map((x) => x * at),
        ),
      ) > OFF_LINE_MM
    )
      return null;
    // From the patient's origin, not from an end: the order of the rows must not show.
    along.set(row, dot(corners[i]!, unit));
  }
  const sorted = Float64Array.from(along.values()).sort();
  return sorted.some((at, i) => i > 0 && at - sorted[i - 1]! <= SAME_PLACE_MM) ? null : along;
}

function dot(a: readonly number[], b: readonly number[]): number {
  return a.reduce((sum, x, axis) => sum + x * b[axis]!, 0);
}

function length(a: readonly number[]): number {
  return Math.hypot(...a);
}

function distinct(group: readonly CaseHeaderRow[], valueOf: (row: CaseHeaderRow) => number | null): number {
  return new Set(group.map(valueOf).filter((value) => value !== null && value !== undefined)).size;
}

const ORDERS: Readonly<Record<Basis, (a: CaseHeaderRow, b: CaseHeaderRow) => number>> = {
  'frame-number': (a, b) => a.frame - b.frame,
  'instance-number': byInstance,
  'slice-location': (a, b) => a.sliceLocation! - b.sliceLocation! || byInstance(a, b),
  'sop-instance-uid': (a, b) =>
    byCodeUnit(a.sopInstanceUid ?? '', b.sopInstanceUid ?? '') || a.frame - b.frame,
};
