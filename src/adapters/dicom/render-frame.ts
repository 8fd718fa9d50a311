import { displayOrientation, reorient } from '../../domain/geometry.js';
import { isColour, rgbOf } from './colour.js';
import { greyLevels } from './grey-levels.js';
import type { FramePixels } from './read-frame-pixels.js';
import { autoWindow, distributionOf } from './value-distribution.js';
import { isUsable, type Voi } from './voi.js';

/** How to choose the window: the file's own, by percentiles, or a given one. */
export type VoiChoice = 'file' | 'auto' | Voi;

/** A frame as it is shown: 8-bit, 1 (grey) or 3 (RGB) channels, row-major, interleaved. */
export interface RenderedFrame {
  readonly bytes: Uint8Array;
  readonly width: number;
  readonly height: number;
  readonly channels: 1 | 3;
  /** The window or VOI LUT that was applied; null for colour. */
  readonly voi: Voi | null;
}

/**
 * A frame windowed and turned to the radiological view; the pixel matrix is kept.
 *
 * @param imageOrientationPatient - null leaves the frame as it is stored
 * @throws {GroundmarkError} `bad-window`, `unsupported-pixels`
 */
export function renderFrame(
  pixels: FramePixels,
  imageOrientationPatient: readonly number[] | null,
  choice: VoiChoice,
): RenderedFrame {
  const channels = isColour(pixels) ? 3 : 1;
  const voi = channels === 3 ? null : chooseVoi(pixels, choice);
  const bytes = voi === null ? rgbOf(pixels) : greyLevels(pixels, voi);
  const orientation = displayOrientation(imageOrientationPatient);
  const { transpose, flipRows, flipColumns } = orientation;
  if (!transpose && !flipRows && !flipColumns) {
    return { bytes, width: pixels.columns, height: pixels.rows, channels, voi };
  }
  const shown = reorient(bytes, pixels.rows, pixels.columns, orientation, channels);
  return { bytes: shown.samples, width: shown.columns, height: shown.rows, channels, voi };
}

/** The file's own display: its first VOI LUT, else its first usable window, else the automatic one. */
export function chooseVoi(pixels: FramePixels, choice: VoiChoice): Voi {
  if (typeof choice === 'object') return choice;
  const own = choice === 'file' ? (pixels.voiTables[0] ?? pixels.windows.find(isUsable)) : undefined;
  return own ?? autoWindow(distributionOf([pixels]));
}
