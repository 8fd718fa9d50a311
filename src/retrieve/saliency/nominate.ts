import type { Blob } from './blobs.js';
import { joinPlaces, type Place } from './places.js';

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

/** The slices at which the most conspicuous places of a stack are at their strongest. */
export function nominate(blobs: readonly (readonly Blob[])[], settings: NominateSettings): SaliencyPick[] {
  const places = joinPlaces(blobs);
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

function describe({ sign }: Place): string {
  return sign > 0 ? 'place brighter than its surroundings' : 'place darker than its surroundings';
}
