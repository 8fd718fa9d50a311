import { z } from 'zod';
import { letterSchema } from './item.js';
import { SCHEMA_VERSION } from './record.js';

/**
 * How one call ended. `ok`, `unknown-id` and `invalid-selection` (no image or more than three: the evidence fails) are
 * scored; the others fail all three scores in the headline and are counted in their own column.
 */
export const outcomes = [
  'ok',
  'unparsed',
  'invalid-selection',
  'unknown-id',
  'refused',
  'truncated',
  'blocked',
  'transport',
  'missing',
] as const;
export const outcomeSchema = z.enum(outcomes);
export type Outcome = z.infer<typeof outcomeSchema>;

export const conditions = ['real', 'blank', 'swapped', 'no-images', 'choices-only', 'no-question'] as const;
export const conditionSchema = z.enum(conditions);
export type Condition = z.infer<typeof conditionSchema>;

/** One reply of one model to one item (`responses.jsonl`). */
export const responseSchema = z.looseObject({
  schemaVersion: z.literal(SCHEMA_VERSION).default(SCHEMA_VERSION),
  itemId: z.string().min(1),
  model: z.string().min(1),
  /** null when the reply names none. Any other text is kept and is simply not the key. */
  answer: z.string().nullable(),
  evidence: z.array(z.string()),
  outcome: outcomeSchema,
  raw: z.unknown().optional(),
  usage: z.unknown().optional(),
  ms: z.number().optional(),
  epoch: z.number().int().optional(),
  /** What was shown; absent: `real`. */
  condition: conditionSchema.optional(),
  /** The images that the request held, in their order, under the ids that they were shown with. */
  sent: z
    .looseObject({
      count: z.number().int().nonnegative(),
      images: z.array(
        z.looseObject({
          id: z.string(),
          sha256: z.string(),
          width: z.number().int(),
          height: z.number().int(),
        }),
      ),
    })
    .optional(),
  /** The item's own letters in the order in which the choices were shown; `answer` is the item's own letter all the same. */
  choiceOrder: z.array(letterSchema).optional(),
  /** Version of the parser that read `raw`. */
  parser: z.string().optional(),
});
export type Response = z.infer<typeof responseSchema>;
