import { loadSharp } from '../load-packages.js';
import type { GreyPicture } from './render-job.js';

/**
 * An 8-bit greyscale PNG with no metadata chunk: the same pixels give the same bytes.
 *
 * @param level - zlib level 0 to 9; sheets use 1 (fast), released images 6
 */
export async function encodeGreyPng({ pixels, width, height }: GreyPicture, level = 6): Promise<Uint8Array> {
  if (pixels.length !== width * height) {
    throw new RangeError(`encodeGreyPng: ${pixels.length} bytes for ${width} × ${height} pixels`);
  }
  const png = await loadSharp()(pixels, { raw: { width, height, channels: 1 } })
    .toColourspace('b-w')
    .png({ compressionLevel: level, adaptiveFiltering: false })
    .toBuffer();
  return new Uint8Array(png);
}

/** A picture read from PNG bytes, scaled down to fit a square; a smaller one keeps its size. */
export async function readGreyPng(png: Uint8Array, size: number): Promise<GreyPicture> {
  const { data, info } = await loadSharp()(png)
    .resize(size, size, { fit: 'inside', withoutEnlargement: true })
    .toColourspace('b-w')
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { pixels: new Uint8Array(data), width: info.width, height: info.height };
}
