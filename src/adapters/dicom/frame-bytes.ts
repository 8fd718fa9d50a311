import { frameIndex } from './frame-index.js';
import { readPixelItems, truncated, walkFragments } from './fragments.js';
import type { HeaderSource } from './open-dicom.js';
import { nativeFrameBits, type PixelLayout } from './pixel-layout.js';

/**
 * Checks that the frames that a header announces can be there: native ones by their bytes, encapsulated ones by the size
 * of the file. Nothing is read.
 *
 * @throws {GroundmarkError} `truncated-pixels` with the bytes found and needed
 */
export function checkFrameCount(dicom: HeaderSource, layout: PixelLayout): void {
  const element = dicom.pixelElement!;
  if (element.length === null) {
    if (layout.frames <= dicom.size) return;
    throw truncated(dicom, `${dicom.size} bytes for ${layout.frames} frames`);
  }
  const found = Math.max(0, Math.min(element.length, dicom.size - element.offset));
  const needed =
    dicom.transferSyntax.pixels === 'native'
      ? Math.ceil((nativeFrameBits(layout) * layout.frames) / 8)
      : layout.frames;
  if (found < needed) throw truncated(dicom, `${found} bytes of ${needed}`);
}

/**
 * Checks that a file holds as many bytes of pixel data, or as many fragments, as its header announces. Content is not
 * read.
 *
 * @throws {GroundmarkError} `truncated-pixels` with the bytes or fragments found and needed
 */
export async function checkPixelLength(dicom: HeaderSource, layout: PixelLayout): Promise<void> {
  checkFrameCount(dicom, layout);
  const { pixels } = dicom.transferSyntax;
  if (dicom.pixelElement!.length === null) {
    const { base, table } = await readPixelItems(dicom);
    const last = table.length === layout.frames && layout.frames > 1 ? table.at(-1)! : null;
    const fragments = await walkFragments(dicom, last === null ? base : base + last);
    // Every frame has a fragment of its own (PS3.5 A.4), but those of video, which is one stream.
    const needed = last !== null || pixels === 'unknown' ? 1 : layout.frames;
    if (fragments.length < needed) {
      throw truncated(dicom, `${fragments.length} fragments for ${layout.frames} frames`);
    }
  }
}

/** The stored bytes of one frame of native pixel data, and for 1-bit data the bit at which the frame begins. */
export async function nativeFrameBytes(
  dicom: HeaderSource,
  layout: PixelLayout,
  frame: number,
): Promise<{ bytes: Buffer; firstBit: number }> {
  const element = dicom.pixelElement!;
  const bits = nativeFrameBits(layout);
  const start = Math.floor((bits * frame) / 8);
  const length = Math.ceil((bits * (frame + 1)) / 8) - start;
  const available = Math.max(0, Math.min(element.length ?? 0, dicom.size - element.offset) - start);
  // Before anything of that size is asked for: a header may announce terabytes.
  if (available < length) throw truncated(dicom, `${available} bytes of ${length} in frame ${frame}`);
  const bytes = await dicom.read(element.offset + start, length);
  if (bytes.length < length) throw truncated(dicom, `${bytes.length} bytes of ${length} in frame ${frame}`);
  return { bytes, firstBit: (bits * frame) % 8 };
}

/** The encoded bytes of one frame of encapsulated pixel data, its fragments joined; other frames are not read. */
export async function encapsulatedFrameBytes(
  dicom: HeaderSource,
  layout: PixelLayout,
  frame: number,
): Promise<Buffer> {
  const index = await frameIndex(dicom, layout.frames);
  const fragments = await index.fragmentsOf(frame);
  const parts: Buffer[] = [];
  for (const { offset, length } of fragments) parts.push(await dicom.read(offset, length));
  return parts.length === 1 ? parts[0]! : Buffer.concat(parts);
}
