import { crc32 } from 'node:zlib';
import { pngChunks, type PngChunk } from '../adapters/image/png-chunks.js';
import { GroundmarkError } from '../domain/error.js';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** Ancillary, private, safe to copy: W3C PNG, section 5.4. */
const PADDING_TYPE = 'gmPd';
const PICTURE_CHUNKS: ReadonlySet<string> = new Set(['IHDR', 'PLTE', 'IDAT', 'IEND']);

/** Bytes that an empty padding chunk takes: length, type, CRC. */
export const PADDING_MIN = 12;

/** The PNG with its picture only: IHDR, PLTE, IDAT, IEND. Text, time, density and any other chunk are gone. */
export function stripPng(png: Uint8Array): Uint8Array {
  return encodeChunks(pngChunks(png).filter(({ type }) => PICTURE_CHUNKS.has(type)));
}

/**
 * A PNG of exactly `size` bytes: a private chunk of zeros stands before IEND.
 *
 * @throws {GroundmarkError} `bad-size` when `size` is less than the PNG's own size + 12
 */
export function padPng(png: Uint8Array, size: number): Uint8Array {
  const zeros = size - png.length - PADDING_MIN;
  if (zeros < 0) {
    throw new GroundmarkError(
      'bad-size',
      `A PNG of ${png.length} bytes cannot be padded to ${size}: it needs ${png.length + PADDING_MIN} or more.`,
      { bytes: png.length, size },
    );
  }
  const chunks = pngChunks(png);
  const padding = { type: PADDING_TYPE, data: new Uint8Array(zeros) };
  return encodeChunks([...chunks.slice(0, -1), padding, chunks.at(-1)!]);
}

/** The images of one item, stripped and padded to one size: the largest plus an empty chunk, so that each has one. */
export function sameSizePngs(pngs: readonly Uint8Array[]): Uint8Array[] {
  const stripped = pngs.map(stripPng);
  const size = Math.max(...stripped.map(({ length }) => length)) + PADDING_MIN;
  return stripped.map((png) => padPng(png, size));
}

function encodeChunks(chunks: readonly PngChunk[]): Uint8Array {
  const parts = chunks.flatMap(({ type, data }) => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
    const frame = Buffer.alloc(8);
    frame.writeUInt32BE(data.length, 0);
    frame.writeUInt32BE(crc32(body), 4);
    return [frame.subarray(0, 4), body, frame.subarray(4)];
  });
  return new Uint8Array(Buffer.concat([SIGNATURE, ...parts]));
}
