import { rng } from '../util/rng.js';

const SIZE = 32;
const MASK = SIZE - 1;
const TILE = 256;

/** Smooth noise in space: values at the points of a 32³ lattice that repeats, -1 to 1. */
export type NoiseField = Float32Array;

const fields = new Map<string, NoiseField>();

/** The field of some labels; drawn once a thread, since all series of a patient share it. */
export function noiseField(...labels: readonly (string | number)[]): NoiseField {
  const key = JSON.stringify(labels);
  const made = fields.get(key);
  if (made) return made;
  const source = rng(...labels);
  const field = new Float32Array(SIZE ** 3);
  for (let i = 0; i < field.length; i++) field[i] = source.next() * 2 - 1;
  fields.set(key, field);
  return field;
}

/** The field at a point given in lattice steps: smoothed trilinear interpolation, -1 to 1. */
export function noiseAt(field: NoiseField, x: number, y: number, z: number): number {
  const x0 = Math.floor(x);
  const y0 = Math.floor(y);
  const z0 = Math.floor(z);
  let fx = x - x0;
  let fy = y - y0;
  let fz = z - z0;
  fx = fx * fx * (3 - 2 * fx);
  fy = fy * fy * (3 - 2 * fy);
  fz = fz * fz * (3 - 2 * fz);
  const xa = x0 & MASK;
  const xb = (x0 + 1) & MASK;
  const ya = (y0 & MASK) * SIZE;
  const yb = ((y0 + 1) & MASK) * SIZE;
  const za = (z0 & MASK) * SIZE * SIZE;
  const zb = ((z0 + 1) & MASK) * SIZE * SIZE;
  const a = field[za + ya + xa]! + fx * (field[za + ya + xb]! - field[za + ya + xa]!);
  const b = field[za + yb + xa]! + fx * (field[za + yb + xb]! - field[za + yb + xa]!);
  const c = field[zb + ya + xa]! + fx * (field[zb + ya + xb]! - field[zb + ya + xa]!);
  const d = field[zb + yb + xa]! + fx * (field[zb + yb + xb]! - field[zb + yb + xa]!);
  const ab = a + fy * (b - a);
  return ab + fz * (c + fy * (d - c) - ab);
}

export type GrainKind = 'soft' | 'sharp';
const tiles = new Map<GrainKind, Float32Array>();

/**
 * A 256 × 256 tile of image noise that repeats, mean 0, standard deviation 1. `soft`: neighbours agree, as after a
 * smooth kernel; `sharp`: neighbours disagree, as after an edge-enhancing one. Drawn once a thread, the same everywhere.
 */
export function grainTile(kind: GrainKind): Float32Array {
  const made = tiles.get(kind);
  if (made) return made;
  const source = rng('phantom-grain');
  const white = new Float32Array(TILE * TILE);
  for (let i = 0; i < white.length; i++) white[i] = source.normal();
  const [center, side, corner] = kind === 'soft' ? [4, 2, 1] : [8, -0.6, -0.4];
  const at = (r: number, c: number): number => white[(r & (TILE - 1)) * TILE + (c & (TILE - 1))]!;
  const tile = new Float32Array(TILE * TILE);
  let squares = 0;
  for (let r = 0; r < TILE; r++) {
    for (let c = 0; c < TILE; c++) {
      const value =
        center * at(r, c) +
        side * (at(r - 1, c) + at(r + 1, c) + at(r, c - 1) + at(r, c + 1)) +
        corner * (at(r - 1, c - 1) + at(r - 1, c + 1) + at(r + 1, c - 1) + at(r + 1, c + 1));
      tile[r * TILE + c] = value;
      squares += value * value;
    }
  }
  const scale = 1 / Math.sqrt(squares / tile.length);
  for (let i = 0; i < tile.length; i++) tile[i]! *= scale;
  tiles.set(kind, tile);
  return tile;
}

/** The tile's value at a row and column shifted by an offset; repeats every 256. */
export function grainAt(tile: Float32Array, row: number, column: number): number {
  return tile[(row & (TILE - 1)) * TILE + (column & (TILE - 1))]!;
}
