import { z } from 'zod';
import type { SeriesRecord } from '../domain/retrieve.js';
import { isRegularExpression } from '../util/text.js';
import type { CaseVolume } from './volumes.js';

const planes = z.array(z.enum(['axial', 'coronal', 'sagittal', 'oblique']));
const regularExpression = z.string().refine(isRegularExpression, 'not a regular expression');

const conditions = {
  modalities: z.array(z.string()).optional(),
  sopClassUids: z.array(z.string()).optional(),
  imageTypeHas: z.array(z.string()).optional(),
  descriptionMatches: regularExpression.optional(),
  planes: planes.optional(),
  slicesBelow: z.number().int().positive().optional(),
  slicesAtLeast: z.number().int().positive().optional(),
};
type Conditions = z.infer<z.ZodObject<typeof conditions>>;

/** `data/series-rules.yaml`. Strict: an unknown key is an error at load. */
export const seriesRulesSchema = z.strictObject({
  rules: z
    .array(
      z.strictObject({
        id: z.string(),
        when: z.strictObject(conditions),
        take: z.boolean(),
        reason: z.string(),
      }),
    )
    .min(1),
  preferences: z.array(
    z.strictObject({
      id: z.string(),
      ...conditions,
      concepts: z.array(z.string()).optional(),
      conceptsNot: z.array(z.string()).optional(),
      weight: z.number().default(0),
      exclude: z.boolean().default(false),
    }),
  ),
});
export type SeriesRules = z.infer<typeof seriesRulesSchema>;

/** Taken or left, for one stack, with the rule that decided. A stack that no rule fits is left. */
export function judgeSeries(volume: CaseVolume, { rules }: SeriesRules): SeriesRecord {
  const rule = rules.find(({ when }) => fits(volume, when));
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
  };
}

/** The stacks that could show a concept, most suitable first. */
export function rankVolumes(
  volumes: readonly CaseVolume[],
  concept: string,
  { preferences }: SeriesRules,
): CaseVolume[] {
  const ranked: { volume: CaseVolume; weight: number; order: number }[] = [];
  volumes.forEach((volume, order) => {
    const fitting = preferences.filter(
      (preference) =>
        (preference.concepts?.includes(concept) ?? true) &&
        !(preference.conceptsNot?.includes(concept) ?? false) &&
        fits(volume, preference),
    );
    if (fitting.some(({ exclude }) => exclude)) return;
    ranked.push({ volume, weight: fitting.reduce((sum, { weight }) => sum + weight, 0), order });
  });
  ranked.sort(
    (a, b) => b.weight - a.weight || b.volume.rows.length - a.volume.rows.length || a.order - b.order,
  );
  return ranked.map(({ volume }) => volume);
}

function fits(volume: CaseVolume, when: Conditions): boolean {
  const described = `${volume.seriesDescription ?? ''} ${volume.convolutionKernel ?? ''}`;
  return (
    (when.modalities?.includes(volume.modality ?? '') ?? true) &&
    (when.sopClassUids?.includes(volume.sopClassUid ?? '') ?? true) &&
    (when.imageTypeHas?.some((type) => volume.imageType.includes(type)) ?? true) &&
    (when.descriptionMatches === undefined || new RegExp(when.descriptionMatches, 'iu').test(described)) &&
    (when.planes?.includes(volume.plane) ?? true) &&
    (when.slicesBelow === undefined || volume.rows.length < when.slicesBelow) &&
    (when.slicesAtLeast === undefined || volume.rows.length >= when.slicesAtLeast)
  );
}
