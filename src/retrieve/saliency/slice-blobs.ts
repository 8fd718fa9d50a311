import { findBlobs, type Blob, type BlobThresholds } from './blobs.js';
import { smallerAlike, type DeviationMaps } from './deviation.js';

/**
 * What counts as standing out, besides differing from the slices above and below: `compact` differs from its
 * surroundings in the slice, `one-sided` from the mirrored place, `either` from one of the two. `mirror` asks for the
 * mirrored place alone: what fills a hollow of one side may look like what lies above and below.
 */
export type Cue = 'compact' | 'one-sided' | 'either' | 'mirror';

export interface BlobSettings extends BlobThresholds {
  readonly cue: Cue;
}

/** A compact place whose mirror image looks alike is most likely anatomy: it counts by this share. */
const PAIRED_SHARE = 0.35;

/** The blobs of every slice of a stack, by position. */
export function sliceBlobs(maps: DeviationMaps, settings: BlobSettings): Blob[][] {
  return maps.along.map((along, z) =>
    findBlobs(
      cueMap(along, maps.around[z]!, maps.mirror[z]!, settings.cue),
      maps.values[z]!,
      maps.body[z]!,
      maps.width,
      settings,
    ),
  );
}

function cueMap(along: Float32Array, around: Float32Array, mirror: Float32Array, cue: Cue): Float32Array {
  if (cue === 'mirror') return mirror;
  const out = new Float32Array(along.length);
  for (let i = 0; i < out.length; i++) {
    const deep = along[i]!;
    if (deep === 0) continue;
    const oneSided = smallerAlike(deep, mirror[i]!);
    const compact = smallerAlike(deep, around[i]!);
    const counted =
      smallerAlike(compact, mirror[i]!) === 0 ? PAIRED_SHARE * compact : pairedOr(compact, mirror[i]!);
    if (cue === 'one-sided') out[i] = oneSided;
    else if (cue === 'compact') out[i] = counted;
    else out[i] = Math.abs(oneSided) > Math.abs(counted) ? oneSided : counted;
  }
  return out;
}

function pairedOr(compact: number, mirror: number): number {
  const floor = PAIRED_SHARE * compact;
  const limited = smallerAlike(compact, mirror);
  return Math.abs(limited) > Math.abs(floor) ? limited : floor;
}
