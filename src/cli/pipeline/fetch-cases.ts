import type { Deps } from '../../adapters/deps.js';
import { copyPlace, fetchDicomweb, readCopyRecord } from '../../adapters/dicom/dicomweb/index.js';
import type { SkippedFile } from '../../domain/index-row.js';
import type { Workspace } from '../workspace.js';

/**
 * Copies the images of cases whose dicom_path is a DICOMweb URL into the workspace, before any stage looks at them.
 *
 * A copy that has everything is left as it is and its service is not asked again; delete `.groundmark/dicomweb` to
 * fetch anew. One that lacks something is completed.
 */
export async function fetchCases({ cases, paths, config }: Workspace, deps: Deps): Promise<void> {
  for (const { caseId, imageUrl } of cases) {
    if (imageUrl === undefined) continue;
    const place = copyPlace(paths.dicomweb, imageUrl);
    const earlier = await readCopyRecord(deps.store, place.record);
    if (earlier !== null && earlier.instances > 0 && earlier.skipped.length === 0) continue;
    const copy = await fetchDicomweb(
      imageUrl,
      { folder: paths.dicomweb, auth: config.dicomweb.auth, authFolder: paths.root },
      deps,
    );
    if (copy.instances === 0) deps.log.warn(`case ${caseId}: ${copy.shownRoot} lists no instance of it`);
  }
}

/** What the services of the cases listed and did not give, one record each, in the order of the cases. */
export async function skippedByServices({ cases, paths }: Workspace, deps: Deps): Promise<SkippedFile[]> {
  const skipped: SkippedFile[] = [];
  for (const { caseId, imageUrl } of cases) {
    if (imageUrl === undefined) continue;
    const copy = await readCopyRecord(deps.store, copyPlace(paths.dicomweb, imageUrl).record);
    for (const entry of copy?.skipped ?? []) skipped.push({ ...entry, caseId });
  }
  return skipped;
}
