import type { RatingValue } from '../../domain/evidence.js';
import type { Blob } from './blobs.js';
import type { DeviationMaps } from './deviation.js';
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
 * Ratings of the candidate positions: how strong the strongest blob is that looks as the finding should and lies where
 * it should, against the strongest of all candidates.
 */
export function rate(
  blobs: readonly (readonly Blob[])[],
  maps: DeviationMaps,
  signature: Signature,
  candidates: readonly number[],
  settings: RateSettings,
): SliceRating[] {
  const box = bodyBox(maps);
  const strengths = candidates.map((position) =>
    (blobs[position] ?? []).reduce(
      (best, blob) => (fits(blob, position, signature, maps, box) ? Math.max(best, blob.strength) : best),
      0,
    ),
  );
  const top = Math.max(0, ...strengths);
  return candidates.map((position, i) => {
    const strength = Math.round(strengths[i]! * 1000) / 1000;
    const share = top >= settings.floor ? strengths[i]! / top : 0;
    const rating =
      share >= settings.direct ? 'direct' : share >= settings.possible ? 'possible' : 'unassessable';
    return { position, rating, strength };
  });
}

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
  if (signature.laterality === 'right' && blob.x > maps.midline) return false;
  if (signature.laterality === 'left' && blob.x < maps.midline) return false;
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
