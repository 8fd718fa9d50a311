import type { Palette } from './palette.js';
import type { FramePixels } from './read-frame-pixels.js';

/**
 * 8-bit RGB of a colour frame, interleaved. YBR_FULL is converted by PS3.3 C.7.6.3.1.2; samples of more than 8 bits
 * keep their highest 8.
 *
 * @param palette - needed for PALETTE COLOR
 */
export function rgbOf(pixels: FramePixels, palette: Palette | null): Uint8Array {
  const { samples, photometricInterpretation } = pixels;
  if (palette) {
    const last = palette.red.length - 1;
    const rgb = new Uint8Array(samples.length * 3);
    for (let i = 0; i < samples.length; i++) {
      const entry = Math.min(last, Math.max(0, samples[i]! - palette.first));
      rgb.set([palette.red[entry]!, palette.green[entry]!, palette.blue[entry]!], i * 3);
    }
    return rgb;
  }
  const shift = (samples.BYTES_PER_ELEMENT - 1) * 8;
  const bytes = Uint8Array.from(samples, (value) => value >>> shift);
  return photometricInterpretation.startsWith('YBR_FULL') ? ybrToRgb(bytes) : bytes;
}

function ybrToRgb(ybr: Uint8Array): Uint8Array {
  const rgb = new Uint8ClampedArray(ybr.length);
  for (let i = 0; i + 2 < ybr.length; i += 3) {
    const y = ybr[i]!;
    const cb = ybr[i + 1]! - 128;
    const cr = ybr[i + 2]! - 128;
    rgb[i] = y + 1.402 * cr;
    rgb[i + 1] = y - 0.344136 * cb - 0.714136 * cr;
    rgb[i + 2] = y + 1.772 * cb;
  }
  return new Uint8Array(rgb.buffer);
}
