import { displayOrientation, reorient } from '../../domain/geometry.js';
import { rgbOf } from './colour.js';
import { readPalette } from './palette.js';
import type { FramePixels, Window } from './read-frame-pixels.js';
import { applyWindow, autoWindow, modalityValues } from './window.js';

/** A frame as it is shown: 8-bit, 1 (grey) or 3 (RGB) channels, row-major, interleaved. */
export interface RenderedFrame {
  readonly bytes: Uint8Array;
  readonly width: number;
  readonly height: number;
  readonly channels: 1 | 3;
  /** The window that was applied; null for colour. */
  readonly window: Window | null;
}

/**
 * A frame windowed and turned to the radiological view; the pixel matrix is kept.
 *
 * @param window - a window, `auto` (1st to 99th percentile), or null: the file's first window, else `auto`
 * @throws {GroundmarkError} `bad-window`, `unsupported-pixels`
 */
export async function renderFrame(
  file: string,
  pixels: FramePixels,
  imageOrientationPatient: readonly number[] | null,
  window: Window | 'auto' | null,
): Promise<RenderedFrame> {
  const palette = pixels.photometricInterpretation === 'PALETTE COLOR' ? await readPalette(file) : null;
  const channels = palette || pixels.samplesPerPixel === 3 ? 3 : 1;
  let used: Window | null = null;
  let bytes: Uint8Array;
  if (channels === 3) {
    bytes = rgbOf(pixels, palette);
  } else {
    const values = modalityValues(pixels);
    const usable = pixels.windows.find(({ width }) => width >= 1);
    used = window === null ? (usable ?? autoWindow(values)) : window === 'auto' ? autoWindow(values) : window;
    bytes = applyWindow(values, used, { invert: pixels.photometricInterpretation === 'MONOCHROME1' });
  }
  const orientation = displayOrientation(imageOrientationPatient);
  const shown = reorient(bytes, pixels.rows, pixels.columns, orientation, channels);
  return { bytes: shown.samples, width: shown.columns, height: shown.rows, channels, window: used };
}
