import type { Texture } from './grid.js';
import { noiseAt } from './noise.js';
import { squaredDistance, type Shape } from './shape.js';

/** Sample values that the texture of organs is made of. */
export interface Inks {
  readonly grey: number;
  readonly white: number;
  readonly csf: number;
  readonly vessel: number;
  readonly blood: number;
}

const clamp = (value: number): number => (value < 0 ? 0 : value > 1 ? 1 : value);

/**
 * Brain at a point: a grey ribbon over white matter; the zero surfaces of smooth noise are sulci that reach in from the
 * outside. Where the image is too coarse for sulci (`blurred`), only ribbon and core.
 */
export function cortexInk(
  shape: Shape,
  x: number,
  y: number,
  z: number,
  texture: Texture,
  inks: Inks,
  blurred: boolean,
): number {
  const depth = (1 - Math.sqrt(squaredDistance(shape, x, y, z))) * shape.radiusMm;
  if (blurred) return inks.white + clamp((13 - depth) / 6) * (inks.grey - inks.white);
  if (depth > 22) return inks.white;
  const ripple = noiseAt(texture.b, x / 9, y / 9, z / 9);
  const fold = Math.abs(noiseAt(texture.a, x / 11, y / 11, z / 13) + 0.25 * ripple);
  const reach = clamp((14 + 6 * ripple - depth) / 5);
  // Sulci are widest at the surface.
  const width = 0.1 * clamp(1.15 - depth / 20);
  const sulcus = 0.85 * clamp((width - fold) / 0.08 + 0.15) * reach;
  const ribbon = Math.max(clamp((4.5 + 2 * ripple - depth) / 1.8), clamp((0.36 - fold) / 0.12) * reach);
  const brain = inks.white + ribbon * (inks.grey - inks.white);
  return brain + sulcus * (inks.csf - brain);
}

/** Lung or mesentery at a point: vessels where two smooth noises are zero together; in the lung wider near the hila. */
export function vesselInk(
  plain: number,
  kind: 'lung' | 'mesentery',
  x: number,
  y: number,
  z: number,
  texture: Texture,
  inks: Inks,
): number {
  let width = 0.045;
  let stretch = 1 / 26;
  if (kind === 'lung') {
    const away = Math.sqrt(((Math.abs(x) - 36) / 60) ** 2 + (y / 60) ** 2 + ((z - 118) / 95) ** 2);
    width = Math.max(0.05, 0.15 - 0.06 * away);
    stretch = 1 / 15;
  }
  const first = noiseAt(texture.a, x * stretch, y * stretch, z * stretch * 0.6);
  if (first > width || first < -width) return plain;
  const second = noiseAt(texture.b, x * stretch, y * stretch, z * stretch * 0.6);
  const inVessel = clamp((width - Math.sqrt(first * first + second * second)) / (0.5 * width));
  return plain + inVessel * ((kind === 'lung' ? inks.vessel : inks.blood) - plain);
}
