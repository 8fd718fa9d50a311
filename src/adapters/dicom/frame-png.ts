import { loadSharp } from '../load-packages.js';
import type { RenderedFrame } from './render-frame.js';

/** On slices a hundredth larger than zlib's usual 6, in half the time. */
const COMPRESSION_LEVEL = 2;

/** A rendered frame as PNG, greyscale or RGB, without metadata: the same pixels give the same bytes. */
export async function framePng({ bytes, width, height, channels }: RenderedFrame): Promise<Uint8Array> {
  const png = await loadSharp()(bytes, { raw: { width, height, channels } })
    .toColourspace(channels === 1 ? 'b-w' : 'srgb')
    .png({ compressionLevel: COMPRESSION_LEVEL, adaptiveFiltering: false })
    .toBuffer();
  return new Uint8Array(png);
}
