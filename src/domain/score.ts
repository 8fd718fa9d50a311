import { z } from 'zod';
import { record } from './record.js';
import { outcomeSchema } from './response.js';

/** The three scores of PROTOCOL.md §2. */
export const metrics = ['answer', 'evidence', 'joint'] as const;
export const metricSchema = z.enum(metrics);
export type Metric = z.infer<typeof metricSchema>;

const interval = z.tuple([z.number(), z.number()]);

/** A share of items that passed, 0–1. All fields are null when there is no item: a missing score is never 0. */
export const rateSchema = z.looseObject({
  rate: z.number().min(0).max(1).nullable(),
  /** Wilson, items taken as independent. */
  ci95: interval.nullable(),
});
export type Rate = z.infer<typeof rateSchema>;

/** A headline rate also says how far items of one case go together. null with fewer than two cases. */
export const clusteredRateSchema = rateSchema.extend({
  /** Standard error clustered by case. arXiv:2411.00640 app. A. */
  clusteredSe: z.number().nullable(),
  /** Percentile bootstrap over whole cases, seeded. */
  bootstrap95: interval.nullable(),
});
export type ClusteredRate = z.infer<typeof clusteredRateSchema>;

const threeRates = { answer: rateSchema, evidence: rateSchema, joint: rateSchema };
export const slicedRatesSchema = z.looseObject({ n: z.number().int(), ...threeRates });
export type SlicedRates = z.infer<typeof slicedRatesSchema>;

/** Which of the two scores passed; the four add up to n (fractions when epochs were averaged). */
export const cellsSchema = z.looseObject({
  both: z.number(),
  answerOnly: z.number(),
  evidenceOnly: z.number(),
  neither: z.number(),
});
export type Cells = z.infer<typeof cellsSchema>;

export const modelScoreSchema = z.looseObject({
  model: z.string(),
  /** Items of the key: the denominator of every headline rate. */
  n: z.number().int(),
  /** Replies expected of each item. */
  epochs: z.number().int(),
  answer: clusteredRateSchema,
  evidence: clusteredRateSchema,
  joint: clusteredRateSchema,
  /** Replies that can be scored; n counts replies, not items. */
  answeredOnly: slicedRatesSchema,
  cells: cellsSchema,
  /** Replies by outcome, every outcome named. */
  outcomes: z.record(outcomeSchema, z.number().int()),
  /** Stratum name -> value -> rates. */
  byStratum: z.record(z.string(), z.record(z.string(), slicedRatesSchema)),
});
export type ModelScore = z.infer<typeof modelScoreSchema>;

/** Exact pass rates of a guesser who picks 1, 2 or 3 images at random; `best` is the largest of the three. */
export const pickChanceSchema = z.looseObject({
  pick1: z.number(),
  pick2: z.number(),
  pick3: z.number(),
  best: z.number(),
});
export type PickChance = z.infer<typeof pickChanceSchema>;

/** Central exact intervals of the number of items that the `baseline/random` guesser passes. */
export const guesserIntervalSchema = z.looseObject({
  expected: z.number(),
  passes95: interval,
  passes99: interval,
});
export type GuesserInterval = z.infer<typeof guesserIntervalSchema>;

export const chanceSchema = z.looseObject({
  answer: z.number(),
  evidence: pickChanceSchema,
  joint: pickChanceSchema,
  randomInterval: z.looseObject({
    answer: guesserIntervalSchema,
    evidence: guesserIntervalSchema,
    joint: guesserIntervalSchema,
  }),
});
export type Chance = z.infer<typeof chanceSchema>;

/** Two models on the same items: mean of a − b, clustered by case. null with fewer than two cases. */
export const pairSchema = z.looseObject({
  a: z.string(),
  b: z.string(),
  metric: metricSchema,
  difference: z.number(),
  ci95: interval.nullable(),
  clusteredSe: z.number().nullable(),
  p: z.number().nullable(),
  /** Holm over the pairs of this metric. */
  pHolm: z.number().nullable(),
});
export type Pair = z.infer<typeof pairSchema>;

/** One reply (or its absence) scored. Private: with the reply it narrows the key down. */
export const itemScoreSchema = z.looseObject({
  id: z.string(),
  model: z.string(),
  epoch: z.number().int().optional(),
  answer: z.boolean(),
  evidence: z.boolean(),
  joint: z.boolean(),
  hits: z.number().int(),
  needed: z.number().int(),
  /** Distinct ids named, trimmed and lower-cased, in the reply's order. */
  selected: z.array(z.string()),
  outcome: outcomeSchema,
});
export type ItemScore = z.infer<typeof itemScoreSchema>;

/** A response that no score could use. */
export const ignoredResponseSchema = z.looseObject({
  itemId: z.string(),
  model: z.string(),
  reason: z.enum(['unknown-item']),
});
export type IgnoredResponse = z.infer<typeof ignoredResponseSchema>;

/** What reading raw replies again with the present parser came to. */
export const reparseSchema = z.looseObject({
  parser: z.string(),
  /** Replies that have a raw text and were read again. */
  read: z.number().int(),
  /** Replies whose outcome, letter or ids are now others. */
  changed: z.number().int(),
  /** How often an outcome became another one. */
  outcomes: z.array(z.looseObject({ from: outcomeSchema, to: outcomeSchema, count: z.number().int() })),
});
export type Reparse = z.infer<typeof reparseSchema>;

/** `score --out`. CONTRACT.md. */
export const scoreReportSchema = record({
  models: z.array(modelScoreSchema),
  chance: chanceSchema,
  pairs: z.array(pairSchema),
  items: z.array(itemScoreSchema),
  ignored: z.array(ignoredResponseSchema),
  /** With `score --reparse`. */
  reparse: reparseSchema.optional(),
});
export type ScoreReport = z.infer<typeof scoreReportSchema>;
