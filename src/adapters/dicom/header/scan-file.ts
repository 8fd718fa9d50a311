import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { findStart } from '../file-start.js';
import type { HeaderSource } from '../open-dicom.js';
import { inflate, transferSyntaxOf } from '../transfer-syntax.js';
import { ByteWindow, OddHeader } from './byte-window.js';
import { walkHeader } from './walk-header.js';

/** Bytes of an element that tell its encoding. */
const FIRST_ELEMENT = 8;

/**
 * The header of a DICOM file, of which only what an index row needs is kept and only the first bytes are read.
 *
 * @returns null for whatever is not plainly a whole header: `withDicom` reads that file, or says what is wrong with it
 */
export function scanFile(file: string): HeaderSource | null {
  let fd: number;
  try {
    fd = openSync(file, 'r');
  } catch {
    return null;
  }
  try {
    const stat = fstatSync(fd);
    return stat.isFile() && stat.size > 0 ? scan(file, fd, stat.size) : null;
  } catch (error) {
    // A read error (a bad disk, a network folder) is told by the reader that tells errors.
    if (error instanceof OddHeader || (error as NodeJS.ErrnoException).code !== undefined) return null;
    throw error;
  } finally {
    closeSync(fd);
  }
}

function scan(file: string, fd: number, size: number): HeaderSource | null {
  const window = new ByteWindow(fd, size);
  const start = findStart(window.first);
  if (!start) return null;
  // Long meta information, or one that is cut off, is for the reader that reads on.
  if (start.offset > size) return null;
  if (start.offset + FIRST_ELEMENT > window.first.length && window.first.length < size) return null;
  const transferSyntax = transferSyntaxOf(start.transferSyntaxUid);
  const { mediaStorageSopClassUid } = start;
  if (!transferSyntax.deflated) {
    return {
      file,
      mediaStorageSopClassUid,
      transferSyntax,
      ...walkHeader(window, start.offset, transferSyntax),
      size,
      read: async (offset, length) => readAt(file, offset, Math.min(length, size - offset)),
    };
  }
  const deflated = Buffer.allocUnsafe(size - start.offset);
  if (readSync(fd, deflated, 0, deflated.length, start.offset) < deflated.length) return null;
  let content: Buffer;
  try {
    content = inflate(deflated);
  } catch {
    return null;
  }
  return {
    file,
    mediaStorageSopClassUid,
    transferSyntax,
    ...walkHeader(new ByteWindow(content, content.length), 0, transferSyntax),
    size: content.length,
    read: async (offset, length) => content.subarray(offset, offset + length),
  };
}

/** Bytes of a file that is closed: only files with encapsulated pixel data are asked for more than their header. */
function readAt(file: string, offset: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(Math.max(0, length));
  const fd = openSync(file, 'r');
  try {
    return bytes.subarray(0, readSync(fd, bytes, 0, bytes.length, offset));
  } finally {
    closeSync(fd);
  }
}
