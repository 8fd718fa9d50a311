import { GroundmarkError } from '../../domain/error.js';
import type { Palette } from './palette.js';
import type { FramePixels } from './read-frame-pixels.js';
import type { Samples } from './samples.js';

/** What colouring needs to know of a frame. */
export type ColourFrame = Pick<
  FramePixels,
  'samples' | 'samplesPerPixel' | 'bitsStored' | 'photometricInterpretation' | 'palette'
>;

/** Whether a frame is shown in colour. */
export function isColour({ samplesPerPixel, palette }: ColourFrame): boolean {
  return samplesPerPixel > 1 || palette !== null;
}

/**
 * 8-bit RGB of a colour frame, interleaved. PALETTE COLOR goes through its palette, YBR_FULL and YBR_PARTIAL through
 * PS3.3 C.7.6.3.1.2 (YBR_ICT and YBR_RCT were undone by the codec); samples of more than 8 bits keep their highest 8.
 *
 * @throws {GroundmarkError} `unsupported-pixels` for a colour space without a conversion
 */
export function rgbOf(frame: ColourFrame): Uint8Array {
  const { samples, photometricInterpretation: space, palette } = frame;
  if (palette) return paletteToRgb(samples, palette);
  const bytes = highestByte(frame);
  if (space.startsWith('YBR_FULL')) return fullToRgb(bytes);
  if (space.startsWith('YBR_PARTIAL')) return partialToRgb(bytes);
  if (space === 'RGB' || space === 'YBR_ICT' || space === 'YBR_RCT') return bytes;
  throw new GroundmarkError(
    'unsupported-pixels',
    `Photometric interpretation ${space} with ${frame.samplesPerPixel} samples a pixel cannot be shown. ` +
      'Convert the file to RGB.',
    { photometricInterpretation: space },
  );
}

/** Rec. 601 luma of 8-bit RGB, interleaved, rounded to the nearest level. */
export function lumaOf(rgb: Uint8Array): Uint8Array {
  const luma = new Uint8Array(rgb.length / 3);
  for (let i = 0; i < luma.length; i++) {
    luma[i] = Math.round(0.299 * rgb[i * 3]! + 0.587 * rgb[i * 3 + 1]! + 0.114 * rgb[i * 3 + 2]!);
  }
  return luma;
}

function paletteToRgb(samples: Samples, { first, red, green, blue }: Palette): Uint8Array {
  const rgb = new Uint8Array(samples.length * 3);
  const at = (channel: Uint8Array, index: number): number => channel[Math.min(index, channel.length - 1)]!;
  for (let i = 0; i < samples.length; i++) {
    const index = Math.max(0, samples[i]! - first);
    rgb[i * 3] = at(red, index);
    rgb[i * 3 + 1] = at(green, index);
    rgb[i * 3 + 2] = at(blue, index);
  }
  return rgb;
}

function highestByte({ samples, bitsStored }: ColourFrame): Uint8Array {
  if (samples instanceof Uint8Array && bitsStored === 8) return samples;
  const scale = 2 ** (8 - bitsStored);
  return Uint8Array.from(samples, (value) => Math.floor(value * scale));
}

function fullToRgb(ybr: Uint8Array): Uint8Array {
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

/** Black is Y 16, white Y 235, chrominance 16 to 240 around 128. */
function partialToRgb(ybr: Uint8Array): Uint8Array {
  const rgb = new Uint8ClampedArray(ybr.length);
  for (let i = 0; i + 2 < ybr.length; i += 3) {
    const y = 1.1644 * (ybr[i]! - 16);
    const cb = ybr[i + 1]! - 128;
    const cr = ybr[i + 2]! - 128;
    rgb[i] = y + 1.596 * cr;
    rgb[i + 1] = y - 0.3917 * cb - 0.8129 * cr;
    rgb[i + 2] = y + 2.0173 * cb;
  }
  return new Uint8Array(rgb.buffer);
}
