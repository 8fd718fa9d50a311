import type { RatingValue } from '../../domain/evidence.js';
import type { Blob } from './blobs.js';
import type { DeviationMaps } from './deviation.js';
import { joinPlaces } from './places.js';
import type { Signature } from './signature.js';

export interface RateSettings {
  /** Share of the strongest candidate from which a slice is `direct`. */
  readonly direct: number;
  /** Share of the strongest candidate from which a slice is `possible`. */
  readonly possible: number;
  /** Strength below which nothing is called evidence. */
  readonly floor: number;
}

export interface SliceRating {
  readonly position: number;
  readonly rating: RatingValue;
  readonly strength: number;
}

/**
 * Ratings of the candidate positions. Of the blobs that look and lie as the finding should, those of neighbouring
 * slices at one spot make a place; the strongest place that a candidate shows is taken for the finding, and a
 * candidate is rated by its blob's strength there against the strongest of the place.
 */
export function rate(
  blobs: readonly (readonly Blob[])[],
  maps: DeviationMaps,
  signature: Signature,
  candidates: readonly number[],
  settings: RateSettings,
): SliceRating[] {
  const box = bodyBox(maps);
  const fitting = blobs.map((slice, position) =>
    slice.filter((blob) => fits(blob, position, signature, maps, box)),
  );
  const place = joinPlaces(fitting).find(({ slices }) =>
    slices.some(({ position }) => candidates.includes(position)),
  );
  const found = place !== undefined && place.peak >= settings.floor ? place : null;
  return candidates.map((position) => {
    const strength = found?.slices.find((slice) => slice.position === position)?.strength ?? 0;
    const share = found === null ? 0 : strength / found.peak;
    const rating =
      share >= settings.direct ? 'direct' : share >= settings.possible ? 'possible' : 'unassessable';
    return { position, rating, strength: Math.round(strength * 1000) / 1000 };
  });
}

/** A finding of one side keeps this many grid pixels from the midline: the falx and the spine are of neither side. */
const MIDLINE_PIXELS = 2;

interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

function fits(blob: Blob, position: number, signature: Signature, maps: DeviationMaps, box: Box): boolean {
  if (signature.sign === 'bright' && blob.sign < 0) return false;
  if (signature.sign === 'dark' && blob.sign > 0) return false;
  // Display orientation: the patient's right is on the left side of the picture.
  if (signature.laterality === 'right' && blob.x > maps.midline - MIDLINE_PIXELS) return false;
  if (signature.laterality === 'left' && blob.x < maps.midline + MIDLINE_PIXELS) return false;
  if (signature.hu !== null && !within(blob.value, signature.hu)) return false;
  if (signature.ringHu !== null && !within(blob.ring, signature.ringHu)) return false;
  const fromRight = (blob.x - box.left) / Math.max(1, box.right - box.left);
  const x = signature.laterality === 'left' ? 1 - fromRight : fromRight;
  const y = (blob.y - box.top) / Math.max(1, box.bottom - box.top);
  const z = position / Math.max(1, maps.along.length - 1);
  const inX = within(x, signature.x) || (signature.laterality === 'bilateral' && within(1 - x, signature.x));
  return inX && within(y, signature.y) && within(z, signature.z);
}

function within(value: number, range: readonly [number, number] | null): boolean {
  return range === null || (value >= range[0] && value <= range[1]);
}

/** The box around the body over the whole stack, grid pixels. */
function bodyBox({ body, width }: DeviationMaps): Box {
  const box = { left: Infinity, right: -Infinity, top: Infinity, bottom: -Infinity };
  for (const slice of body) {
    for (let i = 0; i < slice.length; i++) {
      if (slice[i] === 0) continue;
      const x = i % width;
      const y = (i - x) / width;
      box.left = Math.min(box.left, x);
      box.right = Math.max(box.right, x);
      box.top = Math.min(box.top, y);
      box.bottom = Math.max(box.bottom, y);
    }
  }
  return box;
}
