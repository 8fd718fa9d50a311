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
  mosaic: z.boolean().optional(),
  /** Contrast phases of the series, by `phases`. */
  phases: z.array(z.string()).optional(),
  slicesBelow: z.number().int().positive().optional(),
  slicesAtLeast: z.number().int().positive().optional(),
  thicknessMmAtMost: z.number().positive().optional(),
  thicknessMmAbove: z.number().positive().optional(),
};
type Conditions = z.infer<z.ZodObject<typeof conditions>>;

/** `data/series-rules.yaml`. Strict: an unknown key is an error at load. */
export const seriesRulesSchema = z
  .strictObject({
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
    /** How a series tells which part of the body it shows. */
    regions: z.array(
      z.strictObject({
        region: z.string(),
        bodyParts: z.array(z.string()),
        words: regularExpression,
      }),
    ),
    /** Regions of findings that any series may show. */
    anyRegion: z.array(z.string()),
    /** How a description tells the contrast phase; the first that fits. */
    phases: z.array(z.strictObject({ phase: z.string(), words: regularExpression })),
    preferences: z.array(
      z.strictObject({
        id: z.string(),
        ...conditions,
        concepts: z.array(z.string()).optional(),
        conceptsNot: z.array(z.string()).optional(),
        /** The series says that it shows other parts of the body than the finding's. */
        otherRegion: z.literal(true).optional(),
        weight: z.number().default(0),
        exclude: z.boolean().default(false),
      }),
    ),
  })
  .superRefine(({ rules, preferences, phases }, context) => {
    const known = new Set(phases.map(({ phase }) => phase));
    const used = [...rules.map(({ when }) => when), ...preferences].flatMap((one) => one.phases ?? []);
    for (const phase of used) {
      if (!known.has(phase)) context.addIssue({ code: 'custom', message: `no phase is called ${phase}` });
    }
  });
export type SeriesRules = z.infer<typeof seriesRulesSchema>;

/** Taken or left, for one stack, with the rule that decided. A stack that no rule fits is left. */
export function judgeSeries(volume: CaseVolume, rules: SeriesRules): SeriesRecord {
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

/** The stacks that could show a finding, most suitable first, and those that are left out for it. */
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

/** Parts of the body that a series says it shows: by BodyPartExamined or the anatomic region, else by its description. */
export function regionsOf(volume: CaseVolume, { regions }: SeriesRules): string[] {
  const coded = [volume.bodyPartExamined, volume.anatomicRegion].flatMap((part) =>
    part === null ? [] : [part.trim().toUpperCase()],
  );
  const text = [volume.seriesDescription, volume.protocolName, volume.anatomicRegion].join(' ');
  return regions
    .filter(
      ({ bodyParts, words }) =>
        bodyParts.some((part) => coded.includes(part)) || new RegExp(words, 'iu').test(text),
    )
    .map(({ region }) => region);
}

/** Whether a series names parts of the body, and the finding's is not among them. */
function showsOtherRegion(volume: CaseVolume, region: string | null, rules: SeriesRules): boolean {
  if (region === null || rules.anyRegion.includes(region)) return false;
  const shown = regionsOf(volume, rules);
  return shown.length > 0 && !shown.includes(region) && !shown.some((one) => rules.anyRegion.includes(one));
}

/** The contrast phase that a series' description tells; null when it tells none. */
export function phaseOf(volume: CaseVolume, { phases }: SeriesRules): string | null {
  const text = describedBy(volume);
  return phases.find(({ words }) => new RegExp(words, 'iu').test(text))?.phase ?? null;
}

function describedBy(volume: CaseVolume): string {
  // The protocol stands for many series; it speaks only where the series does not.
  return `${volume.seriesDescription ?? volume.protocolName ?? ''} ${volume.convolutionKernel ?? ''}`;
}

function fits(volume: CaseVolume, when: Conditions, rules: SeriesRules): boolean {
  const thickness = volume.sliceThicknessMm;
  return (
    (when.modalities?.includes(volume.modality ?? '') ?? true) &&
    (when.sopClassUids?.includes(volume.sopClassUid ?? '') ?? true) &&
    (when.imageTypeHas?.some((type) => volume.imageType.includes(type)) ?? true) &&
    (when.descriptionMatches === undefined ||
      new RegExp(when.descriptionMatches, 'iu').test(describedBy(volume))) &&
    (when.planes?.includes(volume.plane) ?? true) &&
    (when.mosaic === undefined || when.mosaic === volume.isMosaic) &&
    (when.phases === undefined || when.phases.includes(phaseOf(volume, rules) ?? '')) &&
    (when.slicesBelow === undefined || volume.rows.length < when.slicesBelow) &&
    (when.slicesAtLeast === undefined || volume.rows.length >= when.slicesAtLeast) &&
    (when.thicknessMmAtMost === undefined || (thickness !== null && thickness <= when.thicknessMmAtMost)) &&
    (when.thicknessMmAbove === undefined || (thickness !== null && thickness > when.thicknessMmAbove))
  );
}
