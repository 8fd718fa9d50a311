import { GroundmarkError } from '../../domain/error.js';
import { attributes, readerOf } from './data-set.js';
import type { HeaderSource } from './open-dicom.js';

/** What the Image Pixel module says about the stored samples. PS3.3 C.7.6.3. */
export interface PixelLayout {
  readonly rows: number;
  readonly columns: number;
  readonly frames: number;
  readonly samplesPerPixel: number;
  readonly bitsAllocated: number;
  readonly bitsStored: number;
  readonly highBit: number;
  readonly signed: boolean;
  /** Colour by plane: all of one sample, then all of the next. */
  readonly planar: boolean;
  readonly photometricInterpretation: string;
  readonly float: boolean;
  /** Natively stored as Y Y Cb Cr for two pixels. PS3.3 C.7.6.3.1.2. */
  readonly chroma422: boolean;
}

/**
 * The layout of an open file's pixels.
 *
 * @throws {GroundmarkError} `no-pixel-data`; `bad-pixel-module` when a value is missing or impossible
 */
export function pixelLayout(dicom: HeaderSource): PixelLayout {
  const { file, dataSet, pixelElement } = dicom;
  const at = attributes([dataSet], readerOf(dataSet));
  if (!pixelElement) {
    const modality = at.text('x00080060') ?? 'no modality';
    throw new GroundmarkError(
      'no-pixel-data',
      `${file} (${modality}) has no pixel data: it is not an image, or was cut off.`,
      {
        file,
        modality,
      },
    );
  }
  const bad = (name: string, value: unknown): GroundmarkError =>
    new GroundmarkError(
      'bad-pixel-module',
      `${file}: ${name} is ${JSON.stringify(value)}. The file is damaged.`,
      {
        file,
        attribute: name,
      },
    );
  const float = pixelElement.tag !== 'x7fe00010';
  const rows = at.uint16('x00280010');
  const columns = at.uint16('x00280011');
  if (!rows) throw bad('Rows', rows);
  if (!columns) throw bad('Columns', columns);
  const framesText = at.text('x00280008');
  const frames = framesText === null ? 1 : Number(framesText);
  if (!Number.isInteger(frames) || frames < 1) throw bad('NumberOfFrames', framesText);
  const bitsAllocated = at.uint16('x00280100') ?? (pixelElement.tag === 'x7fe00009' ? 64 : float ? 32 : null);
  if (bitsAllocated === null || ![1, 8, 16, 32, 64].includes(bitsAllocated))
    throw bad('BitsAllocated', bitsAllocated);
  if (bitsAllocated === 64 && !float) throw bad('BitsAllocated', bitsAllocated);
  const bitsStored = float ? bitsAllocated : (at.uint16('x00280101') ?? bitsAllocated);
  const highBit = float ? bitsAllocated - 1 : (at.uint16('x00280102') ?? bitsStored - 1);
  if (bitsStored < 1 || bitsStored > bitsAllocated) throw bad('BitsStored', bitsStored);
  if (highBit >= bitsAllocated || highBit < bitsStored - 1) throw bad('HighBit', highBit);
  const samplesPerPixel = at.uint16('x00280002') ?? 1;
  const photometricInterpretation = at.text('x00280004') ?? (samplesPerPixel === 3 ? 'RGB' : 'MONOCHROME2');
  if (samplesPerPixel !== 1 && samplesPerPixel !== 3) throw bad('SamplesPerPixel', samplesPerPixel);
  const chroma422 =
    samplesPerPixel === 3 &&
    /^YBR_(?:FULL|PARTIAL)_422$/u.test(photometricInterpretation) &&
    // Some writers keep the name of the compressed form for samples that they stored in full.
    (pixelElement.length ?? 0) < (rows * columns * 3 * frames * bitsAllocated) / 8;
  return {
    rows,
    columns,
    frames,
    samplesPerPixel,
    bitsAllocated,
    bitsStored,
    highBit,
    signed: at.uint16('x00280103') === 1,
    planar: samplesPerPixel > 1 && at.uint16('x00280006') === 1,
    photometricInterpretation,
    float,
    chroma422,
  };
}

/** Bits of one frame as stored natively; with halved chrominance two of three samples a pixel are kept. */
export function nativeFrameBits(layout: PixelLayout): number {
  const samples = layout.chroma422 ? 2 : layout.samplesPerPixel;
  return layout.rows * layout.columns * samples * layout.bitsAllocated;
}
