import { z } from 'zod';
import { record } from './record.js';

/**
 * What the order of a stack rests on: its geometry, or, where a file gives no position or orientation, the first of
 * these that orders it: the frame number of one multi-frame object, ImagePositionPatient alone, InstanceNumber, SliceLocation, SOPInstanceUID.
 */
export const orderedBySchema = z.enum([
  'position',
  'frame-number',
  'image-position',
  'instance-number',
  'slice-location',
  'sop-instance-uid',
]);
export type OrderedBy = z.infer<typeof orderedBySchema>;

/** What a reader should know before a stack is used as a volume. */
export const volumeWarningSchema = z.enum([
  /** Single slices or runs of them are missing: every gap is a whole number of steps, and few steps are gaps. */
  'missing-slices',
  /** Steps differ by more than 1 % in another way. */
  'irregular-spacing',
  /** The stack leans by 1 degree or more (gantry tilt): it is no cuboid. */
  'sheared',
  /** Shear and GantryDetectorTilt differ by more than 1 degree. */
  'tilt-disagrees',
  /** A corner lies over 1 mm off the line from the first to the last. */
  'not-in-line',
  /** No position or orientation: `orderedBy` names what stands for it. */
  'no-geometry',
  /** The values that `orderedBy` names are not all different. */
  'ambiguous-order',
  /** Nothing but their order tells these images from others of the same places. */
  'repeated-places',
  /** Images of it share a SOPInstanceUID and are not the same: the UID names none of them. */
  'conflicting-uid',
  /** A stack of files that repeat instances of another one. */
  'copies',
  /** Each image is a Siemens mosaic: slices side by side. */
  'mosaic',
]);
export type VolumeWarning = z.infer<typeof volumeWarningSchema>;

const mm = z.number().nullable();

/** One stack of slices of one series (`extract/volumes.jsonl`). */
export const volumeSchema = record({
  /** The case whose folder it was found in; null when `index` was given a bare folder. */
  caseId: z.string().nullable(),
  volumeId: z.string(),
  seriesInstanceUid: z.string().nullable(),
  studyInstanceUid: z.string().nullable(),
  modality: z.string().nullable(),
  seriesNumber: z.number().nullable(),
  seriesDescription: z.string().nullable(),
  /** Oblique: the normal is over 36.9 degrees off every body axis; null without an orientation. */
  plane: z.enum(['axial', 'coronal', 'sagittal', 'oblique']).nullable(),
  slices: z.number().int().positive(),
  rows: z.number().int().nullable(),
  columns: z.number().int().nullable(),
  /** [between rows, between columns]. */
  pixelSpacingMm: z.array(z.number()).length(2).nullable(),
  /** Median step along the normal, mm; null without geometry and for one slice. */
  spacingMm: mm,
  /** Whether every step is within 1 % of the median, or 0.01 mm if that is more. */
  uniform: z.boolean().nullable(),
  minStepMm: mm,
  maxStepMm: mm,
  /** Steps over 1.5 median ones; `steps` is their length in median steps. */
  gaps: z.array(z.object({ afterPosition: z.number().int().nonnegative(), steps: z.number().positive() })),
  /** Angle between stacking direction and normal, 0 to 90. */
  shearDegrees: mm,
  /** GantryDetectorTilt of every slice, degrees; null when absent or not the same in all. */
  gantryTiltDegrees: mm,
  orderedBy: orderedBySchema,
  /** What tells this stack from the others of its series, as `name=value`; [] when it is the only one. */
  splitBy: z.array(z.string()),
  /** Frames of this stack that a further file gives again. */
  duplicates: z.number().int().nonnegative(),
  warnings: z.array(volumeWarningSchema),
});
export type Volume = z.infer<typeof volumeSchema>;
