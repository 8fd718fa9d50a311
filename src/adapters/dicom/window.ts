import { GroundmarkError } from '../../domain/error.js';
import type { FramePixels, Window } from './read-frame-pixels.js';

/** Values after the modality transform (Hounsfield units for CT): stored × slope + intercept, in the samples' order. */
export function modalityValues(pixels: Pick<FramePixels, 'samples' | 'slope' | 'intercept'>): Float32Array {
  const { samples, slope, intercept } = pixels;
  const values = new Float32Array(samples.length);
  for (let i = 0; i < samples.length; i++) values[i] = samples[i]! * slope + intercept;
  return values;
}

/**
 * 8-bit grey levels of a linear VOI window, PS3.3 C.11.2.1.2.1, rounded to the nearest level.
 *
 * @param invert - true for MONOCHROME1, whose lowest value is shown white
 * @throws {GroundmarkError} `bad-window` when the width is below 1
 */
export function applyWindow(
  values: Float32Array,
  { center, width }: Window,
  options: { readonly invert?: boolean } = {},
): Uint8Array {
  if (!Number.isFinite(center) || !(width >= 1)) {
    throw new GroundmarkError(
      'bad-window',
      `Window centre ${center}, width ${width}: the width of a linear window is at least 1 (PS3.3 C.11.2.1.2.1).`,
      { center, width },
    );
  }
  const lowest = center - 0.5 - (width - 1) / 2;
  const highest = center - 0.5 + (width - 1) / 2;
  const out = new Uint8Array(values.length);
  for (let i = 0; i < values.length; i++) {
    const x = values[i]!;
    // Not a number (float pixel data) is drawn as the lowest level.
    let y = 0;
    if (x > highest) y = 255;
    else if (x > lowest) y = Math.round(((x - (center - 0.5)) / (width - 1) + 0.5) * 255);
    out[i] = options.invert ? 255 - y : y;
  }
  return out;
}

/** Named windows [centre, width] in Hounsfield units, in common clinical use. */
export const WINDOW_PRESETS: Readonly<Record<string, Window>> = {
  brain: { center: 40, width: 80 },
  stroke: { center: 32, width: 8 },
  subdural: { center: 75, width: 215 },
  'soft-tissue': { center: 50, width: 400 },
  abdomen: { center: 50, width: 400 },
  liver: { center: 60, width: 160 },
  mediastinum: { center: 50, width: 350 },
  lung: { center: -600, width: 1500 },
  bone: { center: 500, width: 2000 },
};

/** The window between the 1st and the 99th percentile of the finite values; at least 1 wide. */
export function autoWindow(values: Float32Array): Window {
  const sorted = values.filter(Number.isFinite).sort();
  if (sorted.length === 0) return { center: 0, width: 1 };
  const low = sorted[Math.floor((sorted.length - 1) * 0.01)]!;
  const high = sorted[Math.ceil((sorted.length - 1) * 0.99)]!;
  return { center: (low + high) / 2, width: Math.max(1, high - low) };
}
