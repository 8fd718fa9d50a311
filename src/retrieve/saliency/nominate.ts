import type { Blob } from './blobs.js';

export interface SaliencyPick {
  readonly position: number;
  readonly description: string;
  /** 0 to 1, against the strongest place of the stack. */
  readonly confidence: number;
}

export interface NominateSettings {
  /** Distinct places that are named. */
  readonly places: number;
  /** Slices named for one place. */
  readonly slicesPerPlace: number;
}

interface Place {
  readonly x: number;
  readonly y: number;
  readonly sign: 1 | -1;
  total: number;
  slices: { position: number; strength: number }[];
}

/** Grid pixels within which blobs of neighbouring slices are one place. */
const JOIN_DISTANCE = 9;
/** Slices that may lie between two blobs of one place. */
const JOIN_GAP = 2;

/** The slices at which the most conspicuous places of a stack are at their strongest. */
export function nominate(blobs: readonly (readonly Blob[])[], settings: NominateSettings): SaliencyPick[] {
  const places = joinPlaces(blobs);
  places.sort((a, b) => b.total - a.total || a.slices[0]!.position - b.slices[0]!.position || a.x - b.x);
  const best = places[0]?.total ?? 0;
  const picks = new Map<number, SaliencyPick>();
  for (const place of places.slice(0, settings.places)) {
    const strongest = [...place.slices].sort((a, b) => b.strength - a.strength || a.position - b.position);
    for (const { position } of strongest.slice(0, settings.slicesPerPlace)) {
      const confidence = Math.round((place.total / best) * 1000) / 1000;
      const known = picks.get(position);
      if (known !== undefined && known.confidence >= confidence) continue;
      picks.set(position, { position, confidence, description: describe(place) });
    }
  }
  return [...picks.values()].sort((a, b) => a.position - b.position);
}

function joinPlaces(blobs: readonly (readonly Blob[])[]): Place[] {
  const places: Place[] = [];
  blobs.forEach((slice, position) => {
    for (const blob of slice.slice(0, 12)) {
      const place = places.find(
        ({ x, y, sign, slices }) =>
          sign === blob.sign &&
          position - slices.at(-1)!.position <= JOIN_GAP &&
          position !== slices.at(-1)!.position &&
          Math.hypot(x - blob.x, y - blob.y) <= JOIN_DISTANCE,
      );
      if (place === undefined) {
        places.push({
          x: blob.x,
          y: blob.y,
          sign: blob.sign,
          total: blob.strength,
          slices: [{ position, strength: blob.strength }],
        });
      } else {
        place.slices.push({ position, strength: blob.strength });
        place.total = Math.max(place.total, blob.strength);
      }
    }
  });
  return places;
}

function describe({ sign }: Place): string {
  return sign > 0 ? 'place brighter than its surroundings' : 'place darker than its surroundings';
}
