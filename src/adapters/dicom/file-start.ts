import {
  EXPLICIT_BIG_ENDIAN,
  EXPLICIT_LITTLE_ENDIAN,
  IMPLICIT_LITTLE_ENDIAN,
  transferSyntaxOf,
} from './transfer-syntax.js';

/** Where the data set of a DICOM file begins and how it is encoded. */
export interface FileStart {
  /** Byte offset of the first element after the file meta information. */
  readonly offset: number;
  readonly transferSyntaxUid: string;
  /** MediaStorageSOPClassUID, null when there is no meta information. */
  readonly mediaStorageSopClassUid: string | null;
}

/** The letters DICM as a number. */
const DICM = 0x4449434d;

/** VRs with a length of 32 bits, their two letters as a number. */
const LONG_VRS = new Set(
  ['OB', 'OD', 'OF', 'OL', 'OV', 'OW', 'SQ', 'SV', 'UC', 'UN', 'UR', 'UT', 'UV'].map(
    (vr) => vr.charCodeAt(0) * 256 + vr.charCodeAt(1),
  ),
);

/**
 * The start of a file's data set, with or without preamble and file meta information (PS3.10 section 7.1).
 *
 * A missing transfer syntax, or one that the first element contradicts, is replaced by what the first element shows.
 *
 * @param head - the first bytes of the file, at least 1 kB of it when it has that
 * @returns null when the bytes do not look like DICOM
 */
export function findStart(head: Buffer): FileStart | null {
  const preamble = head.length >= 132 && head.readUInt32BE(128) === DICM;
  if (!preamble && !looksLikeElement(head, 0)) return null;
  const meta = readMeta(head, preamble ? 132 : 0);
  const declared = meta.transferSyntaxUid;
  if (declared !== null && transferSyntaxOf(declared).deflated) {
    return { ...meta, transferSyntaxUid: declared };
  }
  const seen = encodingAt(head, meta.offset);
  const agrees =
    declared !== null &&
    (seen === null ||
      (transferSyntaxOf(declared).implicit === (seen === IMPLICIT_LITTLE_ENDIAN) &&
        transferSyntaxOf(declared).bigEndian === (seen === EXPLICIT_BIG_ENDIAN)));
  const transferSyntaxUid = agrees ? declared : (seen ?? IMPLICIT_LITTLE_ENDIAN);
  return { ...meta, transferSyntaxUid };
}

interface Meta {
  offset: number;
  transferSyntaxUid: string | null;
  mediaStorageSopClassUid: string | null;
}

/** File meta information is always explicit VR little endian; it ends at the first element that is not of group 2. */
function readMeta(head: Buffer, from: number): Meta {
  const meta: Meta = { offset: from, transferSyntaxUid: null, mediaStorageSopClassUid: null };
  while (meta.offset + 8 <= head.length && head.readUInt16LE(meta.offset) === 0x0002) {
    const element = head.readUInt16LE(meta.offset + 2);
    const long = LONG_VRS.has(head.readUInt16BE(meta.offset + 4));
    if (long && meta.offset + 12 > head.length) break;
    const length = long ? head.readUInt32LE(meta.offset + 8) : head.readUInt16LE(meta.offset + 6);
    const value = meta.offset + (long ? 12 : 8);
    if (element === 0x0010) meta.transferSyntaxUid = uidAt(head, value, length);
    if (element === 0x0002) meta.mediaStorageSopClassUid = uidAt(head, value, length);
    meta.offset = value + length;
  }
  return meta;
}

function uidAt(head: Buffer, at: number, length: number): string | null {
  let end = Math.min(at + length, head.length);
  while (end > at && (head[end - 1] === 0 || head[end - 1] === 0x20)) end--;
  return end > at ? head.toString('latin1', at, end) : null;
}

/** The encoding that the element at an offset shows: explicit when its VR is two capitals. */
function encodingAt(head: Buffer, at: number): string | null {
  if (at + 8 > head.length) return null;
  if (!isCapital(head[at + 4]!) || !isCapital(head[at + 5]!)) return IMPLICIT_LITTLE_ENDIAN;
  // The first group is a small number: read with the wrong byte order it is 0x0800 or more.
  return head.readUInt16LE(at) > 0x00ff && head.readUInt16BE(at) <= 0x00ff
    ? EXPLICIT_BIG_ENDIAN
    : EXPLICIT_LITTLE_ENDIAN;
}

/** Without a preamble the first element must be of group 2 or 8 and of a believable length. */
function looksLikeElement(head: Buffer, at: number): boolean {
  if (head.length < at + 16) return false;
  const little = [0x0002, 0x0008].includes(head.readUInt16LE(at)) && head.readUInt16LE(at + 2) < 0x2000;
  const big = head.readUInt16BE(at) === 0x0008 && head.readUInt16BE(at + 2) < 0x2000;
  if (!little && !big) return false;
  if (/^[A-Z]{2}$/u.test(head.toString('latin1', at + 4, at + 6))) return true;
  return little && head.readUInt32LE(at + 4) <= 1024;
}

function isCapital(byte: number): boolean {
  return byte >= 0x41 && byte <= 0x5a;
}
