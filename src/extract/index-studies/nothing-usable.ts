import { GroundmarkError } from '../../domain/error.js';
import type { SkippedFile } from '../../domain/index-row.js';

/** The error for a source whose files all gave no row. */
export function noDicom(root: string, files: readonly SkippedFile[]): GroundmarkError {
  const [reason, count] = [...countsOf(files)].reduce((best, next) => (next[1] > best[1] ? next : best));
  return new GroundmarkError(
    'no-dicom',
    `${root} holds ${files.length} files and no usable DICOM image; the commonest reason is ${reason} (${count}). ` +
      `Name the folder that holds the DICOM images.`,
    { root, files: files.length, reason, count },
  );
}

/** The same error with everything that was skipped, of all sources: a program sees each file and its reason. */
export function withAllSkipped(error: GroundmarkError, skipped: readonly SkippedFile[]): GroundmarkError {
  const { code, message, context, exit } = error;
  return new GroundmarkError(
    code,
    message,
    {
      ...context,
      reasons: Object.fromEntries(countsOf(skipped)),
      skipped: skipped.map(({ path, reason, caseId }) => ({
        path,
        reason,
        ...(typeof caseId === 'string' ? { caseId } : {}),
      })),
    },
    { exit, cause: error.cause },
  );
}

function countsOf(files: readonly SkippedFile[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { reason } of files) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return counts;
}
