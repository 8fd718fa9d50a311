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
