import { displayOrientation, reorient } from '../../domain/geometry.js';
import { forFrames, modalityValues } from '../../adapters/dicom/index.js';

/** One slice file, as jobs get it. */
export interface SliceSource {
  /** Absolute. */
  readonly file: string;
  readonly frame: number;
  readonly orientation: readonly number[] | null;
}

/** A stack on a coarse grid in display orientation: column 0 is the patient's right in an axial stack. */
export interface CoarseStack {
  readonly width: number;
  readonly height: number;
  /** One array a slice, by position, row-major, modality values. */
  readonly slices: readonly Float32Array[];
}

/** Longest side of the coarse grid. */
const GRID = 96;

/** Reads a stack and averages it down to the coarse grid. */
export async function loadCoarseStack(sources: readonly SliceSource[]): Promise<CoarseStack> {
  const slices: Float32Array[] = [];
  let width = 0;
  let height = 0;
  await forFrames(sources, (pixels, i) => {
    const { orientation } = sources[i]!;
    const values = modalityValues(pixels);
    const turned = reorient(values, pixels.rows, pixels.columns, displayOrientation(orientation));
    const factor = Math.max(1, Math.ceil(Math.max(turned.rows, turned.columns) / GRID));
    width = Math.floor(turned.columns / factor);
    height = Math.floor(turned.rows / factor);
    slices.push(boxAverage(turned.samples, turned.columns, width, height, factor));
  });
  return { width, height, slices };
}

function boxAverage(
  values: Float32Array,
  columns: number,
  width: number,
  height: number,
  factor: number,
): Float32Array {
  const out = new Float32Array(width * height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      let sum = 0;
      for (let row = y * factor; row < (y + 1) * factor; row++) {
        const start = row * columns + x * factor;
        for (let i = start; i < start + factor; i++) sum += values[i]!;
      }
      out[y * width + x] = sum / (factor * factor);
    }
  }
  return out;
}
