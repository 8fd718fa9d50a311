import { createHash } from 'node:crypto';
import { projection, sliceNormal } from '../../domain/geometry.js';
import type { HeaderRow } from './header-row.js';
import { forEachFrame, readFramePixels, type FramePixels } from './read-frame-pixels.js';
import { scanHeader } from './scan-header.js';

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
  readonly dicom: HeaderRow;
}

/**
 * Shape, geometry and pixel statistics of one frame, or of all frames.
 *
 * @param frame - from 0, or null for all
 * @param keep - takes the stored bytes of each frame, little-endian, interleaved
 * @throws {GroundmarkError} what `scanHeader` and `readFramePixels` throw
 */
export async function inspectDicom(
  file: string,
  frame: number | null,
  keep: (bytes: Uint8Array) => void = () => undefined,
): Promise<DicomInspection> {
  const rows = await scanHeader(file);
  const tally = pixelTally(keep);
  if (frame === null) await forEachFrame(file, tally.add);
  else tally.add(await readFramePixels(file, frame));
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

function pixelTally(keep: (bytes: Uint8Array) => void) {
  const hash = createHash('sha256');
  let [min, max, sum, count] = [Infinity, -Infinity, 0, 0];
  let dtype = '';
  let photometricInterpretation = '';
  return {
    add: (pixels: FramePixels): void => {
      const { samples } = pixels;
      const bytes = new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength);
      hash.update(bytes);
      keep(bytes);
      dtype = samples.constructor.name.replace('Array', '').toLowerCase();
      photometricInterpretation = pixels.photometricInterpretation;
      for (const value of samples) {
        if (value < min) min = value;
        if (value > max) max = value;
        sum += value;
      }
      count += samples.length;
    },
    result: () => ({
      dtype,
      min,
      max,
      mean: sum / count,
      sha256: hash.digest('hex'),
      photometricInterpretation,
    }),
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
