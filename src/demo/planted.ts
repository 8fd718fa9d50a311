import { z } from 'zod';
import { sliceRefSchema } from '../domain/evidence.js';
import { lateralitySchema } from '../domain/finding.js';
import { record } from '../domain/record.js';

/** Where a planted finding can be seen: a slice by its place in its series. */
export const plantedSliceSchema = sliceRefSchema.omit({ volumeId: true });
export type PlantedSlice = z.infer<typeof plantedSliceSchema>;

/**
 * One finding as it was planted and as the report states it (`planted.jsonl`): the truth that a build of the demo is
 * held against. A `measured` sentence has the slices of the finding it measures; `prior` and `uncertain` have none.
 */
export const plantedSchema = record({
  caseId: z.string(),
  concept: z.string(),
  anatomy: z.string().nullable(),
  laterality: lateralitySchema.nullable(),
  /** The report's own text, line breaks and all. */
  sentence: z.string(),
  kind: z.enum(['finding', 'measured', 'prior', 'uncertain']),
  /** By series, then position. */
  slices: z.array(plantedSliceSchema),
  /** Whether a benchmark may ask about it: a current, certain finding that needs no measuring. */
  askable: z.boolean(),
});
export type Planted = z.infer<typeof plantedSchema>;
