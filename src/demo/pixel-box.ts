import type { Shape } from './shape.js';
import { dot, type SlicePlane } from './stack-geometry.js';

/** Rows and columns from and to, both ends in. */
export interface PixelBox {
  readonly top: number;
  readonly bottom: number;
  readonly left: number;
  readonly right: number;
}

/**
 * The pixels that a shape can touch in a plane, or null when it lies off it.
 *
 * @param scale - body size, as in Texture
 * @param marginMm - how far an edge can reach beyond the shape
 */
export function pixelBox(shape: Shape, plane: SlicePlane, scale: number, marginMm: number): PixelBox | null {
  const across = extent(shape, plane.normal, plane, scale, marginMm);
  if (across.low > 0 || across.high < 0) return null;
  const along = extent(shape, plane.row, plane, scale, marginMm);
  const down = extent(shape, plane.column, plane, scale, marginMm);
  const last = plane.matrix - 1;
  const box = {
    left: Math.max(0, Math.floor(along.low / plane.pixelMm)),
    right: Math.min(last, Math.ceil(along.high / plane.pixelMm)),
    top: Math.max(0, Math.floor(down.low / plane.pixelMm)),
    bottom: Math.min(last, Math.ceil(down.high / plane.pixelMm)),
  };
  return box.left > box.right || box.top > box.bottom ? null : box;
}

/** From where to where the shape's box reaches along an axis of the plane, mm from its first pixel. */
function extent(
  shape: Shape,
  axis: readonly [number, number, number],
  plane: SlicePlane,
  scale: number,
  marginMm: number,
): { readonly low: number; readonly high: number } {
  const start = dot(plane.origin, axis);
  let low = -start;
  let high = -start;
  for (let k = 0; k < 3; k++) {
    const a = (shape.low[k]! - marginMm) * scale * axis[k]!;
    const b = (shape.high[k]! + marginMm) * scale * axis[k]!;
    low += Math.min(a, b);
    high += Math.max(a, b);
  }
  return { low, high };
}

/** The smallest box that holds all of them, or null when there are none. */
export function joinBoxes(boxes: readonly PixelBox[]): PixelBox | null {
  if (boxes.length === 0) return null;
  return {
    top: Math.min(...boxes.map((box) => box.top)),
    bottom: Math.max(...boxes.map((box) => box.bottom)),
    left: Math.min(...boxes.map((box) => box.left)),
    right: Math.max(...boxes.map((box) => box.right)),
  };
}

/** The part that two boxes share, or null. */
export function meetBoxes(a: PixelBox, b: PixelBox): PixelBox | null {
  const box = {
    top: Math.max(a.top, b.top),
    bottom: Math.min(a.bottom, b.bottom),
    left: Math.max(a.left, b.left),
    right: Math.min(a.right, b.right),
  };
  return box.left > box.right || box.top > box.bottom ? null : box;
}
