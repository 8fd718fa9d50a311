import { z } from 'zod';
import { SCHEMA_VERSION } from './record.js';

const text = z.string().nullable();
const number = z.number().nullable();
const count = z.number().int().nonnegative().nullable();

/**
 * One frame of one DICOM instance (`extract/index.jsonl`, `index --out`). Absent is `null`.
 *
 * `volumeId` groups the frames that form one stack; `position` counts from 0 in it, by ascending projection of
 * ImagePositionPatient on the slice normal. It is never InstanceNumber. CONTRACT.md.
 */
export const indexRowSchema = z.looseObject({
  schemaVersion: z.literal(SCHEMA_VERSION).default(SCHEMA_VERSION),
  /** The case whose folder the file was found in; null when `index` was given a bare folder. */
  caseId: text.default(null),
  path: z.string().min(1),
  frame: z.number().int().nonnegative(),
  studyInstanceUid: text,
  seriesInstanceUid: text,
  sopInstanceUid: text,
  sopClassUid: text,
  transferSyntaxUid: text,
  modality: text,
  seriesNumber: number,
  instanceNumber: number,
  rows: count,
  columns: count,
  numberOfFrames: z.number().int().positive(),
  bitsAllocated: count,
  bitsStored: count,
  pixelRepresentation: count,
  samplesPerPixel: count,
  photometricInterpretation: text,
  /** [x, y, z] mm, patient coordinates (LPS). PS3.3 C.7.6.2.1.1. */
  imagePositionPatient: z.array(z.number()).length(3).nullable(),
  /** Direction cosines of a row, then of a column. PS3.3 C.7.6.2.1.1. */
  imageOrientationPatient: z.array(z.number()).length(6).nullable(),
  /** [between rows (down), between columns (across)], mm: PixelSpacing's own order. */
  pixelSpacingMm: z.array(z.number()).length(2).nullable(),
  sliceThicknessMm: number,
  rescaleSlope: number,
  rescaleIntercept: number,
  /** WindowCenter and WindowWidth; an array when the file gives several. */
  windowCenter: z.union([z.number(), z.array(z.number())]).nullable(),
  windowWidth: z.union([z.number(), z.array(z.number())]).nullable(),
  seriesDescription: text,
  bodyPartExamined: text,
  imageType: z.array(z.string()).nullable(),
  convolutionKernel: text.default(null),
  volumeId: z.string(),
  position: z.number().int().nonnegative(),
});
export type IndexRow = z.infer<typeof indexRowSchema>;

/** A file that gave no row, and why. One broken file is one counted record. */
export const skippedFileSchema = z.looseObject({ path: z.string(), reason: z.string() });
export type SkippedFile = z.infer<typeof skippedFileSchema>;

/** What `index --json` prints. */
export const indexSummarySchema = z.looseObject({
  files: z.number().int(),
  instances: z.number().int(),
  frames: z.number().int(),
  studies: z.number().int(),
  series: z.number().int(),
  volumes: z.number().int(),
  skipped: z.array(skippedFileSchema),
  seconds: z.number(),
});
export type IndexSummary = z.infer<typeof indexSummarySchema>;
