import { createHash } from 'node:crypto';
import { projection, sliceNormal } from '../../domain/geometry.js';
import type { HeaderRow } from './header-row.js';
import { isColour } from './colour.js';
import { modalityValue } from './modality-transform.js';
import { withFrames, type FramePixels } from './read-frame-pixels.js';
import { scanHeader } from './scan-header.js';
import type { WindowShape } from './voi.js';

/** What `inspect --json` says of a DICOM file. CONTRACT.md. */
export interface DicomInspection {
  readonly format: 'dicom';
  readonly kind: 'image' | 'volume';
  /** Sizes in C order, named by `axes`; an axis of one frame or one sample is left out. */
  readonly shape: number[];
  readonly axes: ('frame' | 'row' | 'column' | 'sample')[];
  /** numpy's name of the stored values' type. */
  readonly dtype: string;
  /** One value an axis of `axes`, mm; null for an axis without a spacing. */
  readonly spacingMm: (number | null)[];
  /** 4 × 4, (column, row, frame) to patient coordinates, LPS mm; null without geometry. */
  readonly affine: number[][] | null;
  readonly affineSpace: 'LPS';
  readonly min: number;
  readonly max: number;
  readonly mean: number;
  readonly sha256: string;
  readonly rescaled: false;
  readonly photometricInterpretation: string;
  /** Values after the modality transform, padding left out; null for colour, and when nothing but padding is there. */
  readonly value: {
    readonly unit: string | null;
    readonly min: number;
    readonly max: number;
    /** PET only: why the values are no SUVbw. */
    readonly noSuv: string | null;
  } | null;
  /** The first shown frame's windows in the file's order, numbered from 1 for `--window`. */
  readonly windows: readonly {
    readonly number: number;
    readonly center: number;
    readonly width: number;
    readonly shape: WindowShape;
    readonly explanation: string | null;
  }[];
  /** VOI LUTs of the file, numbered on after the windows. */
  readonly voiTables: readonly {
    readonly number: number;
    readonly entries: number;
    readonly bits: number;
    readonly explanation: string | null;
  }[];
  readonly dicom: HeaderRow;
}

export interface InspectOptions {
  /** Takes the stored bytes of each frame, little-endian, interleaved; they are its own. */
  readonly keep?: (bytes: Uint8Array) => void;
  /** Called after each frame with how many there are. */
  readonly onFrame?: (frames: number) => void;
}

/**
 * Shape, geometry and pixel statistics of one frame, or of all frames.
 *
 * @param frame - from 0, or null for all
 * @throws {GroundmarkError} what `scanHeader` and `readFramePixels` throw
 */
export async function inspectDicom(
  file: string,
  frame: number | null,
  { keep, onFrame }: InspectOptions = {},
): Promise<DicomInspection> {
  const rows = await scanHeader(file);
  const tally = pixelTally();
  await withFrames(file, async (reader) => {
    const frames = frame === null ? reader.frames : 1;
    for (let i = 0; i < frames; i++) {
      const pixels = await reader.read(frame ?? i);
      const bytes = tally.add(pixels);
      keep?.(bytes);
      onFrame?.(frames);
    }
  });
  const shown = frame === null ? rows : [rows[frame]!];
  const first = shown[0]!;
  const frames = shown.length;
  const samples = first.samplesPerPixel ?? 1;
  const step = frameStep(shown);
  const spacing = first.pixelSpacingMm;
  const axes = [
    ...(frames > 1 ? [{ name: 'frame' as const, size: frames, mm: step }] : []),
    { name: 'row' as const, size: first.rows!, mm: spacing?.[0] ?? null },
    { name: 'column' as const, size: first.columns!, mm: spacing?.[1] ?? null },
    ...(samples > 1 ? [{ name: 'sample' as const, size: samples, mm: null }] : []),
  ];
  return {
    format: 'dicom',
    kind: frames > 1 ? 'volume' : 'image',
    shape: axes.map(({ size }) => size),
    axes: axes.map(({ name }) => name),
    spacingMm: axes.map(({ mm }) => mm),
    affine: affineOf(first, step),
    affineSpace: 'LPS',
    ...tally.result(),
    rescaled: false,
    dicom: first,
  };
}

function pixelTally() {
  const hash = createHash('sha256');
  let [min, max, sum, count] = [Infinity, -Infinity, 0, 0];
  const value = { unit: null as string | null, noSuv: null as string | null, min: Infinity, max: -Infinity };
  let first: FramePixels | null = null;
  let colour = false;
  return {
    /** Counts a frame in; gives its bytes. */
    add: (pixels: FramePixels): Uint8Array => {
      const { samples, modality } = pixels;
      const bytes = new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength);
      hash.update(bytes);
      first ??= pixels;
      const own = statistics(pixels);
      min = Math.min(min, own.min);
      max = Math.max(max, own.max);
      sum += own.sum;
      count += samples.length;
      colour ||= isColour(pixels);
      // A linear transform has its extremes at those of the stored values.
      const ends = modality.table ? own.mapped : own.shown.map((stored) => modalityValue(stored, modality));
      value.min = Math.min(value.min, ...ends);
      value.max = Math.max(value.max, ...ends);
      value.unit = modality.unit;
      value.noSuv = modality.noSuv;
      return bytes;
    },
    result: () => ({
      dtype: first!.samples.constructor.name.replace('Array', '').toLowerCase(),
      min,
      max,
      mean: sum / count,
      sha256: hash.digest('hex'),
      photometricInterpretation: first!.photometricInterpretation,
      value: colour || value.min > value.max ? null : value,
      ...shownWindows(first!),
    }),
  };
}

/** Extremes and sum of the stored values; the extremes without padding (`shown`), and what a table makes of them. */
function statistics({ samples, padding, modality }: FramePixels) {
  let [min, max, sum] = [Infinity, -Infinity, 0];
  let [low, high] = [Infinity, -Infinity];
  for (let i = 0; i < samples.length; i++) {
    const stored = samples[i]!;
    if (stored < min) min = stored;
    if (stored > max) max = stored;
    sum += stored;
    if (padding && stored >= padding.low && stored <= padding.high) continue;
    if (stored < low) low = stored;
    if (stored > high) high = stored;
  }
  const shown = low > high ? [] : [low, high];
  const mapped = modality.table ? tableEnds(samples, modality) : [];
  return { min, max, sum, shown, mapped };
}

/** Lowest and highest value that a Modality LUT gives for the samples. */
function tableEnds(samples: FramePixels['samples'], modality: FramePixels['modality']): number[] {
  let [min, max] = [Infinity, -Infinity];
  for (const stored of samples) {
    const value = modalityValue(stored, modality);
    if (value < min) min = value;
    if (value > max) max = value;
  }
  return [min, max];
}

function shownWindows({ windows, voiTables }: FramePixels): Pick<DicomInspection, 'windows' | 'voiTables'> {
  return {
    windows: windows.map(({ center, width, shape, explanation }, i) => ({
      number: i + 1,
      center,
      width,
      shape: shape ?? 'LINEAR',
      explanation: explanation ?? null,
    })),
    voiTables: voiTables.map(({ entries, bits, explanation }, i) => ({
      number: windows.length + i + 1,
      entries: entries.length,
      bits,
      explanation,
    })),
  };
}

/** Mean distance between frames along the normal, mm; null when there is no geometry or all lie in one place. */
function frameStep(rows: readonly HeaderRow[]): number | null {
  const normal = sliceNormal(rows[0]!.imageOrientationPatient);
  const [first, last] = [rows[0]!.imagePositionPatient, rows.at(-1)!.imagePositionPatient];
  if (!normal || !first || !last || rows.length < 2) return null;
  const step = Math.abs(projection(last, normal) - projection(first, normal)) / (rows.length - 1);
  return step > 0 ? step : null;
}

/** PS3.3 C.7.6.2.1.1, equation C.7.6.2.1-1, with the slice direction as third column. */
function affineOf(row: HeaderRow, step: number | null): number[][] | null {
  const { imageOrientationPatient: iop, imagePositionPatient: ipp, pixelSpacingMm: spacing } = row;
  const normal = sliceNormal(iop);
  if (!normal || !iop || !ipp || !spacing) return null;
  const between = step ?? row.sliceThicknessMm ?? 1;
  return [
    ...[0, 1, 2].map((axis) => [
      iop[axis]! * spacing[1]!,
      iop[axis + 3]! * spacing[0]!,
      normal[axis]! * between,
      ipp[axis]!,
    ]),
    [0, 0, 0, 1],
  ];
}
