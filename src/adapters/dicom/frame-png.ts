import sharp from 'sharp';
import type { RenderedFrame } from './render-frame.js';

/** A rendered frame as PNG, greyscale or RGB, without metadata: the same pixels give the same bytes. */
export async function framePng({ bytes, width, height, channels }: RenderedFrame): Promise<Uint8Array> {
  const png = await sharp(bytes, { raw: { width, height, channels } })
    .toColourspace(channels === 1 ? 'b-w' : 'srgb')
    .png({ compressionLevel: 6, adaptiveFiltering: false })
    .toBuffer();
  return new Uint8Array(png);
}
