import { byCodeUnit } from '../../adapters/store/index.js';
import { measureStack, type StackGeometry } from '../../domain/geometry-stack.js';
import { planeOf, sliceNormal } from '../../domain/geometry.js';
import type { IndexRow } from '../../domain/index-row.js';
import { SCHEMA_VERSION } from '../../domain/schema-version.js';
import type { Volume, VolumeWarning } from '../../domain/volume.js';
import type { AcquisitionFields } from '../../adapters/dicom/index.js';
import type { VolumeFields } from './assign-volumes.js';
import { groupBy } from './group-by.js';

type Row = IndexRow & VolumeFields & Partial<Pick<AcquisitionFields, 'gantryDetectorTiltDegrees' | 'mosaic'>>;

/** A stack leans from this on; scanners cannot tilt by less. */
const SHEARED_DEGREES = 1;
const TILT_AGREES_DEGREES = 1;
const IN_LINE_MM = 1;
/** A gap of missing slices is a whole number of steps, give or take this share of one. */
const WHOLE_STEP = 0.1;
/** More gaps than this share of the steps is a spacing that varies, not missing slices. */
const FEW_GAPS = 0.25;

/** The stacks of an index, by case, series number and volume id: how their slices lie, and what to know before use. */
export function describeVolumes(rows: readonly Row[]): Volume[] {
  const copiesOf = new Map<string, number>();
  for (const { duplicateOf } of rows)
    if (duplicateOf !== null) copiesOf.set(duplicateOf, (copiesOf.get(duplicateOf) ?? 0) + 1);
  const conflicting = conflictingInstances(rows);
  // A volume's id holds its case.
  return groupBy(rows, (row) => row.volumeId)
    .map((group) => describe(group, copiesOf, conflicting))
    .sort(
      (a, b) =>
        byCodeUnit(a.caseId ?? '', b.caseId ?? '') ||
        (a.seriesNumber ?? Infinity) - (b.seriesNumber ?? Infinity) ||
        byCodeUnit(a.volumeId, b.volumeId),
    );
}

/** Rows of a case that share instance and frame and are no copies of each other. */
function conflictingInstances(rows: readonly Row[]): ReadonlySet<Row> {
  const firsts = new Map<string, Row>();
  const found = new Set<Row>();
  for (const row of rows) {
    if (row.duplicateOf !== null || row.sopInstanceUid === null) continue;
    const key = `${row.caseId}\0${row.sopInstanceUid}\0${row.frame}`;
    const first = firsts.get(key);
    if (first) found.add(first).add(row);
    else firsts.set(key, row);
  }
  return found;
}

function describe(
  group: readonly Row[],
  copiesOf: ReadonlyMap<string, number>,
  conflicting: ReadonlySet<Row>,
): Volume {
  const rows = [...group].sort((a, b) => a.position - b.position);
  const first = rows[0]!;
  const placed = first.orderedBy === 'position';
  const normal = placed ? sliceNormal(first.imageOrientationPatient) : null;
  const corners = rows.flatMap((row) => (row.imagePositionPatient ? [row.imagePositionPatient] : []));
  const geometry = normal ? measureStack(corners, normal) : null;
  const tilts = new Set(rows.map((row) => row.gantryDetectorTiltDegrees ?? null));
  const tilt = tilts.size === 1 ? [...tilts][0]! : null;
  return {
    schemaVersion: SCHEMA_VERSION,
    caseId: first.caseId,
    volumeId: first.volumeId,
    seriesInstanceUid: first.seriesInstanceUid,
    studyInstanceUid: first.studyInstanceUid,
    modality: first.modality,
    seriesNumber: first.seriesNumber,
    seriesDescription: first.seriesDescription,
    plane: normal ? planeOf(first.imageOrientationPatient) : null,
    slices: rows.length,
    rows: first.rows,
    columns: first.columns,
    pixelSpacingMm: first.pixelSpacingMm,
    spacingMm: geometry?.spacingMm ?? null,
    uniform: geometry?.uniform ?? null,
    minStepMm: geometry?.minStepMm ?? null,
    maxStepMm: geometry?.maxStepMm ?? null,
    gaps: [...(geometry?.gaps ?? [])],
    shearDegrees: geometry?.shearDegrees ?? null,
    gantryTiltDegrees: tilt,
    orderedBy: first.orderedBy,
    splitBy: [...first.splitBy],
    duplicates: rows.reduce(
      (sum, row) => sum + (row.duplicateOf === null ? (copiesOf.get(row.path) ?? 0) : 0),
      0,
    ),
    warnings: warningsOf(rows, geometry, tilt, conflicting),
  };
}

function warningsOf(
  rows: readonly Row[],
  geometry: StackGeometry | null,
  tilt: number | null,
  conflicting: ReadonlySet<Row>,
): VolumeWarning[] {
  const first = rows[0]!;
  const found: VolumeWarning[] = [];
  if (geometry?.uniform === false)
    found.push(areMissing(geometry, rows.length) ? 'missing-slices' : 'irregular-spacing');
  const shear = geometry?.shearDegrees ?? 0;
  if (shear >= SHEARED_DEGREES) found.push('sheared');
  if (
    tilt !== null &&
    (geometry?.shearDegrees ?? null) !== null &&
    Math.abs(Math.abs(tilt) - shear) > TILT_AGREES_DEGREES
  )
    found.push('tilt-disagrees');
  if ((geometry?.offLineMm ?? 0) > IN_LINE_MM) found.push('not-in-line');
  if (first.orderedBy !== 'position') found.push('no-geometry');
  if (
    first.orderedBy === 'instance-number' &&
    new Set(rows.map((row) => row.instanceNumber)).size < rows.length
  )
    found.push('ambiguous-order');
  if (first.orderedBy === 'sop-instance-uid' && rows.length > 1) found.push('ambiguous-order');
  if (first.splitBy.some((label) => label.startsWith('rank='))) found.push('repeated-places');
  if (rows.some((row) => conflicting.has(row))) found.push('conflicting-uid');
  if (rows.every((row) => row.duplicateOf !== null)) found.push('copies');
  if (first.mosaic) found.push('mosaic');
  return found;
}

/** Whether what is not uniform is explained by slices that are not there. */
function areMissing({ gaps, spacingMm, minStepMm }: StackGeometry, slices: number): boolean {
  return (
    gaps.length > 0 &&
    gaps.length <= Math.max(1, (slices - 1) * FEW_GAPS) &&
    gaps.every(({ steps }) => Math.abs(steps - Math.round(steps)) <= WHOLE_STEP) &&
    spacingMm !== null &&
    minStepMm !== null &&
    spacingMm - minStepMm <= spacingMm * WHOLE_STEP
  );
}
