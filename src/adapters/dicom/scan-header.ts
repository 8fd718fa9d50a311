import { GroundmarkError } from '../../domain/error.js';
import { checkFrameCount, checkPixelLength } from './frame-bytes.js';
import { attributes, readerOf } from './data-set.js';
import { headerRows, type HeaderRow } from './header-row.js';
import { scanFile } from './header/scan-file.js';
import { withDicom, type HeaderSource } from './open-dicom.js';
import { pixelLayout } from './pixel-layout.js';

/** A row a frame is held in memory; a small file may announce millions of frames of one pixel. */
const MOST_FRAMES = 131_072;

const DICOMDIR = '1.2.840.10008.1.3.10';

/**
 * The index rows of one DICOM image file, one a frame, without volume and position. The pixel data is not read.
 *
 * Our own scanner reads what it is sure of; dicom-parser reads the rest, or says what is wrong with it.
 *
 * @returns rows with `path` = `file`
 * @throws {GroundmarkError} when the file cannot become rows: `not-dicom`, `empty-file`, `cut-off-header`, `dicomdir`,
 * `no-pixel-data`, `bad-pixel-module`, `truncated-pixels`, `too-many-frames`, `unreadable-file`
 */
export async function scanHeader(file: string): Promise<HeaderRow[]> {
  const scanned = scanFile(file);
  return scanned === null ? withDicom(file, rowsOf) : rowsOf(scanned);
}

/** The same by dicom-parser alone: for tests and for the benchmark that compares the two. */
export async function parseHeader(file: string): Promise<HeaderRow[]> {
  return withDicom(file, rowsOf);
}

async function rowsOf(dicom: HeaderSource): Promise<HeaderRow[]> {
  const sopClass = dicom.mediaStorageSopClassUid ?? sopClassOf(dicom);
  if (sopClass === DICOMDIR || dicom.dataSet.elements.x00041220) {
    throw new GroundmarkError(
      'dicomdir',
      `${dicom.file} is a DICOMDIR: the files that it lists are read, not the list.`,
      { file: dicom.file },
    );
  }
  const layout = pixelLayout(dicom);
  checkFrameCount(dicom, layout);
  // Only then is anything awaited: the values of other scanned headers are good until the next scan.
  if (dicom.pixelElement!.length === null) await checkPixelLength(dicom, layout);
  if (layout.frames > MOST_FRAMES) {
    throw new GroundmarkError(
      'too-many-frames',
      `${dicom.file} has ${layout.frames} frames; more than ${MOST_FRAMES} in one file are not indexed. Split the file.`,
      { file: dicom.file, frames: layout.frames },
    );
  }
  return headerRows(dicom, layout.frames);
}

function sopClassOf({ dataSet }: HeaderSource): string | null {
  return attributes([dataSet], readerOf(dataSet)).text('x00080016');
}
