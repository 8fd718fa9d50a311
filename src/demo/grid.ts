import { noiseAt, type NoiseField } from './noise.js';
import type { SlicePlane } from './stack-geometry.js';

/** What makes one patient's body his own. */
export interface Texture {
  readonly a: NoiseField;
  readonly b: NoiseField;
  /** Body size: 1 is the atlas. */
  readonly scale: number;
}

/** Anatomical coordinates of each pixel: the patient's size and slight irregularity taken out. Row-major, mm. */
export interface Grid {
  readonly plane: SlicePlane;
  readonly x: Float32Array;
  readonly y: Float32Array;
  readonly z: Float32Array;
}

/** Largest shift of a boundary by the patient's irregularity, mm. */
export const WARP_MM = 2.5;
const WARP_SCALE_MM = 45;
/** The shift is so smooth that every eighth pixel tells it. */
const KNOT = 8;

export function gridOf(plane: SlicePlane, texture: Texture): Grid {
  const n = plane.matrix;
  const grid = { plane, x: new Float32Array(n * n), y: new Float32Array(n * n), z: new Float32Array(n * n) };
  const step = plane.pixelMm / texture.scale;
  const [ox, oy, oz] = plane.origin.map((v) => v / texture.scale) as [number, number, number];
  const [rx, ry, rz] = plane.row.map((v) => v * step) as [number, number, number];
  const [cx, cy, cz] = plane.column.map((v) => v * step) as [number, number, number];
  const knots = Math.ceil(n / KNOT) + 1;
  const shiftX = new Float32Array(knots * knots);
  const shiftY = new Float32Array(knots * knots);
  for (let r = 0; r < knots; r++) {
    for (let c = 0; c < knots; c++) {
      const x = (ox + KNOT * (c * rx + r * cx)) / WARP_SCALE_MM;
      const y = (oy + KNOT * (c * ry + r * cy)) / WARP_SCALE_MM;
      const z = (oz + KNOT * (c * rz + r * cz)) / WARP_SCALE_MM;
      shiftX[r * knots + c] = WARP_MM * noiseAt(texture.a, x, y, z);
      shiftY[r * knots + c] = WARP_MM * noiseAt(texture.b, x, y, z);
    }
  }
  for (let r = 0; r < n; r++) {
    const fr = (r % KNOT) / KNOT;
    for (let c = 0; c < n; c++) {
      const i = r * n + c;
      const fc = (c % KNOT) / KNOT;
      const k = Math.floor(r / KNOT) * knots + Math.floor(c / KNOT);
      grid.x[i] = ox + c * rx + r * cx + between(shiftX, k, knots, fr, fc);
      grid.y[i] = oy + c * ry + r * cy + between(shiftY, k, knots, fr, fc);
      grid.z[i] = oz + c * rz + r * cz;
    }
  }
  return grid;
}

/** Bilinear between a knot and the next ones. */
function between(values: Float32Array, k: number, knots: number, fr: number, fc: number): number {
  const top = values[k]! + fc * (values[k + 1]! - values[k]!);
  const bottom = values[k + knots]! + fc * (values[k + knots + 1]! - values[k + knots]!);
  return top + fr * (bottom - top);
}
