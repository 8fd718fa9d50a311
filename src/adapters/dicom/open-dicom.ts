import { open, type FileHandle } from 'node:fs/promises';
import dicomParser, { type DataSet } from 'dicom-parser';
import { GroundmarkError } from '../../domain/error.js';
import { findStart, type FileStart } from './file-start.js';
import type { HeaderDataSet } from './header/header-data-set.js';
import {
  EXPLICIT_BIG_ENDIAN,
  EXPLICIT_LITTLE_ENDIAN,
  IMPLICIT_LITTLE_ENDIAN,
  inflate,
  transferSyntaxOf,
  type TransferSyntax,
} from './transfer-syntax.js';

/** The pixel data element: where its value lies, and how long it says it is. */
export interface PixelElement {
  readonly tag: 'x7fe00010' | 'x7fe00008' | 'x7fe00009';
  readonly vr: string | null;
  /** Byte offset of the value, for `OpenDicom.read`. */
  readonly offset: number;
  /** Bytes; null when the length is undefined (encapsulated). */
  readonly length: number | null;
}

/** A DICOM file whose header is read and whose pixel data is not. */
export interface HeaderSource {
  readonly file: string;
  readonly dataSet: HeaderDataSet;
  readonly mediaStorageSopClassUid: string | null;
  readonly transferSyntax: TransferSyntax;
  readonly pixelElement: PixelElement | null;
  /** Bytes of the file, or of the inflated data set. */
  readonly size: number;
  /** Bytes at an offset; fewer than asked only at the end of the file. */
  read(offset: number, length: number): Promise<Buffer>;
}

/** One with every element of its header. */
export interface OpenDicom extends HeaderSource {
  readonly dataSet: DataSet;
}

// Pixel data begins at 2-17 KB in most CT and MR files, at 88-146 KB in enhanced and some Siemens ones.
const HEAD_SIZES = [16, 128, 1024, 8192, 65536].map((kibibytes) => kibibytes * 1024);

/**
 * Opens a DICOM file, reads as much of it as the header needs, and closes it after `use`.
 *
 * @throws {GroundmarkError} `not-dicom`, `empty-file`; `cut-off-header` when the file ends inside an element:
 * a short header is never taken for a whole one; `unreadable-file` for a file that cannot be opened
 */
export async function withDicom<T>(file: string, use: (dicom: OpenDicom) => Promise<T>): Promise<T> {
  let handle: FileHandle;
  try {
    handle = await open(file, 'r');
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code ?? 'error';
    throw new GroundmarkError(
      code === 'ENOENT' ? 'no-such-file' : 'unreadable-file',
      `${file} cannot be opened (${code}). Check the path and its permissions.`,
      { file },
      { cause },
    );
  }
  try {
    if ((await handle.stat()).isDirectory()) {
      throw new GroundmarkError(
        'not-a-file',
        `${file} is a folder where a DICOM file is needed. Name a file.`,
        { file },
      );
    }
    return await use(await readHeader(file, handle));
  } catch (cause) {
    // dicom-parser throws texts, not errors, where a value runs past the end of its element.
    if (typeof cause !== 'string') throw cause;
    throw new GroundmarkError('bad-header', `${file}: its header cannot be read (${cause}). Copy it again.`, {
      file,
    });
  } finally {
    await handle.close();
  }
}

async function readHeader(file: string, handle: FileHandle): Promise<OpenDicom> {
  const { size } = await handle.stat();
  if (size === 0) throw new GroundmarkError('empty-file', `${file} has no bytes. Copy it again.`, { file });
  const read = async (offset: number, length: number): Promise<Buffer> => {
    const wanted = Math.max(0, Math.min(length, size - offset));
    const buffer = Buffer.allocUnsafe(wanted);
    let done = 0;
    while (done < wanted) {
      const { bytesRead } = await handle.read(buffer, done, wanted - done, offset + done);
      if (bytesRead === 0) break;
      done += bytesRead;
    }
    return buffer.subarray(0, done);
  };
  const first = await read(0, HEAD_SIZES[0]!);
  const start = findStart(first);
  if (!start) {
    throw new GroundmarkError(
      'not-dicom',
      `${file} is not a DICOM file: no DICM at byte 128 and no DICOM element at byte 0.`,
      { file },
    );
  }
  const transferSyntax = transferSyntaxOf(start.transferSyntaxUid);
  if (transferSyntax.deflated) return inflated(file, start, transferSyntax, await read(0, size));

  for (const headSize of [...HEAD_SIZES.filter((bytes) => bytes < size), size]) {
    const whole = headSize >= size;
    const head = headSize === HEAD_SIZES[0] ? first : await read(0, headSize);
    const parsed = parse(head, start.offset, transferSyntax, file, whole);
    if (parsed) return { file, ...start, transferSyntax, ...parsed, size, read };
  }
  throw new GroundmarkError('cut-off-header', `${file}: the header could not be read.`, { file });
}

function inflated(file: string, start: FileStart, transferSyntax: TransferSyntax, bytes: Buffer): OpenDicom {
  let content: Buffer;
  try {
    content = inflate(bytes.subarray(start.offset));
  } catch (cause) {
    throw new GroundmarkError(
      'cut-off-header',
      `${file}: its deflated data set is damaged or cut off. Copy the file again.`,
      { file },
      { cause },
    );
  }
  const parsed = parse(content, 0, transferSyntax, file, true)!;
  return {
    file,
    mediaStorageSopClassUid: start.mediaStorageSopClassUid,
    transferSyntax,
    ...parsed,
    size: content.length,
    read: async (offset, length) => content.subarray(offset, offset + length),
  };
}

/**
 * The header in a head of the file; null when the head ends before the pixel data and the file goes on.
 *
 * dicom-parser takes a head that is cut between two elements for a whole data set, so a head counts only when the
 * pixel data element was reached or the head is the whole file.
 */
function parse(
  head: Buffer,
  offset: number,
  transferSyntax: TransferSyntax,
  file: string,
  whole: boolean,
): { dataSet: DataSet; pixelElement: PixelElement | null } | null {
  let dataSet: DataSet;
  try {
    dataSet = dicomParser.parseDicom(head.subarray(offset), {
      TransferSyntaxUID: dataSetEncoding(transferSyntax),
      untilTag: 'x7fe00010',
    });
  } catch (cause) {
    if (!whole) return null;
    throw new GroundmarkError(
      'cut-off-header',
      `${file}: its header ends inside an element or is damaged. Copy the file again.`,
      { file },
      { cause },
    );
  }
  for (const tag of ['x7fe00010', 'x7fe00008', 'x7fe00009'] as const) {
    const element = dataSet.elements[tag];
    if (!element) continue;
    const length = element.hadUndefinedLength ? null : element.length;
    return {
      dataSet,
      pixelElement: { tag, vr: element.vr ?? null, offset: offset + element.dataOffset, length },
    };
  }
  return whole ? { dataSet, pixelElement: null } : null;
}

function dataSetEncoding({ implicit, bigEndian }: TransferSyntax): string {
  if (implicit) return IMPLICIT_LITTLE_ENDIAN;
  return bigEndian ? EXPLICIT_BIG_ENDIAN : EXPLICIT_LITTLE_ENDIAN;
}
