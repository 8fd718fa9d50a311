import { GroundmarkError } from '../../domain/error.js';
import type { OpenDicom } from './open-dicom.js';
import { nativeFrameBits, type PixelLayout } from './pixel-layout.js';

const ITEM = 0xe000fffe;
const SEQUENCE_DELIMITER = 0xe0ddfffe;

/** A piece of encapsulated pixel data. */
interface Fragment {
  /** Byte offset of the fragment's content in the file. */
  readonly offset: number;
  readonly length: number;
  /** Offset of its item tag from the first fragment's item tag: what the offset table counts in. PS3.5 A.4. */
  readonly position: number;
}

interface Fragments {
  readonly table: readonly number[];
  readonly fragments: readonly Fragment[];
}

/**
 * Checks that a file holds as many bytes of pixel data as its header announces.
 *
 * @throws {GroundmarkError} `truncated-pixels` with the bytes found and needed, or the fragments
 */
export async function checkPixelLength(dicom: OpenDicom, layout: PixelLayout): Promise<void> {
  const element = dicom.pixelElement!;
  if (element.length === null) {
    const { fragments } = await readFragments(dicom);
    if (
      fragments.length === 0 ||
      (dicom.transferSyntax.pixels === 'rle' && fragments.length < layout.frames)
    ) {
      throw truncated(dicom, `${fragments.length} fragments for ${layout.frames} frames`);
    }
    return;
  }
  const found = Math.max(0, Math.min(element.length, dicom.size - element.offset));
  const needed =
    dicom.transferSyntax.pixels === 'native' ? Math.ceil((nativeFrameBits(layout) * layout.frames) / 8) : 1;
  if (found < needed) throw truncated(dicom, `${found} bytes of ${needed}`);
}

/** The stored bytes of one frame of native pixel data, and for 1-bit data the bit at which the frame begins. */
export async function nativeFrameBytes(
  dicom: OpenDicom,
  layout: PixelLayout,
  frame: number,
): Promise<{ bytes: Buffer; firstBit: number }> {
  const element = dicom.pixelElement!;
  const bits = nativeFrameBits(layout);
  const start = Math.floor((bits * frame) / 8);
  const length = Math.ceil((bits * (frame + 1)) / 8) - start;
  const available = Math.max(0, Math.min(element.length ?? 0, dicom.size - element.offset) - start);
  const bytes = await dicom.read(element.offset + start, Math.min(length, available));
  if (bytes.length < length) throw truncated(dicom, `${bytes.length} bytes of ${length} in frame ${frame}`);
  return { bytes, firstBit: (bits * frame) % 8 };
}

/** The encoded bytes of one frame of encapsulated pixel data, its fragments joined. PS3.5 A.4. */
export async function encapsulatedFrameBytes(
  dicom: OpenDicom,
  layout: PixelLayout,
  frame: number,
): Promise<Buffer> {
  const { table, fragments } = await readFragments(dicom);
  const own = await fragmentsOfFrame(dicom, table, fragments, layout.frames, frame);
  if (own.length === 0) throw truncated(dicom, `no fragment for frame ${frame} of ${layout.frames}`);
  return Buffer.concat(await Promise.all(own.map(({ offset, length }) => dicom.read(offset, length))));
}

async function fragmentsOfFrame(
  dicom: OpenDicom,
  table: readonly number[],
  fragments: readonly Fragment[],
  frames: number,
  frame: number,
): Promise<readonly Fragment[]> {
  if (frames === 1) return fragments;
  if (fragments.length === frames) return fragments.slice(frame, frame + 1);
  const starts = table.length === frames ? table : await codestreamStarts(dicom, fragments);
  if (starts.length !== frames) {
    throw new GroundmarkError(
      'unsupported-pixels',
      `${dicom.file}: ${fragments.length} fragments for ${frames} frames and no usable offset table, ` +
        `so the frames cannot be told apart. Write the file anew with an offset table.`,
      { file: dicom.file, frames, fragments: fragments.length },
    );
  }
  const end = starts[frame + 1] ?? Infinity;
  return fragments.filter(({ position }) => position >= starts[frame]! && position < end);
}

/** Positions of the fragments that begin a JPEG or JPEG 2000 code stream: SOI FF D8, or SOC FF 4F. */
async function codestreamStarts(dicom: OpenDicom, fragments: readonly Fragment[]): Promise<number[]> {
  const starts: number[] = [];
  for (const fragment of fragments) {
    const marker = await dicom.read(fragment.offset, 2);
    if (marker[0] === 0xff && (marker[1] === 0xd8 || marker[1] === 0x4f)) starts.push(fragment.position);
  }
  return starts;
}

// A file with thousands of frames is walked once while it is open.
const walked = new WeakMap<OpenDicom, Promise<Fragments>>();

/** The items of encapsulated pixel data: the basic offset table, then the fragments. */
function readFragments(dicom: OpenDicom): Promise<Fragments> {
  const known = walked.get(dicom);
  if (known) return known;
  const fragments = walkFragments(dicom);
  walked.set(dicom, fragments);
  return fragments;
}

async function walkFragments(dicom: OpenDicom): Promise<Fragments> {
  const element = dicom.pixelElement!;
  let at = element.offset;
  let first: number | null = null;
  let table: number[] | null = null;
  const fragments: Fragment[] = [];
  for (;;) {
    const head = await dicom.read(at, 8);
    // Many real files lack the closing delimiter; the fragments before the end of the file are whole.
    if (head.length < 8 || head.readUInt32LE(0) === SEQUENCE_DELIMITER) break;
    if (head.readUInt32LE(0) !== ITEM) break;
    const length = head.readUInt32LE(4);
    if (at + 8 + length > dicom.size) throw truncated(dicom, `a fragment of ${length} bytes is cut off`);
    if (table === null) {
      const bytes = await dicom.read(at + 8, length);
      table = Array.from({ length: Math.floor(length / 4) }, (_, i) => bytes.readUInt32LE(i * 4));
    } else {
      first ??= at;
      fragments.push({ offset: at + 8, length, position: at - first });
    }
    at += 8 + length;
  }
  return { table: table ?? [], fragments };
}

function truncated(dicom: OpenDicom, what: string): GroundmarkError {
  return new GroundmarkError(
    'truncated-pixels',
    `${dicom.file}: pixel data is cut off: ${what}. Copy the file again.`,
    {
      file: dicom.file,
      what,
    },
  );
}
