import { GroundmarkError } from '../../domain/error.js';
import { decodeFrame } from './codecs.js';
import { attributes, readerOf, type Attributes } from './data-set.js';
import { encapsulatedFrameBytes, nativeFrameBytes } from './frame-bytes.js';
import { frameDataSets } from './frame-groups.js';
import { readModalityTransform, type ModalityTransform } from './modality-transform.js';
import { withDicom, type OpenDicom } from './open-dicom.js';
import { readPadding, type Padding } from './padding.js';
import { readPalette, type Palette } from './palette.js';
import { pixelLayout, type PixelLayout } from './pixel-layout.js';
import { interleave, samplesOf, upsample422, type Samples } from './samples.js';
import { readVoiTables, readWindows, type VoiTable, type Window } from './voi.js';

/** One frame: its stored values, and what the file says about showing them. */
export interface FramePixels {
  readonly rows: number;
  readonly columns: number;
  readonly samplesPerPixel: number;
  readonly bitsStored: number;
  /** Stored values, rows × columns × samplesPerPixel, row-major, interleaved, before any rescale. */
  readonly samples: Samples;
  /** What the samples are now: a colour transform that the codec undid is no longer named. */
  readonly photometricInterpretation: string;
  readonly modality: ModalityTransform;
  readonly padding: Padding | null;
  /** The lowest value is shown white: MONOCHROME1, or PresentationLUTShape INVERSE (PS3.3 C.11.6), which say the same. */
  readonly inverted: boolean;
  /** VOI windows of this frame in the file's order; [] when it gives none. */
  readonly windows: readonly Window[];
  readonly voiTables: readonly VoiTable[];
  /** Of a PALETTE COLOR image. */
  readonly palette: Palette | null;
}

/** The frames of a file that is held open. */
export interface FrameReader {
  readonly frames: number;
  /**
   * @param frame - from 0
   * @throws {GroundmarkError} as `readFramePixels`
   */
  read(frame: number): Promise<FramePixels>;
}

/** Opens a file for its frames, in any order; one frame is read and decoded without the others. */
export async function withFrames<T>(file: string, use: (reader: FrameReader) => Promise<T>): Promise<T> {
  return withDicom(file, async (dicom) => {
    const layout = pixelLayout(dicom);
    return use({
      frames: layout.frames,
      async read(frame) {
        if (!Number.isInteger(frame) || frame < 0 || frame >= layout.frames) {
          throw new GroundmarkError(
            'no-such-frame',
            `${file} has ${layout.frames} frames, counted from 0; frame ${frame} is not there.`,
            { file, frame, frames: layout.frames },
          );
        }
        return framePixels(dicom, layout, frame);
      },
    });
  });
}

/**
 * The stored values of one frame.
 *
 * @param frame - from 0
 * @throws {GroundmarkError} `no-such-frame`, `unsupported-pixels` (no decoder, or it fails), `truncated-pixels`,
 * `bad-pixel-module`, and what opening the file throws
 */
export function readFramePixels(file: string, frame: number): Promise<FramePixels> {
  return withFrames(file, (reader) => reader.read(frame));
}

/** Gives every frame of a file to `use`, in order; the file is opened once and one frame is held at a time. */
export async function forEachFrame(
  file: string,
  use: (pixels: FramePixels, frame: number, frames: number) => void | Promise<void>,
): Promise<void> {
  await withFrames(file, async (reader) => {
    for (let frame = 0; frame < reader.frames; frame++)
      await use(await reader.read(frame), frame, reader.frames);
  });
}

/** Gives the named frames to `use`, in order; a file is opened once for the frames of it that follow one another. */
export async function forFrames(
  sources: readonly { readonly file: string; readonly frame: number }[],
  use: (pixels: FramePixels, i: number) => void | Promise<void>,
): Promise<void> {
  for (let i = 0; i < sources.length;) {
    const { file } = sources[i]!;
    await withFrames(file, async (reader) => {
      for (; sources[i]?.file === file; i++) await use(await reader.read(sources[i]!.frame), i);
    });
  }
}

async function framePixels(dicom: OpenDicom, layout: PixelLayout, frame: number): Promise<FramePixels> {
  const { dataSet } = dicom;
  const reader = readerOf(dataSet);
  const at = attributes([...frameDataSets(dataSet, frame), dataSet], reader);
  const { rows, columns, samplesPerPixel, bitsStored, signed } = layout;
  const { bigEndian } = dicom.transferSyntax;
  const stored = await storedSamples(dicom, layout, frame);
  const modality = readModalityTransform(dataSet, at, reader, { signed, bigEndian });
  // A VOI LUT maps what the modality transform gives, which a negative intercept takes below 0. PS3.3 C.11.2.1.1.
  const voiSigned = modality.table === null && (signed || modality.intercept < 0);
  return {
    rows,
    columns,
    samplesPerPixel,
    bitsStored,
    ...stored,
    modality,
    padding: readPadding(dataSet, layout),
    inverted: layout.photometricInterpretation === 'MONOCHROME1' || at.text('x20500020') === 'INVERSE',
    windows: readWindows(at).map((window) => inUnitOf(window, modality, at)),
    voiTables: readVoiTables(dataSet, reader, { signed: voiSigned, bigEndian }),
    palette: layout.photometricInterpretation === 'PALETTE COLOR' ? readPalette(dicom, signed) : null,
  };
}

type StoredSamples = Pick<FramePixels, 'samples' | 'photometricInterpretation'>;

/**
 * A file's window is in the units of its own rescale. Where values went on to SUVbw, so does the window, and the half and
 * the one that LINEAR takes off (PS3.3 C.11.2.1.2.1) with it.
 */
function inUnitOf(window: Window, modality: ModalityTransform, at: Attributes): Window {
  if (modality.unit !== 'SUVbw') return window;
  const factor = modality.slope / (at.number('x00281053') ?? 1);
  if (factor === 1 || !(factor > 0)) return window;
  const { center, width, shape = 'LINEAR' } = window;
  if (shape !== 'LINEAR') return { ...window, center: center * factor, width: width * factor };
  const exact = { center: (center - 0.5) * factor, width: Math.max(width - 1, 1e-3) * factor };
  return { ...window, ...exact, shape: 'LINEAR_EXACT' };
}

async function storedSamples(dicom: OpenDicom, layout: PixelLayout, frame: number): Promise<StoredSamples> {
  return dicom.pixelElement!.length === null
    ? decodedSamples(dicom, layout, frame)
    : nativeSamples(dicom, layout, frame);
}

async function nativeSamples(dicom: OpenDicom, layout: PixelLayout, frame: number): Promise<StoredSamples> {
  const { rows, columns, samplesPerPixel, photometricInterpretation, chroma422 } = layout;
  const { bytes, firstBit } = await nativeFrameBytes(dicom, layout, frame);
  const options = { bigEndian: dicom.transferSyntax.bigEndian, firstBit };
  if (chroma422) {
    const stored = samplesOf(bytes, layout, rows * columns * 2, options);
    return {
      samples: upsample422(stored),
      photometricInterpretation: photometricInterpretation.replace('_422', ''),
    };
  }
  const samples = samplesOf(bytes, layout, rows * columns * samplesPerPixel, options);
  return {
    samples: layout.planar ? interleave(samples, samplesPerPixel) : samples,
    photometricInterpretation,
  };
}

async function decodedSamples(dicom: OpenDicom, layout: PixelLayout, frame: number): Promise<StoredSamples> {
  const count = layout.rows * layout.columns * layout.samplesPerPixel;
  const encoded = await encapsulatedFrameBytes(dicom, layout, frame);
  const decoded = await decodeFrame(encoded, layout, dicom.transferSyntax, dicom.file);
  const own = { ...layout, bitsAllocated: decoded.bitsAllocated, highBit: layout.bitsStored - 1 };
  if (decoded.bytes.length * 8 < count * own.bitsAllocated) {
    throw new GroundmarkError(
      'unsupported-pixels',
      `${dicom.file}: frame ${frame} in ${dicom.transferSyntax.name} (${dicom.transferSyntax.uid}) decodes to ` +
        `${decoded.bytes.length} bytes, and ${(count * own.bitsAllocated) / 8} are needed.`,
      { file: dicom.file, transferSyntaxUid: dicom.transferSyntax.uid },
    );
  }
  const samples = samplesOf(decoded.bytes, own, count, { mayKeep: true });
  return {
    samples: decoded.planar ? interleave(samples, layout.samplesPerPixel) : samples,
    photometricInterpretation: decoded.photometricInterpretation,
  };
}
