import { byCodeUnit } from '../../adapters/store/index.js';
import type { OrderedBy } from '../../domain/volume.js';
import type { CaseHeaderRow, OrderedRows } from './assign-volumes.js';
import { byInstance } from './split-stacks.js';

/**
 * Frames without a position or an orientation in the best order that is left: the frames of one object by frame number;
 * several objects by InstanceNumber; where InstanceNumbers are missing or repeat, by SliceLocation when every frame has
 * one of its own; at last by SOPInstanceUID. `orderedBy` names which.
 */
export function orderWithoutGeometry(group: readonly CaseHeaderRow[]): OrderedRows {
  const orderedBy = basisOf(group);
  const rows = [...group].sort(ORDERS[orderedBy]);
  return { label: [], rows, orderedBy };
}

type Basis = Exclude<OrderedBy, 'position'>;

function basisOf(group: readonly CaseHeaderRow[]): Basis {
  if (group[0]!.numberOfFrames > 1) return 'frame-number';
  const numbers = distinct(group, (row) => row.instanceNumber);
  if (numbers === group.length) return 'instance-number';
  if (distinct(group, (row) => row.sliceLocation) === group.length) return 'slice-location';
  return numbers > 0 ? 'instance-number' : 'sop-instance-uid';
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
