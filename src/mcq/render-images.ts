import type { IndexRow } from '../domain/index-row.js';
import { sha256 } from '../util/hash.js';
import type { ChosenImage } from './choose-images.js';
import { sameSizePngs } from './pad-png.js';

export interface RenderedImage {
  readonly png: Uint8Array;
  readonly width: number;
  readonly height: number;
}

/** Draws the slices of one item alike, with one window: one image a row, in order. */
export type Render = (
  rows: readonly IndexRow[],
  region: string | null,
  concept: string | null,
) => Promise<RenderedImage[]>;

export interface PublicImage {
  readonly id: string;
  readonly png: Uint8Array;
  readonly sha256: string;
  readonly width: number;
  readonly height: number;
}

/**
 * The images of one item as they are published, `img01` first: stripped to the picture and padded to one size. null when a
 * reference and a comparison image come out the same picture, so that no reader could tell them apart.
 */
export function publicImages(
  chosen: readonly ChosenImage[],
  rendered: readonly RenderedImage[],
): PublicImage[] | null {
  const pngs = sameSizePngs(rendered.map(({ png }) => png));
  const images = rendered.map(({ width, height }, i) => ({
    id: `img${String(i + 1).padStart(2, '0')}`,
    png: pngs[i]!,
    sha256: sha256(pngs[i]!),
    width,
    height,
  }));
  const hashesOf = (role: string): string[] =>
    images.filter((_, i) => chosen[i]!.role === role).map((image) => image.sha256);
  const references = new Set(hashesOf('reference'));
  return hashesOf('comparison').some((hash) => references.has(hash)) ? null : images;
}
