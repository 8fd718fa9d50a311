import { sliceNormal } from '../../domain/geometry.js';
import type { Mosaic } from '../../domain/geometry-mosaic.js';
import { csaNumbers, readCsaHeader } from './mosaic-csa.js';

/** What a header says about a picture that may be a mosaic. */
export interface MosaicInput {
  readonly imageType: readonly string[] | null;
  /** Raw value of (0029,1010), private creator SIEMENS CSA HEADER. Only needed when the picture may be a mosaic. */
  readonly csaImageHeader: Uint8Array | null;
  /** (0019,100A) NumberOfImagesInMosaic, private creator SIEMENS MR HEADER. */
  readonly siemensImageCount: number | null;
  readonly rows: number | null;
  readonly columns: number | null;
  readonly imagePositionPatient: readonly number[] | null;
  readonly imageOrientationPatient: readonly number[] | null;
  readonly pixelSpacingMm: readonly number[] | null;
  /** (0018,0088) SpacingBetweenSlices, mm. */
  readonly spacingBetweenSlicesMm?: number | null;
}

/** Whether it is worth reading a CSA header: ImageType says MOSAIC, or Siemens gives a number of images. */
export function mayBeMosaic(imageType: readonly string[] | null, siemensImageCount: number | null): boolean {
  return (siemensImageCount ?? 0) > 1 || (imageType?.includes('MOSAIC') ?? false);
}

/**
 * The mosaic that a Siemens picture is: slices of one time point laid side by side in rows, the lowest count of equal
 * tiles a side that holds them all.
 *
 * @returns null for a picture that is no mosaic, and for one whose number of images is unknown or does not fit its size
 */
export function mosaicOf(input: MosaicInput): Mosaic | null {
  const { imageType, csaImageHeader, siemensImageCount, rows, columns } = input;
  if (!mayBeMosaic(imageType, siemensImageCount) || !rows || !columns) return null;
  const csa = csaImageHeader ? readCsaHeader(csaImageHeader) : null;
  const images = siemensImageCount ?? (csa && csaNumbers(csa, 'NumberOfImagesInMosaic', 1)?.[0]) ?? 0;
  if (!Number.isInteger(images) || images < 1) return null;
  const perSide = Math.ceil(Math.sqrt(images));
  if (rows % perSide !== 0 || columns % perSide !== 0) return null;
  const tile = { rows: rows / perSide, columns: columns / perSide };
  const named = csa && csaNumbers(csa, 'SliceNormalVector', 3);
  return {
    images,
    ...tile,
    imagePositionPatient: firstTilePosition(input, tile),
    spacingMm: input.spacingBetweenSlicesMm ?? null,
    // Tiles can follow each other against row × column; the CSA header says which way they go.
    sliceNormal: named ?? sliceNormal(input.imageOrientationPatient)?.slice() ?? null,
  };
}

/**
 * ImagePositionPatient of the first tile. Siemens writes the position that one slice as large as the whole mosaic, and
 * with the same centre, would have: the corner moves in by half of what the mosaic is larger.
 */
function firstTilePosition(
  { imagePositionPatient: corner, imageOrientationPatient: iop, pixelSpacingMm, rows, columns }: MosaicInput,
  tile: { readonly rows: number; readonly columns: number },
): number[] | null {
  if (corner?.length !== 3 || iop?.length !== 6 || pixelSpacingMm?.length !== 2) return null;
  const across = ((columns! - tile.columns) / 2) * pixelSpacingMm[1]!;
  const down = ((rows! - tile.rows) / 2) * pixelSpacingMm[0]!;
  return corner.map((mm, axis) => mm + across * iop[axis]! + down * iop[axis + 3]!);
}
