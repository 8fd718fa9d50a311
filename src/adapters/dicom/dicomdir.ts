import path from 'node:path';
import type { DataSet } from 'dicom-parser';
import { GroundmarkError } from '../../domain/error.js';
import { attributes, items, readerOf, type Attributes } from './data-set.js';
import { fileFinder } from './find-by-file-id.js';
import { withDicom } from './open-dicom.js';

/** A file that a DICOMDIR lists. */
export interface DicomdirReference {
  /** ReferencedFileID with its components joined by `/`, such as `77654033/CR1/6154`. */
  readonly fileId: string;
  /** DirectoryRecordType: IMAGE, SR DOCUMENT, … */
  readonly recordType: string | null;
  /** ReferencedSOPInstanceUIDInFile. */
  readonly sopInstanceUid: string | null;
  /** The file; null when there is none of that name, or the name leads out of the DICOMDIR's folder. */
  readonly path: string | null;
}

/** DirectoryRecordSequence. */
const RECORDS = 'x00041220';

/**
 * The files that a DICOMDIR lists, in its order, a file once; records that are not in use are left out. PS3.3 F.3.2.2.
 *
 * @throws {GroundmarkError} `not-a-dicomdir`, and what opening a DICOM file throws
 */
export async function readDicomdir(file: string): Promise<DicomdirReference[]> {
  return withDicom(file, async ({ dataSet }) => {
    if (!dataSet.elements[RECORDS]) {
      throw new GroundmarkError(
        'not-a-dicomdir',
        `${file} has no directory records (0004,1220): it is no DICOMDIR. Name one, or the folder of the images.`,
        { file },
      );
    }
    return referencesOf(dataSet, path.dirname(file));
  });
}

/**
 * The files that a DICOMDIR lists and that are not there.
 *
 * @param isKnown - whether an instance was found elsewhere: a medium is often copied into one flat folder
 */
export async function missingReferences(
  file: string,
  isKnown: (sopInstanceUid: string) => boolean = () => false,
): Promise<DicomdirReference[]> {
  const references = await readDicomdir(file);
  return references.filter(
    ({ path: found, sopInstanceUid: uid }) => found === null && !(uid !== null && isKnown(uid)),
  );
}

function referencesOf(dataSet: DataSet, folder: string): DicomdirReference[] {
  const find = fileFinder(folder);
  const reader = readerOf(dataSet);
  const references = new Map<string, DicomdirReference>();
  for (const record of items(dataSet, RECORDS)) {
    const at = attributes([record], reader);
    const components = isInUse(at) ? at.texts('x00041500') : null;
    if (components === null) continue;
    const fileId = components.join('/');
    if (references.has(fileId)) continue;
    references.set(fileId, {
      fileId,
      recordType: at.text('x00041430'),
      sopInstanceUid: at.text('x00041511'),
      path: find(components),
    });
  }
  return [...references.values()];
}

/** RecordInUseFlag: 0000H marks a record that is to be ignored. */
function isInUse(record: Attributes): boolean {
  return record.uint16('x00041410') !== 0;
}
