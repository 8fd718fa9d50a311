import { missingReferences } from '../../adapters/dicom/index.js';
import { GroundmarkError } from '../../domain/error.js';
import type { SkippedFile } from '../../domain/index-row.js';

/** A DICOMDIR, where it lies and what stands for it in the records. */
export interface FoundDicomdir {
  readonly path: string;
  readonly shown: string;
  readonly caseId: string | null;
}

/**
 * One record for every file that a DICOMDIR lists and that is not there: an archive that was copied in part.
 *
 * @param isIndexed - whether an instance has a row: media are often copied into one flat folder
 */
export async function missingFiles(
  dicomdirs: readonly FoundDicomdir[],
  isIndexed: (sopInstanceUid: string) => boolean,
): Promise<SkippedFile[]> {
  const missing: SkippedFile[] = [];
  for (const { path, shown, caseId } of dicomdirs) {
    const folder = shown.slice(0, shown.lastIndexOf('/') + 1);
    try {
      for (const { fileId } of await missingReferences(path, isIndexed)) {
        missing.push({
          path: `${folder}${fileId}`,
          reason: 'missing-referenced-file',
          detail: `${shown} lists ${fileId}, which is not there. Copy the whole medium again.`,
          modality: null,
          caseId,
        });
      }
    } catch (error) {
      // A list that cannot be read in full tells nothing more than its own record does.
      if (!(error instanceof GroundmarkError)) throw error;
    }
  }
  return missing;
}
