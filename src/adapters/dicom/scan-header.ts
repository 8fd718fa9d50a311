import { GroundmarkError } from '../../domain/error.js';
import { checkPixelLength } from './frame-bytes.js';
import { headerRows, type HeaderRow } from './header-row.js';
import { withDicom } from './open-dicom.js';
import { pixelLayout } from './pixel-layout.js';

const DICOMDIR = '1.2.840.10008.1.3.10';

/**
 * The index rows of one DICOM image file, one a frame, without volume and position. The pixel data is not read.
 *
 * @returns rows with `path` = `file`
 * @throws {GroundmarkError} when the file cannot become rows: `not-dicom`, `empty-file`, `cut-off-header`, `dicomdir`,
 * `no-pixel-data`, `bad-pixel-module`, `truncated-pixels`, `unreadable-file`
 */
export async function scanHeader(file: string): Promise<HeaderRow[]> {
  return withDicom(file, async (dicom) => {
    const sopClass = dicom.mediaStorageSopClassUid ?? dicom.dataSet.string('x00080016');
    if (sopClass === DICOMDIR || dicom.dataSet.elements.x00041220) {
      throw new GroundmarkError(
        'dicomdir',
        `${file} is a DICOMDIR: the files that it lists are read, not the list.`,
        {
          file,
        },
      );
    }
    const layout = pixelLayout(dicom);
    await checkPixelLength(dicom, layout);
    return headerRows(dicom, layout.frames);
  });
}
