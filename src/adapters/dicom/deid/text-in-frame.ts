import type { FramePixels } from '../read-frame-pixels.js';
import { detectBurnedInText } from './detect-burned-in-text.js';

/** Raised when the same file may be judged otherwise than before: kept judgments are then made again. */
export const TEXT_SEARCH_VERSION = 3;

/** Whether a frame's stored values show a row of letters; of YBR the luminance, which letters are drawn in. */
export function textInFrame(
  frame: Pick<FramePixels, 'samples' | 'rows' | 'columns' | 'samplesPerPixel' | 'photometricInterpretation'>,
): boolean {
  const { samples, rows, columns, samplesPerPixel } = frame;
  if (samplesPerPixel !== 3 || !frame.photometricInterpretation.startsWith('YBR')) {
    return detectBurnedInText(samples, rows, columns, samplesPerPixel).hasText;
  }
  const luminance = Float32Array.from({ length: rows * columns }, (_, i) => samples[3 * i]!);
  return detectBurnedInText(luminance, rows, columns, 1).hasText;
}
