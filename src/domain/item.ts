import { z } from 'zod';
import { record, sha256Hex } from './record.js';

export const LETTERS = ['A', 'B', 'C', 'D', 'E'] as const;
export const letterSchema = z.enum(LETTERS);
export type Letter = z.infer<typeof letterSchema>;

export const splits = ['dev', 'validation', 'test'] as const;
export const splitSchema = z.enum(splits);
export type Split = z.infer<typeof splitSchema>;

/** Images of one item. PROTOCOL.md §1. */
export const IMAGES_MIN = 7;
export const IMAGES_MAX = 12;

/** Ids say nothing: `img01` … `img12`, given after a seeded shuffle. */
export const imageIdSchema = z.string().regex(/^img(0[1-9]|1[0-2])$/, 'expected img01 … img12');

/** What a model sees (`items.jsonl`, public). */
export const itemSchema = record({
  id: z.string().min(1),
  question: z.string().min(1),
  choices: z.array(z.looseObject({ letter: letterSchema, text: z.string().min(1) })).length(5),
  images: z
    .array(
      z.looseObject({
        id: imageIdSchema,
        /** Relative to the folder of items.jsonl. */
        file: z.string().min(1),
        sha256: sha256Hex,
        width: z.number().int().positive(),
        height: z.number().int().positive(),
      }),
    )
    .min(IMAGES_MIN)
    .max(IMAGES_MAX),
  split: splitSchema,
});
export type Item = z.infer<typeof itemSchema>;

export const roleSchema = z.enum(['reference', 'comparison']);
export type Role = z.infer<typeof roleSchema>;

/** One shown image as the key knows it: where it lies and whether it is evidence. */
export const keyImageSchema = z.looseObject({
  id: z.string().min(1),
  series: z.string(),
  position: z.number().int(),
  role: roleSchema,
});
export type KeyImage = z.infer<typeof keyImageSchema>;

/** What a model does not see (`key.jsonl`, private). `series` and `caseGroup` are opaque. */
export const keyEntrySchema = record({
  id: z.string().min(1),
  answer: letterSchema,
  images: z.array(keyImageSchema).min(1),
  caseGroup: z.string(),
  strata: z.record(z.string(), z.string()),
});
export type KeyEntry = z.infer<typeof keyEntrySchema>;

/** `mcq/splits.json`: which case groups and items lie in which split. Private: it names cases. */
export const splitsFileSchema = record({
  mode: z.enum(['balanced', 'hash']),
  ratios: z.record(splitSchema, z.number()),
  groups: z.array(
    z.looseObject({
      patientId: z.string(),
      caseIds: z.array(z.string()),
      split: splitSchema,
      items: z.number().int(),
    }),
  ),
  counts: z.record(splitSchema, z.number().int()),
});
export type SplitsFile = z.infer<typeof splitsFileSchema>;
