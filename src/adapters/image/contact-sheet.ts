import { drawLabel } from './glyphs.js';
import type { GreyPicture } from './render-job.js';

export interface SheetTile {
  readonly label: string;
  readonly picture: GreyPicture;
}

const COLUMNS = 4;
const ROWS = 3;
const LABEL_PX = 22;
/** Grey of the empty places of a last sheet. */
const EMPTY = 24;

/**
 * A sheet of 4 × 3 tiles in reading order, each with its label on a black box in its upper left corner, so that the
 * label reads over any background. Missing tiles at the end stay dark grey.
 *
 * @param tiles - 1 to 12, each at most `tileSize` wide and high
 */
export function drawContactSheet(tiles: readonly SheetTile[], tileSize: number): GreyPicture {
  if (tiles.length === 0 || tiles.length > COLUMNS * ROWS) {
    throw new RangeError(`drawContactSheet: ${tiles.length} tiles; a sheet holds 1 to ${COLUMNS * ROWS}`);
  }
  const width = COLUMNS * tileSize;
  const height = ROWS * tileSize;
  const pixels = new Uint8Array(width * height).fill(EMPTY);
  tiles.forEach(({ label, picture }, i) => {
    if (picture.width > tileSize || picture.height > tileSize) {
      throw new RangeError(`drawContactSheet: tile ${i} is larger than ${tileSize} pixels`);
    }
    const left = (i % COLUMNS) * tileSize;
    const top = Math.floor(i / COLUMNS) * tileSize;
    fill(pixels, width, left, top, tileSize, tileSize, 0);
    const x = left + Math.floor((tileSize - picture.width) / 2);
    const y = top + Math.floor((tileSize - picture.height) / 2);
    for (let row = 0; row < picture.height; row++) {
      const line = picture.pixels.subarray(row * picture.width, (row + 1) * picture.width);
      pixels.set(line, (y + row) * width + x);
    }
    frame(pixels, width, left, top, tileSize);
    putLabel(pixels, width, left + 3, top + 3, label);
  });
  return { pixels, width, height };
}

function putLabel(pixels: Uint8Array, width: number, left: number, top: number, label: string): void {
  const glyphs = drawLabel(label, LABEL_PX);
  fill(pixels, width, left, top, glyphs.width, glyphs.height, 0);
  for (let row = 0; row < glyphs.height; row++) {
    const line = glyphs.coverage.subarray(row * glyphs.width, (row + 1) * glyphs.width);
    pixels.set(line, (top + row) * width + left);
  }
}

/** A one-pixel line between tiles. */
function frame(pixels: Uint8Array, width: number, left: number, top: number, size: number): void {
  fill(pixels, width, left, top, size, 1, 90);
  fill(pixels, width, left, top, 1, size, 90);
}

function fill(
  pixels: Uint8Array,
  width: number,
  left: number,
  top: number,
  boxWidth: number,
  boxHeight: number,
  value: number,
): void {
  for (let row = top; row < top + boxHeight; row++) {
    pixels.fill(value, row * width + left, row * width + left + boxWidth);
  }
}
