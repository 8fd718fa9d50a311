import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { rng } from '../../src/util/rng.js';

/** A small grey PNG of seeded noise. */
export async function noisePng(seed: string, width = 24, height = 20): Promise<Buffer> {
  const random = rng(seed, 'noise');
  const pixels = Uint8Array.from({ length: width * height }, () => random.int(256));
  return sharp(pixels, { raw: { width, height, channels: 1 } })
    .toColourspace('b-w')
    .png()
    .toBuffer();
}

/** A PNG with one more chunk before IEND (the last 12 bytes). */
export function withChunk(png: Buffer, type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const crc = Buffer.alloc(4);
  crc.writeUInt32BE(crc32(body));
  const end = png.length - 12;
  return Buffer.concat([png.subarray(0, end), length, body, crc, png.subarray(end)]);
}

/** Padded with a private chunk of zeros to a size in bytes. */
export function paddedTo(png: Buffer, size: number): Buffer {
  return withChunk(png, 'paDd', Buffer.alloc(size - png.length - 12));
}

export const textChunk = (png: Buffer, text: string): Buffer =>
  withChunk(png, 'tEXt', Buffer.from(`Comment\0${text}`, 'latin1'));

export const compressedTextChunk = (png: Buffer, text: string): Buffer =>
  withChunk(png, 'zTXt', Buffer.concat([Buffer.from('Comment\0\0', 'latin1'), deflateSync(text)]));

export const internationalTextChunk = (png: Buffer, text: string): Buffer =>
  withChunk(
    png,
    'iTXt',
    Buffer.concat([Buffer.from('Comment\0\u0001\0en\0note\0', 'latin1'), deflateSync(Buffer.from(text))]),
  );
