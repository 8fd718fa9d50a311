import type { StackRecipe } from './recipe.js';

type Vector = readonly [number, number, number];

/** Where one slice lies in the patient. PS3.3 C.7.6.2.1.1: +x left, +y back, +z head; mm. */
export interface SlicePlane {
  /** Centre of the first pixel. */
  readonly origin: Vector;
  /** Along a row, to the next column. */
  readonly row: Vector;
  /** Along a column, to the next row. */
  readonly column: Vector;
  readonly normal: Vector;
  readonly pixelMm: number;
  readonly matrix: number;
}

/**
 * The planes of a stack in spatial order: ascending projection on the normal (row × column), so the index is the
 * slice's position.
 *
 * A tilted gantry moves the patient along z, not along the normal: the planes are tilted and their centres share x and y.
 */
export function stackPlanes(stack: StackRecipe, center: Vector, matrix: number, fovMm: number): SlicePlane[] {
  const { row, column } = directions(stack);
  const normal = cross(row, column);
  const pixelMm = fovMm / matrix;
  const half = ((matrix - 1) / 2) * pixelMm;
  const offsets = Array.from({ length: stack.count }, (_, i) => stack.first + i * stack.spacing);
  const planes = offsets.map((offset): SlicePlane => {
    const middle: [number, number, number] = [...center];
    middle[stack.plane === 'axial' ? 2 : stack.plane === 'coronal' ? 1 : 0] = offset;
    const origin = [0, 1, 2].map((k) => middle[k]! - half * row[k]! - half * column[k]!);
    return { origin: [origin[0]!, origin[1]!, origin[2]!], row, column, normal, pixelMm, matrix };
  });
  return planes.sort((a, b) => dot(a.origin, normal) - dot(b.origin, normal));
}

/** Axial: back of the patient down, patient's left on the picture's right. Coronal and sagittal: head up. */
function directions(stack: StackRecipe): { row: Vector; column: Vector } {
  const angle = (stack.tiltDegrees * Math.PI) / 180;
  switch (stack.plane) {
    case 'axial':
      return { row: [1, 0, 0], column: [0, Math.cos(angle), Math.sin(angle)] };
    case 'coronal':
      return { row: [1, 0, 0], column: [0, Math.sin(angle), -Math.cos(angle)] };
    case 'sagittal':
      return { row: [0, 1, 0], column: [Math.sin(angle), 0, -Math.cos(angle)] };
  }
}

export function dot(a: Vector, b: Vector): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

export function cross(a: Vector, b: Vector): Vector {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}
