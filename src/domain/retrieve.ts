import { z } from 'zod';
import { record } from './record.js';

/** One stack of slices as the series rules saw it (`retrieve/series.jsonl`): taken or left, always with the reason. */
export const seriesRecordSchema = record({
  caseId: z.string(),
  volumeId: z.string(),
  seriesInstanceUid: z.string(),
  modality: z.string().nullable(),
  plane: z.enum(['axial', 'coronal', 'sagittal', 'oblique']),
  slices: z.number().int().positive(),
  seriesDescription: z.string().nullable(),
  taken: z.boolean(),
  /** Id of the rule that decided. */
  rule: z.string(),
  reason: z.string(),
  /** Median step along the normal, mm; null without geometry. */
  spacingMm: z.number().nullable().optional(),
  /** What to know before the stack is used as a volume, as in `extract/volumes.jsonl`. */
  warnings: z.array(z.string()).optional(),
});
export type SeriesRecord = z.infer<typeof seriesRecordSchema>;

/** A contact sheet's sidecar: which slice each label stands for. Private; reviewers get the picture alone. */
export const sheetSchema = record({
  sheetId: z.string(),
  caseId: z.string(),
  volumeId: z.string(),
  seriesInstanceUid: z.string(),
  modality: z.string().nullable(),
  /** Relative to the workspace. */
  file: z.string(),
  window: z.union([
    z.object({ center: z.number(), width: z.number() }),
    z.object({ percentiles: z.tuple([z.number(), z.number()]) }),
  ]),
  tiles: z
    .array(
      z.looseObject({
        label: z.string(),
        position: z.number().int().nonnegative(),
        sopInstanceUid: z.string(),
        frame: z.number().int().nonnegative(),
      }),
    )
    .min(1)
    .max(12),
});
export type Sheet = z.infer<typeof sheetSchema>;
