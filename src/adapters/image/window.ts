import { z } from 'zod';
import { isRegularExpression } from '../../util/text.js';

const base = {
  id: z.string().min(1),
  modality: z.string().optional(),
  regions: z.array(z.string()).optional(),
  concepts: z.array(z.string()).optional(),
  /** Regular expression on the series description and the convolution kernel, case ignored. */
  descriptionMatches: z
    .string()
    .refine((text) => isRegularExpression(text), 'not a regular expression')
    .optional(),
};

/** `data/windows.yaml`: ordered rules, the first that fits is used. */
export const windowRulesSchema = z.strictObject({
  rules: z
    .array(
      z.union([
        z.strictObject({ ...base, center: z.number(), width: z.number().positive() }),
        z.strictObject({
          ...base,
          percentiles: z.tuple([z.number().min(0).max(100), z.number().min(0).max(100)]),
        }),
      ]),
    )
    .min(1),
});
export type WindowRules = z.infer<typeof windowRulesSchema>;

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
    return 'center' in rule ? { center: rule.center, width: rule.width } : { percentiles: rule.percentiles };
  }
  return { percentiles: [0.5, 99.5] };
}

/**
 * The window that spans two percentiles of the values above the lowest tenth of their range (background left out).
 *
 * @param values - modality values of every slice rendered together
 */
export function percentileWindow(
  values: Float32Array,
  [low, high]: readonly [number, number],
): { readonly center: number; readonly width: number } {
  let min = Infinity;
  let max = -Infinity;
  for (const value of values) {
    if (value < min) min = value;
    if (value > max) max = value;
  }
  if (!(max > min)) return { center: Number.isFinite(min) ? min : 0, width: 1 };
  const floor = min + 0.02 * (max - min);
  const kept = values.filter((value) => value > floor).sort();
  if (kept.length === 0) return { center: (min + max) / 2, width: max - min };
  const at = (percent: number): number =>
    kept[Math.min(kept.length - 1, Math.floor((percent / 100) * kept.length))]!;
  const lower = Math.min(at(low), floor);
  const upper = at(high);
  return { center: (lower + upper) / 2, width: Math.max(upper - lower, 1e-6) };
}
