import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import type { DataSet } from 'dicom-parser';
import { GroundmarkError } from '../../domain/error.js';
import { findStart, type FileStart } from './file-start.js';
import type { HeaderDataSet } from './header/header-data-set.js';
import { DamagedHeader, parseUpToPixels, type ParsedHeader } from './header/parse-up-to-pixels.js';
import type { PixelElement } from './header/pixel-element.js';
import { inflate, transferSyntaxOf, type TransferSyntax } from './transfer-syntax.js';

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
const HEAD_SIZES = [16, 128, 1024, 8192, 65536, 131072].map((kibibytes) => kibibytes * 1024);
const MEBIBYTE = 1024 * 1024;
/** A longer header is held in memory by nobody; our own scanner reads it in passing. */
const LONGEST_HEADER = 128 * MEBIBYTE;
/** Bytes of an element that tell its encoding. */
const FIRST_ELEMENT = 8;

/**
 * Opens a DICOM file, reads as much of it as the header needs, and closes it after `use`.
 *
 * Reads block their thread: a frame needs five or six of them, and waiting for each of them by a promise took longer than
 * decoding it.
 *
 * @throws {GroundmarkError} `not-dicom`, `empty-file`; `cut-off-header` when the file ends inside an element:
 * a short header is never taken for a whole one; `unreadable-file` for a file that cannot be opened
 */
export async function withDicom<T>(file: string, use: (dicom: OpenDicom) => Promise<T>): Promise<T> {
  let descriptor: number;
  try {
    // A pipe would be waited for by the call that opens it already.
    descriptor = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
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
    const stats = fstatSync(descriptor);
    if (!stats.isFile()) {
      throw new GroundmarkError(
        'not-a-file',
        `${file} is a folder, pipe or device where a DICOM file is needed. Name a file.`,
        { file },
      );
    }
    return await use(await readHeader(file, descriptor, stats.size));
  } catch (cause) {
    // dicom-parser throws texts, not errors, where a value runs past the end of its element.
    if (typeof cause !== 'string') throw cause;
    throw new GroundmarkError('bad-header', `${file}: its header cannot be read (${cause}). Copy it again.`, {
      file,
    });
  } finally {
    closeSync(descriptor);
  }
}

async function readHeader(file: string, descriptor: number, size: number): Promise<OpenDicom> {
  if (size === 0) throw new GroundmarkError('empty-file', `${file} has no bytes. Copy it again.`, { file });
  const read = async (offset: number, length: number): Promise<Buffer> => {
    const wanted = Math.max(0, Math.min(length, size - offset));
    const buffer = Buffer.allocUnsafe(wanted);
    let done = 0;
    while (done < wanted) {
      const bytesRead = readSync(descriptor, buffer, done, wanted - done, offset + done);
      if (bytesRead === 0) break;
      done += bytesRead;
    }
    return buffer.subarray(0, done);
  };
  const first = await read(0, HEAD_SIZES[0]!);
  const start = await findStartIn(first, size, read);
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
    if (headSize > LONGEST_HEADER) break;
    const head = headSize === first.length ? first : await read(0, headSize);
    const parsed = parse(head, start.offset, transferSyntax, file, headSize >= size);
    if (parsed) return { file, ...start, transferSyntax, ...parsed, size, read };
  }
  throw cutOff(file, `its header is damaged, or longer than ${LONGEST_HEADER / MEBIBYTE} MB`);
}

/** The start of the data set, which meta information of any length may come before; null: no DICOM file. */
async function findStartIn(
  first: Buffer,
  size: number,
  read: HeaderSource['read'],
): Promise<FileStart | null> {
  let start = findStart(first);
  for (let known = first.length; start && start.offset + FIRST_ELEMENT > known && known < size;) {
    if (start.offset >= size) return start;
    known = Math.min(size, start.offset + HEAD_SIZES[0]!);
    if (known > LONGEST_HEADER) return null;
    start = findStart(await read(0, known));
  }
  return start;
}

function inflated(file: string, start: FileStart, transferSyntax: TransferSyntax, bytes: Buffer): OpenDicom {
  let content: Buffer;
  try {
    content = inflate(bytes.subarray(start.offset));
  } catch (cause) {
    throw cutOff(file, 'its deflated data set is damaged, cut off or larger than any real one', cause);
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
 * A head that is cut between two elements looks whole, so a head counts only when the pixel data element was reached or
 * the head is the whole file.
 */
function parse(
  head: Buffer,
  offset: number,
  transferSyntax: TransferSyntax,
  file: string,
  whole: boolean,
): ParsedHeader | null {
  try {
    const parsed = parseUpToPixels(head, offset, transferSyntax);
    return parsed.pixelElement || whole ? parsed : null;
  } catch (cause) {
    if (!whole && !(cause instanceof DamagedHeader)) return null;
    throw cutOff(file, 'its header ends inside an element or is damaged', cause);
  }
}

function cutOff(file: string, what: string, cause?: unknown): GroundmarkError {
  return new GroundmarkError('cut-off-header', `${file}: ${what}. Copy the file again.`, { file }, { cause });
}
