import { projection, type Vector } from './geometry.js';

/** A step over this many median steps is a gap: one slice or more are missing, or the spacing changes there. */
export const GAP_STEPS = 1.5;
/** Steps are uniform while none is further from the median than this share of it … */
export const UNIFORM_SHARE = 0.01;
/** … or than this, mm: what rounding of stored positions can do. */
export const UNIFORM_MM = 0.01;
/** Rounding errors of the machine, mm: they must not decide at a threshold. */
const MACHINE_MM = 1e-6;

/** A step along the normal that is much larger than the others. */
export interface Gap {
  /** Position of the slice before it. */
  readonly afterPosition: number;
  /** Its length in median steps, to 0.01: 3 where two slices are missing. */
  readonly steps: number;
}

/** How the slices of one stack lie. Everything is null, or empty, for a stack of one slice. */
export interface StackGeometry {
  /** Median step along the normal, mm. */
  readonly spacingMm: number | null;
  readonly minStepMm: number | null;
  readonly maxStepMm: number | null;
  /** Whether every step is within 1 % of the median, or 0.01 mm if that is more; null for one slice. */
  readonly uniform: boolean | null;
  readonly gaps: readonly Gap[];
  /** Angle between the way from the first slice's corner to the last's and the normal, degrees from 0 to 90. */
  readonly shearDegrees: number | null;
  /** Furthest that a slice's corner lies from the straight line between the first and the last, mm. */
  readonly offLineMm: number;
}

const NONE: StackGeometry = {
  spacingMm: null,
  minStepMm: null,
  maxStepMm: null,
  uniform: null,
  gaps: [],
  shearDegrees: null,
  offLineMm: 0,
};

/**
 * Steps, gaps and shear of a stack.
 *
 * A stack whose slices are shifted along the image plane from one to the next is sheared: gantry tilt makes such
 * stacks, because the table moves straight while the slices lean. Their step along the normal is shorter than the way
 * between two corners.
 *
 * @param corners - ImagePositionPatient of every slice, ascending along `normal`, mm
 * @param normal - unit normal of the slices
 */
export function measureStack(corners: readonly (readonly number[])[], normal: Vector): StackGeometry {
  if (corners.length < 2) return NONE;
  const along = corners.map((corner) => projection(corner, normal));
  const steps = along.slice(1).map((place, i) => place - along[i]!);
  const spacingMm = median(steps);
  let minStepMm = Infinity;
  let maxStepMm = -Infinity;
  const gaps: Gap[] = [];
  steps.forEach((step, afterPosition) => {
    minStepMm = Math.min(minStepMm, step);
    maxStepMm = Math.max(maxStepMm, step);
    if (step > GAP_STEPS * spacingMm + MACHINE_MM)
      gaps.push({ afterPosition, steps: round(step / spacingMm, 2) });
  });
  const tolerance = Math.max(UNIFORM_MM, UNIFORM_SHARE * spacingMm) + MACHINE_MM;
  return {
    spacingMm: round(spacingMm, 4),
    minStepMm: round(minStepMm, 4),
    maxStepMm: round(maxStepMm, 4),
    uniform: maxStepMm - spacingMm <= tolerance && spacingMm - minStepMm <= tolerance,
    gaps,
    ...directionOf(corners, normal),
  };
}

function directionOf(
  corners: readonly (readonly number[])[],
  normal: Vector,
): Pick<StackGeometry, 'shearDegrees' | 'offLineMm'> {
  const first = corners[0]!;
  const way = minus(corners.at(-1)!, first);
  const length = Math.hypot(...way);
  if (length < 1e-6) return { shearDegrees: null, offLineMm: 0 };
  const direction: Vector = [way[0] / length, way[1] / length, way[2] / length];
  let offLineMm = 0;
  for (const corner of corners) {
    const from = minus(corner, first);
    const along = projection(from, direction);
    // Off the line through first and last, at right angles to it.
    const off = Math.hypot(
      from[0] - along * direction[0],
      from[1] - along * direction[1],
      from[2] - along * direction[2],
    );
    offLineMm = Math.max(offLineMm, off);
  }
  const cosine = Math.min(1, Math.abs(projection(direction, normal)));
  return { shearDegrees: round((Math.acos(cosine) * 180) / Math.PI, 2), offLineMm: round(offLineMm, 3) };
}

function minus(a: readonly number[], b: readonly number[]): Vector {
  return [a[0]! - b[0]!, a[1]! - b[1]!, a[2]! - b[2]!];
}

/** The middle value; of two middle ones their mean. */
function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** Rounded so that rounding errors of the machine do not show, and never -0. */
function round(value: number, digits: number): number {
  const scale = 10 ** digits;
  return Math.round(value * scale) / scale || 0;
}
