import { GroundmarkError } from '../../domain/error.js';
import { decodeFrame } from './codecs.js';
import { attributes, readerOf } from './data-set.js';
import { encapsulatedFrameBytes, nativeFrameBytes } from './frame-bytes.js';
import { frameDataSets } from './frame-groups.js';
import { withDicom, type OpenDicom } from './open-dicom.js';
import { pixelLayout, type PixelLayout } from './pixel-layout.js';
import { interleave, samplesOf, upsample422, type Samples } from './samples.js';

export interface Window {
  readonly center: number;
  readonly width: number;
}

/** One frame. */
export interface FramePixels {
  readonly rows: number;
  readonly columns: number;
  readonly samplesPerPixel: number;
  /** Stored values, rows × columns × samplesPerPixel, row-major, interleaved, before any rescale. */
  readonly samples: Samples;
  /** Rescale slope and intercept of this frame; 1 and 0 when the file gives none. */
  readonly slope: number;
  readonly intercept: number;
  /** What the samples are now: a colour transform that the codec undid is no longer named. */
  readonly photometricInterpretation: string;
  /** VOI windows of this frame in the file's order; [] when it gives none. */
  readonly windows: readonly Window[];
}

/**
 * The stored values of one frame.
 *
 * @param frame - from 0
 * @throws {GroundmarkError} `no-such-frame`, `unsupported-pixels` (no decoder, or it fails), `truncated-pixels`,
 * `bad-pixel-module`, and what opening the file throws
 */
export async function readFramePixels(file: string, frame: number): Promise<FramePixels> {
  return withDicom(file, async (dicom) => {
    const layout = pixelLayout(dicom);
    if (!Number.isInteger(frame) || frame < 0 || frame >= layout.frames) {
      throw new GroundmarkError(
        'no-such-frame',
        `${file} has ${layout.frames} frames, counted from 0; frame ${frame} is not there.`,
        { file, frame, frames: layout.frames },
      );
    }
    return framePixels(dicom, layout, frame);
  });
}

/** Gives every frame of a file to `use`, in order; the file is opened once and one frame is held at a time. */
export async function forEachFrame(
  file: string,
  use: (pixels: FramePixels, frame: number) => void | Promise<void>,
): Promise<void> {
  await withDicom(file, async (dicom) => {
    const layout = pixelLayout(dicom);
    for (let frame = 0; frame < layout.frames; frame++)
      await use(await framePixels(dicom, layout, frame), frame);
  });
}

async function framePixels(dicom: OpenDicom, layout: PixelLayout, frame: number): Promise<FramePixels> {
  const groups = frameDataSets(dicom.dataSet, frame);
  const at = attributes([...groups, dicom.dataSet], readerOf(dicom.dataSet));
  const centers = at.numbers('x00281050') ?? [];
  const widths = at.numbers('x00281051') ?? [];
  const { samples, photometricInterpretation } = await storedSamples(dicom, layout, frame);
  return {
    rows: layout.rows,
    columns: layout.columns,
    samplesPerPixel: layout.samplesPerPixel,
    samples,
    slope: at.number('x00281053') ?? 1,
    intercept: at.number('x00281052') ?? 0,
    photometricInterpretation,
    windows: centers.flatMap((center, i) => (widths[i] !== undefined ? [{ center, width: widths[i] }] : [])),
  };
}

async function storedSamples(
  dicom: OpenDicom,
  layout: PixelLayout,
  frame: number,
): Promise<{ samples: Samples; photometricInterpretation: string }> {
  const count = layout.rows * layout.columns * layout.samplesPerPixel;
  const { photometricInterpretation } = layout;
  if (dicom.pixelElement!.length !== null) {
    const { bytes, firstBit } = await nativeFrameBytes(dicom, layout, frame);
    const options = { bigEndian: dicom.transferSyntax.bigEndian, firstBit };
    if (photometricInterpretation === 'YBR_FULL_422') {
      const stored = samplesOf(bytes, layout, layout.rows * layout.columns * 2, options);
      return { samples: upsample422(stored), photometricInterpretation: 'YBR_FULL' };
    }
    const samples = samplesOf(bytes, layout, count, options);
    return {
      samples: layout.planar ? interleave(samples, layout.samplesPerPixel) : samples,
      photometricInterpretation,
    };
  }
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
  const samples = samplesOf(decoded.bytes, own, count);
  return {
    samples: decoded.planar ? interleave(samples, layout.samplesPerPixel) : samples,
    photometricInterpretation: decoded.photometricInterpretation,
  };
}
