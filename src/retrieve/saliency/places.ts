import type { Blob } from './blobs.js';

/** Blobs of one sign at one spot in neighbouring slices. */
export interface Place {
  readonly sign: 1 | -1;
  /** By position, one a slice. */
  readonly slices: readonly { readonly position: number; readonly strength: number }[];
  /** Strength of its strongest slice. */
  readonly peak: number;
  /** Strength of its three strongest slices together. */
  readonly total: number;
}

/** Grid pixels within which blobs of neighbouring slices are one place. */
const JOIN_DISTANCE = 8;
/** Slices from one blob of a place to the next, at most. */
const JOIN_STEP = 2;
/** Blobs of one slice that are looked at. */
const BLOBS_A_SLICE = 12;

/** The places that the blobs of a stack make, strongest first. */
export function joinPlaces(blobs: readonly (readonly Blob[])[]): Place[] {
  const open: { x: number; y: number; sign: 1 | -1; slices: { position: number; strength: number }[] }[] = [];
  blobs.forEach((slice, position) => {
    for (const { x, y, sign, strength } of slice.slice(0, BLOBS_A_SLICE)) {
      const place = open.find(
        (other) =>
          other.sign === sign &&
          position > other.slices.at(-1)!.position &&
          position - other.slices.at(-1)!.position <= JOIN_STEP &&
          Math.hypot(other.x - x, other.y - y) <= JOIN_DISTANCE,
      );
      if (place === undefined) open.push({ x, y, sign, slices: [{ position, strength }] });
      else {
        place.slices.push({ position, strength });
        place.x = x;
        place.y = y;
      }
    }
  });
  return open
    .map(({ sign, slices }): Place => {
      const strengths = slices.map(({ strength }) => strength).sort((a, b) => b - a);
      const total = strengths.slice(0, 3).reduce((sum, strength) => sum + strength, 0);
      return { sign, slices, peak: strengths[0]!, total };
    })
    .sort((a, b) => b.total - a.total || a.slices[0]!.position - b.slices[0]!.position);
}
