import { z } from 'zod';
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
});
export type Response = z.infer<typeof responseSchema>;

export const conditions = ['real', 'blank', 'swapped', 'no-images', 'choices-only', 'no-question'] as const;
export const conditionSchema = z.enum(conditions);
export type Condition = z.infer<typeof conditionSchema>;
