import { z } from 'zod';
import { letterSchema, type Letter } from '../domain/item.js';
import { record, SCHEMA_VERSION } from '../domain/record.js';
import { axisKindSchema } from './axis.js';
import { checkNames } from './check-set.js';
import type { Prepared } from './prepare-items.js';

const setSchema = z.looseObject({
  axisId: z.string(),
  axis: axisKindSchema,
  fallback: z.boolean(),
  stem: z.string(),
  choices: z.array(z.looseObject({ valueId: z.string(), text: z.string() })),
  /** Index of the choice that the report supports. */
  supported: z.number().int(),
  failures: z.array(z.looseObject({ check: z.enum(checkNames), choice: z.number().int().nullable() })),
  validation: z.looseObject({ validator: z.string(), supported: z.array(z.string()), ok: z.boolean() }),
  /** Empty for a set that failed before the gates. */
  trials: z.array(
    z.looseObject({
      gate: z.string(),
      shuffle: z.number().int(),
      picked: z.number().int(),
      right: z.boolean(),
    }),
  ),
  accepted: z.boolean(),
});
export type ContrastSet = z.infer<typeof setSchema>;

/** Everything that was tried for one target (`mcq/contrast-sets.jsonl`). Private. */
export const contrastSetRecordSchema = record({
  targetId: z.string(),
  caseId: z.string(),
  /** null when the target gave no item; `dropped` says why. */
  itemId: z.string().nullable(),
  dropped: z.string().nullable(),
  generator: z.string(),
  /** Axes made for the finding's concept, and why one could not be used. */
  axes: z.array(z.looseObject({ axisId: z.string(), unusable: z.string().nullable() })),
  sets: z.array(setSchema),
  /** Index into `sets`. */
  selected: z.number().int().nullable(),
  fallback: z.boolean(),
  answer: letterSchema.nullable(),
});
export type ContrastSetRecord = z.infer<typeof contrastSetRecordSchema>;

/**
 * What was tried for one target.
 *
 * @param selected - index of the set in use; null for a dropped target
 */
export function contrastSetRecord(
  { target, itemId, built, dropped }: Prepared,
  generator: string,
  selected: number | null,
  letters: ReadonlyMap<string, Letter>,
): ContrastSetRecord {
  return {
    schemaVersion: SCHEMA_VERSION,
    targetId: target.targetId,
    caseId: target.caseId,
    itemId: dropped === null ? itemId : null,
    dropped,
    generator,
    axes: built.axes.map((axis) => ({ ...axis })),
    sets: [...built.sets],
    selected,
    fallback: selected !== null && built.sets[selected]!.fallback,
    answer: letters.get(itemId) ?? null,
  };
}
