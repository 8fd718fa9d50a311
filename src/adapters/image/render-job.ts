import { displayOrientation, reorient } from '../../domain/geometry.js';
import {
  distributionOf,
  forFrames,
  greyLevels,
  isColour,
  lumaOf,
  rgbOf,
  type FramePixels,
  type Window,
} from '../dicom/index.js';
import { loadSharp } from '../load-packages.js';
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
  await forFrames(input.slices, (pixels) => void frames.push(pixels));
  return drawFrames(frames, input);
}

/** Draws frames that are read already, in the order of the slices. */
export async function drawFrames(frames: readonly FramePixels[], input: RenderInput): Promise<GreyPicture[]> {
  const window = sharedWindow(input.window, frames);
  const tables = new Map<string, Uint8Array>();
  const pictures: GreyPicture[] = [];
  for (const [i, frame] of frames.entries()) {
    // Colours are levels already; they are shown by their luma.
    const bytes = isColour(frame) ? lumaOf(rgbOf(frame)) : greyLevels(frame, window, tables);
    pictures.push(await square(bytes, frame.rows, frame.columns, input.slices[i]!, input.size));
  }
  return pictures;
}

/** One window for all grey frames: as given, or by percentiles of their values. */
function sharedWindow(choice: WindowChoice, frames: readonly FramePixels[]): Window {
  if (!('percentiles' in choice)) return choice;
  return percentileWindow(distributionOf(frames.filter((frame) => !isColour(frame))), choice.percentiles);
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
  const pixels = await loadSharp()(turned, { raw: { width, height, channels: 1 } })
    .resize(target.width, target.height, { fit: 'fill', kernel: 'cubic' })
    .toColourspace('b-w')
    .raw()
    .toBuffer();
  return { pixels: new Uint8Array(pixels), ...target };
}
