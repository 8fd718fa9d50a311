import { components, type Component } from './text/components.js';
import { halved, makePlane, negated, topHat, windowMax, type Plane } from './text/plane.js';
import { textLines, type TextLine } from './text/text-lines.js';

/** Where a row of text lies, pixels; `row` and `column` are its upper left corner. */
export interface TextBox {
  readonly row: number;
  readonly column: number;
  readonly height: number;
  readonly width: number;
}

export interface BurnedInText {
  /** 0 to 1, of the line that stands out most; 0 when there is none. */
  readonly score: number;
  /** By row, then column. */
  readonly boxes: readonly TextBox[];
  readonly hasText: boolean;
}

/** Half the side of the window that strokes are narrower than, pixels. */
const STROKE_RADIUS = 4;
/** Half the side of the neighbourhood in which a stroke's pixels are compared with the strongest, pixels. */
const LETTER_RADIUS = 6;
/** Steps that the picture's range of values is counted in. */
const STEPS = 400;
/** A stroke stands out from what is around it by at least this share of the range. */
const MIN_CONTRAST = 0.3;
/** Smallest side of a picture that is searched, pixels: text is a few letters wide. */
const MIN_SIDE = 24;
// Of looked-at pictures the least text had 0.62, and the most that phantom anatomy came to was 0.51.
const MIN_SCORE = 0.56;
/** Fewer pixels that stand out cannot be four letters. */
const MIN_PIXELS = 24;

/**
 * Rows of letters drawn into a picture: thin strokes of one brightness, letters of one height on one baseline, nothing
 * between them. It finds text by its look, reads nothing, and misses handwriting, text along a slope and fewer than
 * four letters in a row.
 *
 * Strokes are what a morphological opening takes away (top-hats of both signs), at full size and at every half size.
 *
 * @param pixels - stored values, rows × columns × samplesPerPixel, row-major, interleaved; no window is needed
 */
export function detectBurnedInText(
  pixels: ArrayLike<number>,
  rows: number,
  columns: number,
  samplesPerPixel: number,
): BurnedInText {
  // One kind of array: the loops below stay fast whatever the stored type.
  const values = new Float32Array(pixels);
  const size = { rows, columns };
  const bright = planeOf(channel(values, samplesPerPixel, 1), size);
  // Of colours, dark strokes are best seen in the darkest sample.
  const dark = samplesPerPixel === 1 ? negated(bright) : planeOf(channel(values, samplesPerPixel, -1), size);
  const boxes: TextBox[] = [];
  let best = 0;
  for (let plane of [bright, dark]) {
    for (let scale = 1; Math.min(plane.rows, plane.columns) >= MIN_SIDE; plane = halved(plane), scale *= 2) {
      for (const { components: letters, score } of linesOf(plane)) {
        if (score < MIN_SCORE) continue;
        best = Math.max(best, score);
        boxes.push(boxOf(letters, scale));
      }
    }
  }
  const kept = withoutInner(boxes).sort((a, b) => a.row - b.row || a.column - b.column);
  return { score: best, boxes: kept, hasText: kept.length > 0 };
}

/** The brightest sample of every pixel (sign 1), or the darkest turned bright (−1). */
function channel(values: Float32Array, samplesPerPixel: number, sign: 1 | -1): Float32Array {
  if (samplesPerPixel === 1) return values;
  const out = new Float32Array(values.length / samplesPerPixel);
  for (let i = 0; i < out.length; i++) {
    let best = -Infinity;
    for (let s = 0; s < samplesPerPixel; s++) best = Math.max(best, sign * values[i * samplesPerPixel + s]!);
    out[i] = best;
  }
  return out;
}

/** The picture in steps of its range of values. */
function planeOf(values: Float32Array, { rows, columns }: { rows: number; columns: number }): Plane {
  const { middle, range } = valueRange(values);
  const plane = makePlane(rows, columns);
  const scale = range > 0 ? STEPS / range : 0;
  for (let row = 0; row < rows; row++) {
    const to = plane.origin + row * plane.stride;
    for (let column = 0; column < columns; column++) {
      const step = (values[row * columns + column]! - middle) * scale;
      // A value that is no number is taken for the middle.
      plane.values[to + column] = step > 15_000 ? 15_000 : step < -15_000 ? -15_000 : step;
    }
  }
  return plane;
}

/** Range of the values without the outermost hundredth; of a picture that is all background, a share of the whole range. */
function valueRange(values: Float32Array): { middle: number; range: number } {
  const step = Math.max(1, Math.floor(values.length / 8_000));
  const sample = new Float32Array(Math.ceil(values.length / step));
  for (let i = 0; i < sample.length; i++) sample[i] = values[i * step]!;
  sample.sort();
  let least = Infinity;
  let most = -Infinity;
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!;
    if (value < least) least = value;
    if (value > most) most = value;
  }
  const low = sample[Math.floor(sample.length * 0.005)]!;
  const high = sample[Math.min(sample.length - 1, Math.floor(sample.length * 0.995))]!;
  return { middle: (low + high) / 2, range: Math.max(high - low, 0.15 * (most - least)) };
}

function linesOf(plane: Plane): TextLine[] {
  const least = Math.round(MIN_CONTRAST * STEPS);
  const strength = topHat(plane, STROKE_RADIUS);
  if (countAtLeast(strength.values, least) < MIN_PIXELS) return [];
  const threshold = windowMax(strength, LETTER_RADIUS);
  // Half of the strongest nearby: letters that a blurred edge would join come apart.
  const { values } = threshold;
  for (let i = 0; i < values.length; i++) {
    const half = values[i]! >> 1;
    values[i] = half > least ? half : least;
  }
  const surface = { strength, threshold };
  return textLines(components(surface), surface);
}

function countAtLeast(values: Int16Array, least: number): number {
  let count = 0;
  for (let i = 0; i < values.length; i++) if (values[i]! >= least) count++;
  return count;
}

function boxOf(letters: readonly Component[], scale: number): TextBox {
  const top = Math.min(...letters.map((letter) => letter.top));
  const bottom = Math.max(...letters.map((letter) => letter.bottom));
  const left = Math.min(...letters.map((letter) => letter.left));
  const right = Math.max(...letters.map((letter) => letter.right));
  return {
    row: top * scale,
    column: left * scale,
    height: (bottom - top + 1) * scale,
    width: (right - left + 1) * scale,
  };
}

/** Boxes whose middle lies in no larger box. */
function withoutInner(boxes: readonly TextBox[]): TextBox[] {
  const bySize = [...boxes].sort((a, b) => b.width * b.height - a.width * a.height);
  const kept: TextBox[] = [];
  for (const box of bySize) {
    const row = box.row + box.height / 2;
    const column = box.column + box.width / 2;
    const inside = kept.some(
      (k) => row >= k.row && row < k.row + k.height && column >= k.column && column < k.column + k.width,
    );
    if (!inside) kept.push(box);
  }
  return kept;
}
