import { z } from 'zod';
import {
  above,
  flatWindow,
  valueAtRank,
  windowBetween,
  type ValueDistribution,
  type Window,
} from '../dicom/index.js';
import { isRegularExpression } from '../../util/text.js';

const percent = z.number().min(0).max(100);

/** A rule's window: `center` and `width`, or `percentiles`. Not a union, so that an error names the wrong key. */
const windowRuleSchema = z
  .strictObject({
    id: z.string().min(1),
    modality: z.string().optional(),
    regions: z.array(z.string()).optional(),
    concepts: z.array(z.string()).optional(),
    /** Regular expression on the series description and the convolution kernel, case ignored. */
    descriptionMatches: z
      .string()
      .refine((text) => isRegularExpression(text), 'not a regular expression')
      .optional(),
    center: z.number().optional(),
    width: z.number().min(1).optional(),
    percentiles: z
      .tuple([percent, percent])
      .refine(([low, high]) => low < high, 'the first percentile is not below the second')
      .optional(),
  })
  .refine(
    ({ center, width, percentiles }) =>
      (center === undefined) === (width === undefined) &&
      (center === undefined) === (percentiles !== undefined),
    'a rule has either center and width, or percentiles',
  );

/** A named window for `inspect --window NAME`. */
const windowPresetSchema = z.strictObject({
  name: z.string().regex(/^[a-z][a-z0-9-]*$/u, 'not lower-case words joined by hyphens'),
  modality: z.string(),
  /** Values of BodyPartExamined; without them the preset is for every part. */
  bodyParts: z.array(z.string()).min(1).optional(),
  center: z.number(),
  width: z.number().min(1),
});

/** `data/windows.yaml`: ordered rules and presets, the first that fits is used. */
export const windowRulesSchema = z.strictObject({
  rules: z.array(windowRuleSchema).min(1),
  presets: z.array(windowPresetSchema),
});
export type WindowRules = z.infer<typeof windowRulesSchema>;
export type WindowPreset = z.infer<typeof windowPresetSchema>;

/** A fixed window in modality units, or percentiles of the slices rendered together. */
export type WindowChoice =
  { readonly center: number; readonly width: number } | { readonly percentiles: readonly [number, number] };

/** What a window is chosen by. */
export interface ShownSeries {
  readonly modality: string | null;
  readonly region: string | null;
  readonly concept: string | null;
  /** Series description and kernel. */
  readonly description: string;
}

/** The display window of the first rule that fits. */
export function pickWindow(rules: WindowRules, shown: ShownSeries): WindowChoice {
  for (const rule of rules.rules) {
    if (rule.modality !== undefined && rule.modality !== shown.modality) continue;
    if (rule.regions && !rule.regions.includes(shown.region ?? '')) continue;
    if (rule.concepts && !rule.concepts.includes(shown.concept ?? 'none')) continue;
    if (rule.descriptionMatches && !new RegExp(rule.descriptionMatches, 'iu').test(shown.description))
      continue;
    const { center, width, percentiles } = rule;
    if (percentiles !== undefined) return { percentiles };
    if (center !== undefined && width !== undefined) return { center, width };
  }
  return { percentiles: [0.5, 99.5] };
}

/** The preset of a name for a modality and body part; null when there is none. */
export function presetOf(
  presets: readonly WindowPreset[],
  name: string,
  shown: { readonly modality: string | null; readonly bodyPart: string | null },
): WindowPreset | null {
  const bodyPart = shown.bodyPart?.trim().toUpperCase() ?? '';
  const fits = presets.filter((preset) => preset.name === name && preset.modality === shown.modality);
  return fits.find(({ bodyParts }) => bodyParts === undefined || bodyParts.includes(bodyPart)) ?? null;
}

/**
 * The window that spans two percentiles of the values above the lowest fiftieth of their range (background left out).
 *
 * @param distribution - modality values of every slice rendered together
 */
export function percentileWindow(
  distribution: ValueDistribution,
  [low, high]: readonly [number, number],
): Window {
  const { values } = distribution;
  const min = values[0];
  const max = values.at(-1);
  if (min === undefined || max === undefined) return flatWindow(0);
  if (!(max > min)) return flatWindow(min);
  const floor = min + 0.02 * (max - min);
  const kept = above(distribution, floor);
  const at = (percent: number): number =>
    valueAtRank(kept, Math.min(kept.total - 1, Math.floor((percent / 100) * kept.total)))!;
  const lower = Math.min(at(low), floor);
  return windowBetween(lower, Math.max(at(high), lower + 1e-6));
}
