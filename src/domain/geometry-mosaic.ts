import { GroundmarkError } from './error.js';

/** A Siemens mosaic: the slices of one time point in one picture. */
export interface Mosaic {
  /** Slices in it; the tiles after the last are empty. */
  images: number;
  /** Rows of one tile. */
  rows: number;
  /** Columns of one tile. */
  columns: number;
  /** Centre of the first tile's first pixel, mm; null when the picture gives no position, orientation or spacing. */
  imagePositionPatient: number[] | null;
  /** From one tile to the next along `sliceNormal`, mm. */
  spacingMm: number | null;
  /** Unit vector from each tile to the next; null when unknown. */
  sliceNormal: number[] | null;
}

/**
 * ImagePositionPatient of every tile, in tile order, mm.
 *
 * @returns null when position, spacing or direction is unknown
 */
export function mosaicGeometry(mosaic: Mosaic): number[][] | null {
  const { images, imagePositionPatient: first, sliceNormal: normal, spacingMm } = mosaic;
  if (!first || !normal || spacingMm === null) return null;
  return Array.from({ length: images }, (_, tile) =>
    first.map((mm, axis) => mm + tile * spacingMm * normal[axis]!),
  );
}

/**
 * The slices of a mosaic, each rows × columns of a tile, row-major.
 *
 * @param samples - the whole picture, rows × columns, one sample a pixel
 * @param images - slices in it; tiles run along the rows first
 * @throws {GroundmarkError} `bad-mosaic` when the size is no multiple of the tiles a side, or the samples are too few
 */
export function unpackMosaic<T extends Uint8Array | Uint16Array | Int16Array | Float32Array>(
  samples: T,
  rows: number,
  columns: number,
  images: number,
): T[] {
  const perSide = Math.ceil(Math.sqrt(images));
  const whole = Number.isInteger(images) && images > 0 && rows % perSide === 0 && columns % perSide === 0;
  if (!whole || samples.length < rows * columns) {
    throw new GroundmarkError(
      'bad-mosaic',
      `A mosaic of ${images} slices cannot be cut from ${rows} × ${columns} pixels (${samples.length} samples). ` +
        `Show the picture as it is, or leave it out.`,
      { rows, columns, images, samples: samples.length },
    );
  }
  const tileRows = rows / perSide;
  const tileColumns = columns / perSide;
  return Array.from({ length: images }, (_, tile) => {
    const out = samples.slice(0, tileRows * tileColumns) as T;
    const corner = Math.floor(tile / perSide) * tileRows * columns + (tile % perSide) * tileColumns;
    for (let row = 0; row < tileRows; row++) {
      const from = corner + row * columns;
      out.set(samples.subarray(from, from + tileColumns), row * tileColumns);
    }
    return out;
  });
}
