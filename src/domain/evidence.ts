import { z } from 'zod';
import { record } from './record.js';

/** Where one slice lies. `position` counts from 0 along the slice normal of its volume. */
export const sliceRefSchema = z.looseObject({
  seriesInstanceUid: z.string(),
  sopInstanceUid: z.string(),
  frame: z.number().int().nonnegative(),
  position: z.number().int().nonnegative(),
  /** The stack inside the series; a series can hold several. */
  volumeId: z.string(),
});
export type SliceRef = z.infer<typeof sliceRefSchema>;

export const ratings = ['direct', 'possible', 'unassessable'] as const;
export const ratingValueSchema = z.enum(ratings);
export type RatingValue = z.infer<typeof ratingValueSchema>;

/** One reviewer's slice, named while blind to the target; `slice` null means "none seen". */
export const nominationSchema = record({
  caseId: z.string(),
  reviewer: z.string(),
  model: z.string(),
  slice: sliceRefSchema.nullable(),
  description: z.string(),
  /** 0 to 1; null when the reviewer gives none. */
  confidence: z.number().min(0).max(1).nullable(),
});
export type Nomination = z.infer<typeof nominationSchema>;

/** Up to 15 slices of one case, with where each came from (`retrieve/pools.jsonl`). */
export const candidateSchema = z.looseObject({
  slice: sliceRefSchema,
  nominatedBy: z.array(z.string()),
  /** Slices from the nearest nominated slice: 0 for a nomination itself. */
  neighbourDistance: z.number().int().nonnegative(),
  confidence: z.number().min(0).max(1),
});
export type Candidate = z.infer<typeof candidateSchema>;

/** A stack and the preferences of `data/series-rules.yaml` that speak for or against it. */
const rankedSeriesSchema = z.looseObject({
  volumeId: z.string(),
  seriesInstanceUid: z.string(),
  seriesDescription: z.string().nullable(),
  weight: z.number(),
  because: z.array(z.string()),
});

export const poolSchema = record({
  caseId: z.string(),
  targetId: z.string(),
  candidates: z.array(candidateSchema),
  /** How many candidates the cap of 15 left out. */
  cut: z.number().int().nonnegative(),
  /** The case's stacks in the order in which the finding is looked for in them, and those left out for it. */
  series: z.array(rankedSeriesSchema).optional(),
  leftOut: z.array(rankedSeriesSchema).optional(),
});
export type Pool = z.infer<typeof poolSchema>;

/** One reviewer's judgment of one candidate at full resolution, with the finding known. */
export const ratingSchema = record({
  caseId: z.string(),
  targetId: z.string(),
  reviewer: z.string(),
  model: z.string(),
  slice: sliceRefSchema,
  rating: ratingValueSchema,
  /** Strength inside a rating, for order among equals; null when the reviewer gives none. */
  strength: z.number().nullable(),
});
export type Rating = z.infer<typeof ratingSchema>;

/** Private evidence of one target (`retrieve/evidence.jsonl`). */
export const evidenceSchema = record({
  targetId: z.string(),
  caseId: z.string(),
  /** The report sentence, with its span in the report. */
  finding: z.looseObject({ text: z.string(), start: z.number().int(), end: z.number().int() }),
  references: z.array(sliceRefSchema),
  comparisons: z.array(sliceRefSchema),
  candidates: z.array(
    z.looseObject({ ...sliceRefSchema.shape, ratings: z.record(z.string(), ratingValueSchema) }),
  ),
  dropped: z.string().nullable(),
});
export type Evidence = z.infer<typeof evidenceSchema>;

/** Candidates a pool may hold. PROTOCOL.md §3.6. */
export const POOL_CAP = 15;
/** Reference images of one item at most. PROTOCOL.md §3.7. */
export const REFERENCE_CAP = 3;
export const TILES_PER_SHEET = 12;
/** Slices, not mm: tiles are what reviewers and models both see. PROTOCOL.md §2. */
export const EVIDENCE_TOLERANCE_SLICES = 2;
