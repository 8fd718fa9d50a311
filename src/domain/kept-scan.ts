import { z } from 'zod';

/** The files of a kept scan, in the order of its results; null: that file's result is not to be used. */
export const keptFilesSchema = z.array(
  z
    .object({
      path: z.string(),
      /** Size and times as they were when it was read; it is read again when they are not the same any more. */
      stamp: z.string(),
    })
    .nullable(),
);

/** Scan results of a batch of files, kept for a later run that reads only what has changed. */
export interface KeptScan {
  readonly files: z.infer<typeof keptFilesSchema>;
  /** The results of the batch, as the scan job gave them. */
  readonly results: string;
}
