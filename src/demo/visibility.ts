import type { PixelBox } from './pixel-box.js';

/**
 * Signal-to-noise above which a uniform area is seen with certainty: Rose's criterion asks for about 5 (A. Rose,
 * J. Opt. Soc. Am. 38, 1948); 10 leaves room for texture that is not noise.
 */
const ROSE_RATIO = 10;
/** Contrast over noise below which a pixel does not stand out, however large the area. */
const LEAST_CONTRAST_RATIO = 1.5;
/** An area of fewer pixels is a speck. */
const LEAST_PIXELS = 8;

/**
 * Whether a finding can really be seen on a slice: the slices with and without it, before grain, are compared over the
 * area in which it stands out from the noise.
 *
 * @param grain - standard deviation of the series' noise, in the samples' unit
 * @param box - where the finding lies; nothing outside it is looked at
 */
export function isVisible(
  withFinding: Float32Array,
  without: Float32Array,
  grain: number,
  box: PixelBox,
  columns: number,
): boolean {
  let sum = 0;
  let area = 0;
  for (let r = box.top; r <= box.bottom; r++) {
    for (let i = r * columns + box.left; i <= r * columns + box.right; i++) {
      const contrastRatio = Math.abs(withFinding[i]! - without[i]!) / grain;
      if (contrastRatio < LEAST_CONTRAST_RATIO) continue;
      sum += contrastRatio;
      area++;
    }
  }
  // The mean contrast times the root of the area.
  return area >= LEAST_PIXELS && sum / Math.sqrt(area) >= ROSE_RATIO;
}
