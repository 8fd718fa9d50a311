import type { SeriesRecord } from '../domain/retrieve.js';
import type { Volume } from '../domain/volume.js';
import { fits, showsOtherRegion } from './series-conditions.js';
import type { SeriesRules } from './series-rules-schema.js';
import type { CaseVolume } from './volumes.js';

/**
 * Taken or left, for one stack, with the rule that decided. A stack that no rule fits is left.
 *
 * @param measured - how its slices lie, when that is known
 */
export function judgeSeries(volume: CaseVolume, rules: SeriesRules, measured?: Volume): SeriesRecord {
  const rule = rules.rules.find(({ when }) => fits(volume, when, rules));
  return {
    schemaVersion: 1,
    caseId: volume.caseId,
    volumeId: volume.volumeId,
    seriesInstanceUid: volume.seriesInstanceUid,
    modality: volume.modality,
    plane: volume.plane,
    slices: volume.rows.length,
    seriesDescription: volume.seriesDescription,
    taken: rule?.take ?? false,
    rule: rule?.id ?? 'none',
    reason: rule?.reason ?? 'no rule fits',
    ...(measured && { spacingMm: measured.spacingMm, warnings: [...measured.warnings] }),
  };
}

/** What a stack is looked for. */
export interface Wanted {
  readonly concept: string;
  /** Region of the finding; null when unknown. */
  readonly region: string | null;
}

/** A stack that could show the finding, or may not, and the preferences that say so. */
export interface RankedVolume {
  readonly volume: CaseVolume;
  readonly weight: number;
  readonly because: readonly string[];
}

/**
 * The stacks that could show a finding, most suitable first, and those that are left out for it. Equal weights: more
 * slices first, then the order given.
 */
export function rankVolumes(
  volumes: readonly CaseVolume[],
  wanted: Wanted,
  rules: SeriesRules,
): { readonly ranked: readonly RankedVolume[]; readonly left: readonly RankedVolume[] } {
  const ranked: (RankedVolume & { readonly order: number })[] = [];
  const left: RankedVolume[] = [];
  volumes.forEach((volume, order) => {
    const fitting = rules.preferences.filter(
      (preference) =>
        (preference.concepts?.includes(wanted.concept) ?? true) &&
        !(preference.conceptsNot?.includes(wanted.concept) ?? false) &&
        (preference.otherRegion === undefined || showsOtherRegion(volume, wanted.region, rules)) &&
        fits(volume, preference, rules),
    );
    const weight = fitting.reduce((sum, preference) => sum + preference.weight, 0);
    const excluding = fitting.filter(({ exclude }) => exclude);
    if (excluding.length > 0) left.push({ volume, weight, because: excluding.map(({ id }) => id) });
    else ranked.push({ volume, weight, because: fitting.map(({ id }) => id), order });
  });
  ranked.sort(
    (a, b) => b.weight - a.weight || b.volume.rows.length - a.volume.rows.length || a.order - b.order,
  );
  return { ranked, left };
}
