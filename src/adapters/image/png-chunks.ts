import { crc32, inflateSync } from 'node:zlib';
import { GroundmarkError } from '../../domain/error.js';

/** One chunk of a PNG. W3C PNG, section 5.3. */
export interface PngChunk {
  /** Four letters: `IHDR`, `IDAT`, `tEXt` … */
  readonly type: string;
  readonly data: Uint8Array;
}

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** What one compressed text chunk may unpack to; more is an attack or no text. */
const TEXT_LIMIT_BYTES = 16 * 1024 * 1024;

export function isPng(bytes: Uint8Array): boolean {
  return bytes.length >= 8 && SIGNATURE.equals(bytes.subarray(0, 8));
}

/**
 * The chunks of a PNG in file order, from IHDR to IEND.
 *
 * @throws {GroundmarkError} `bad-png` when the signature, a length or a checksum is wrong, or bytes follow IEND
 */
export function pngChunks(bytes: Uint8Array): PngChunk[] {
  if (!isPng(bytes)) throw badPng('does not begin with the PNG signature');
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const chunks: PngChunk[] = [];
  let at = 8;
  while (at + 12 <= buffer.length) {
    const length = buffer.readUInt32BE(at);
    const end = at + 12 + length;
    if (end > buffer.length) break;
    const type = buffer.toString('latin1', at + 4, at + 8);
    if (!/^[A-Za-z]{4}$/.test(type)) throw badPng(`has a chunk without a name at byte ${at}`);
    if (crc32(buffer.subarray(at + 4, end - 4)) !== buffer.readUInt32BE(end - 4)) {
      throw badPng(`has a wrong checksum in its ${type} chunk at byte ${at}`);
    }
    chunks.push({ type, data: buffer.subarray(at + 8, end - 4) });
    at = end;
    if (type !== 'IEND') continue;
    if (at < buffer.length) throw badPng(`has ${buffer.length - at} bytes after its end`);
    return chunks;
  }
  throw badPng('is cut off before its end');
}

function badPng(what: string): GroundmarkError {
  return new GroundmarkError('bad-png', `The PNG ${what}. Write the image again.`);
}

/** Chunks that carry the picture itself. */
const PICTURE_CHUNKS: ReadonlySet<string> = new Set(['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND']);
/** libvips writes this pHYs (1000 pixels a metre, its "unknown") into every PNG; any other value says something. */
const NEUTRAL_PHYS = '000003e8000003e801';

/**
 * Why a chunk must not be published, or null when it says nothing beyond the picture.
 *
 * Allowed are picture chunks, libvips's constant pHYs, and padding: a private ancillary chunk (PNG section 5.4: first
 * and second letter lower case) that holds only zero bytes.
 */
export function chunkProblem({ type, data }: PngChunk): string | null {
  if (PICTURE_CHUNKS.has(type)) return null;
  if (type === 'pHYs' && Buffer.from(data).toString('hex') === NEUTRAL_PHYS) return null;
  if (/^[a-z]{2}/.test(type)) {
    return data.every((byte) => byte === 0) ? null : `chunk ${type} is padding but not all zero`;
  }
  return `chunk ${type} is not allowed`;
}

/**
 * What a chunk says as bytes, unpacked: keyword and text of tEXt, zTXt, iTXt, name and profile of iCCP, the rest as it
 * lies. Null for picture chunks. A part that does not unpack is given packed.
 */
export function chunkPayload({ type, data }: PngChunk): Uint8Array | null {
  if (PICTURE_CHUNKS.has(type)) return null;
  const buffer = Buffer.from(data);
  const nul = buffer.indexOf(0);
  if (nul < 0) return buffer;
  if (type === 'zTXt' || type === 'iCCP') {
    return join(buffer.subarray(0, nul), unpack(buffer.subarray(nul + 2)));
  }
  if (type === 'iTXt' && buffer[nul + 1] === 1) {
    const language = buffer.indexOf(0, nul + 3);
    const translated = language < 0 ? -1 : buffer.indexOf(0, language + 1);
    if (translated < 0) return buffer;
    return join(
      buffer.subarray(0, nul),
      buffer.subarray(nul + 3, translated),
      unpack(buffer.subarray(translated + 1)),
    );
  }
  return buffer;
}

function join(...parts: readonly Uint8Array[]): Buffer {
  return Buffer.concat(parts.flatMap((part) => [part, Buffer.from('\n')]));
}

function unpack(packed: Uint8Array): Uint8Array {
  try {
    return inflateSync(packed, { maxOutputLength: TEXT_LIMIT_BYTES });
  } catch {
    return packed;
  }
}
