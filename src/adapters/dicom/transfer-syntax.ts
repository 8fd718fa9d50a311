import { inflateRawSync } from 'node:zlib';

/** How the pixel data of a transfer syntax is stored. PS3.5 section 10 and annex A. */
export type PixelEncoding =
  'native' | 'rle' | 'jpeg' | 'jpeg-ls' | 'jpeg-2000' | 'htj2k' | 'jpeg-xl' | 'deflated-frame' | 'unknown';

export interface TransferSyntax {
  readonly uid: string;
  readonly name: string;
  readonly pixels: PixelEncoding;
  readonly bigEndian: boolean;
  readonly implicit: boolean;
  /** The whole data set is deflated after the file meta information. PS3.5 A.5. */
  readonly deflated: boolean;
}

export const IMPLICIT_LITTLE_ENDIAN = '1.2.840.10008.1.2';
export const EXPLICIT_LITTLE_ENDIAN = '1.2.840.10008.1.2.1';
export const EXPLICIT_BIG_ENDIAN = '1.2.840.10008.1.2.2';
export const DEFLATED_LITTLE_ENDIAN = '1.2.840.10008.1.2.1.99';

/** UID, name, pixel encoding; PS3.6 annex A table A-1. */
const TABLE: readonly (readonly [string, string, PixelEncoding])[] = [
  [IMPLICIT_LITTLE_ENDIAN, 'Implicit VR Little Endian', 'native'],
  [EXPLICIT_LITTLE_ENDIAN, 'Explicit VR Little Endian', 'native'],
  [DEFLATED_LITTLE_ENDIAN, 'Deflated Explicit VR Little Endian', 'native'],
  [EXPLICIT_BIG_ENDIAN, 'Explicit VR Big Endian', 'native'],
  ['1.2.840.10008.1.2.5', 'RLE Lossless', 'rle'],
  ['1.2.840.10008.1.2.4.50', 'JPEG Baseline', 'jpeg'],
  ['1.2.840.10008.1.2.4.51', 'JPEG Extended', 'jpeg'],
  ['1.2.840.10008.1.2.4.53', 'JPEG Spectral Selection', 'jpeg'],
  ['1.2.840.10008.1.2.4.55', 'JPEG Full Progression', 'jpeg'],
  ['1.2.840.10008.1.2.4.57', 'JPEG Lossless', 'jpeg'],
  ['1.2.840.10008.1.2.4.70', 'JPEG Lossless, First-Order Prediction', 'jpeg'],
  ['1.2.840.10008.1.2.4.80', 'JPEG-LS Lossless', 'jpeg-ls'],
  ['1.2.840.10008.1.2.4.81', 'JPEG-LS Near-Lossless', 'jpeg-ls'],
  ['1.2.840.10008.1.2.4.90', 'JPEG 2000 Lossless', 'jpeg-2000'],
  ['1.2.840.10008.1.2.4.91', 'JPEG 2000', 'jpeg-2000'],
  ['1.2.840.10008.1.2.4.92', 'JPEG 2000 Part 2 Multi-component Lossless', 'unknown'],
  ['1.2.840.10008.1.2.4.93', 'JPEG 2000 Part 2 Multi-component', 'unknown'],
  ['1.2.840.10008.1.2.4.94', 'JPIP Referenced', 'unknown'],
  ['1.2.840.10008.1.2.4.95', 'JPIP Referenced Deflate', 'unknown'],
  ['1.2.840.10008.1.2.4.100', 'MPEG2 Main Profile / Main Level', 'unknown'],
  ['1.2.840.10008.1.2.4.101', 'MPEG2 Main Profile / High Level', 'unknown'],
  ['1.2.840.10008.1.2.4.102', 'MPEG-4 AVC/H.264 High Profile / Level 4.1', 'unknown'],
  ['1.2.840.10008.1.2.4.103', 'MPEG-4 AVC/H.264 BD-compatible High Profile / Level 4.1', 'unknown'],
  ['1.2.840.10008.1.2.4.104', 'MPEG-4 AVC/H.264 High Profile / Level 4.2 for 2D Video', 'unknown'],
  ['1.2.840.10008.1.2.4.105', 'MPEG-4 AVC/H.264 High Profile / Level 4.2 for 3D Video', 'unknown'],
  ['1.2.840.10008.1.2.4.106', 'MPEG-4 AVC/H.264 Stereo High Profile / Level 4.2', 'unknown'],
  ['1.2.840.10008.1.2.4.107', 'HEVC/H.265 Main Profile / Level 5.1', 'unknown'],
  ['1.2.840.10008.1.2.4.108', 'HEVC/H.265 Main 10 Profile / Level 5.1', 'unknown'],
  ['1.2.840.10008.1.2.4.110', 'JPEG XL Lossless', 'jpeg-xl'],
  ['1.2.840.10008.1.2.4.111', 'JPEG XL JPEG Recompression', 'jpeg-xl'],
  ['1.2.840.10008.1.2.4.112', 'JPEG XL', 'jpeg-xl'],
  ['1.2.840.10008.1.2.4.201', 'High-Throughput JPEG 2000 Lossless', 'htj2k'],
  ['1.2.840.10008.1.2.4.202', 'High-Throughput JPEG 2000 RPCL Lossless', 'htj2k'],
  ['1.2.840.10008.1.2.4.203', 'High-Throughput JPEG 2000', 'htj2k'],
  ['1.2.840.10008.1.2.8.1', 'Deflated Image Frame Compression', 'deflated-frame'],
];

/** The transfer syntax of a UID; one that is not in the table has pixels `unknown` and an explicit data set. */
export function transferSyntaxOf(uid: string): TransferSyntax {
  return KNOWN.get(uid) ?? describe(uid);
}

function describe(uid: string): TransferSyntax {
  const row = TABLE.find(([known]) => known === uid);
  return {
    uid,
    name: row?.[1] ?? 'unknown transfer syntax',
    pixels: row?.[2] ?? 'unknown',
    bigEndian: uid === EXPLICIT_BIG_ENDIAN,
    implicit: uid === IMPLICIT_LITTLE_ENDIAN,
    deflated: uid === DEFLATED_LITTLE_ENDIAN,
  };
}

const KNOWN: ReadonlyMap<string, TransferSyntax> = new Map(TABLE.map(([uid]) => [uid, describe(uid)]));

/** Every UID of the table, in its order. */
export function knownTransferSyntaxes(): string[] {
  return TABLE.map(([uid]) => uid);
}

/** Up to this size, a data set is inflated whatever it was packed to. */
const ALWAYS_INFLATED = 64 * 1024 * 1024;
/** Pictures pack to a third or a tenth; a larger data set that packed better than this is an attack. */
const BEST_RATIO = 100;

/** Raw deflate (RFC 1951) undone. A stream that is cut off throws, and so does one that would fill the memory. */
export function inflate(bytes: Uint8Array): Buffer {
  return inflateRawSync(bytes, { maxOutputLength: Math.max(ALWAYS_INFLATED, bytes.length * BEST_RATIO) });
}
