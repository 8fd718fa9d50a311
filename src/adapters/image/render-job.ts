import sharp from 'sharp';
import { displayOrientation, reorient } from '../../domain/geometry.js';
import { applyWindow, modalityValues, readFramePixels, type FramePixels } from '../dicom/index.js';
import { percentileWindow, type WindowChoice } from './window.js';

/** One slice to draw. */
export interface RenderSlice {
  /** Absolute. */
  readonly file: string;
  readonly frame: number;
  readonly orientation: readonly number[] | null;
  readonly pixelSpacingMm: readonly number[] | null;
}

/** Slices that are drawn together, with one window. */
export interface RenderInput {
  readonly slices: readonly RenderSlice[];
  readonly window: WindowChoice;
  /** Longest side of the picture in pixels; null keeps the stored matrix. */
  readonly size: number | null;
}

/** 8-bit greyscale, row-major, reoriented for display, pixels square. */
export interface GreyPicture {
  readonly pixels: Uint8Array;
  readonly width: number;
  readonly height: number;
}

/**
 * Draws slices as 8-bit pictures: window, then display orientation (patient's right on the left side), then square
 * pixels. One window for all of them.
 */
export async function run(input: RenderInput): Promise<GreyPicture[]> {
  const frames: FramePixels[] = [];
  for (const { file, frame } of input.slices) frames.push(await readFramePixels(file, frame));
  const values = frames.map((frame) => (frame.samplesPerPixel === 1 ? modalityValues(frame) : luma(frame)));
  const window = 'percentiles' in input.window ? stretch(values, input.window.percentiles) : input.window;
  const pictures: GreyPicture[] = [];
  for (let i = 0; i < frames.length; i++) {
    const { rows, columns, photometricInterpretation } = frames[i]!;
    const invert = photometricInterpretation === 'MONOCHROME1';
    const bytes = applyWindow(values[i]!, window, { invert });
    const slice = input.slices[i]!;
    pictures.push(await square(bytes, rows, columns, slice, input.size));
  }
  return pictures;
}

async function square(
  bytes: Uint8Array,
  rows: number,
  columns: number,
  slice: RenderSlice,
  size: number | null,
): Promise<GreyPicture> {
  const orientation = slice.orientation === null ? null : displayOrientation([...slice.orientation]);
  const turned = orientation === null ? bytes : reorient(bytes, rows, columns, orientation).samples;
  const transposed = orientation?.transpose === true;
  const height = transposed ? columns : rows;
  const width = transposed ? rows : columns;
  const [down, across] = slice.pixelSpacingMm ?? [1, 1];
  const [stepDown, stepAcross] = transposed ? [across ?? 1, down ?? 1] : [down ?? 1, across ?? 1];
  const finest = Math.min(stepDown, stepAcross);
  const full = {
    width: Math.round((width * stepAcross) / finest),
    height: Math.round((height * stepDown) / finest),
  };
  const scale = size === null ? 1 : size / Math.max(full.width, full.height);
  const target = {
    width: Math.max(1, Math.round(full.width * scale)),
    height: Math.max(1, Math.round(full.height * scale)),
  };
  if (target.width === width && target.height === height) return { pixels: turned, width, height };
  const pixels = await sharp(turned, { raw: { width, height, channels: 1 } })
    .resize(target.width, target.height, { fit: 'fill', kernel: 'cubic' })
    .toColourspace('b-w')
    .raw()
    .toBuffer();
  return { pixels: new Uint8Array(pixels), ...target };
}

function joined(arrays: readonly Float32Array[]): Float32Array {
  const all = new Float32Array(arrays.reduce((n, a) => n + a.length, 0));
  let at = 0;
  for (const array of arrays) {
    all.set(array, at);
    at += array.length;
  }
  return all;
}

/** Scales values in place so that the percentiles span 0 to 4095, and gives the window that shows that span. */
function stretch(
  values: readonly Float32Array[],
  percentiles: readonly [number, number],
): { center: number; width: number } {
  const { center, width } = percentileWindow(joined(values), percentiles);
  const lowest = center - width / 2;
  for (const array of values) {
    for (let i = 0; i < array.length; i++) array[i] = ((array[i]! - lowest) / width) * 4095;
  }
  return { center: 2048, width: 4096 };
}

/** Rec. 601 luma of colour samples, interleaved. */
function luma({ samples, samplesPerPixel }: FramePixels): Float32Array {
  const out = new Float32Array(samples.length / samplesPerPixel);
  for (let i = 0; i < out.length; i++) {
    const at = i * samplesPerPixel;
    out[i] = 0.299 * samples[at]! + 0.587 * samples[at + 1]! + 0.114 * samples[at + 2]!;
  }
  return out;
}
