import { GroundmarkError } from '../../domain/error.js';
import type { HeaderSource } from './open-dicom.js';

export const ITEM = 0xfffee000;

/** Where encapsulated pixel data lies in the file: its offset table, and the first fragment's item tag. PS3.5 A.4. */
export interface PixelItems {
  /** Offsets of the basic offset table, from `base`; [] when it is empty. */
  readonly table: readonly number[];
  readonly base: number;
}

/** A fragment's content. */
export interface Fragment {
  readonly offset: number;
  readonly length: number;
}

/** A fragment met on a walk. */
export interface WalkedFragment extends Fragment {
  /** It begins a compressed picture. */
  readonly starts: boolean;
}

/** Up to this size, fragments are walked in blocks: a call for each would cost more than reading them. */
const SMALL_FRAGMENT_BYTES = 2048;
const BLOCK_BYTES = 65_536;
const ITEM_HEAD_BYTES = 8;
const SIGNATURE_BYTES = 4;

/** Beginnings of compressed pictures: JPEG and JPEG-LS, JPEG 2000, JPEG XL, and JPEG 2000 and JPEG XL in boxes. */
const SIGNATURES = [
  [0xff, 0xd8, 0xff],
  [0xff, 0x4f, 0xff, 0x51],
  [0xff, 0x0a],
  [0x00, 0x00, 0x00, 0x0c],
] as const;

/**
 * The first item of encapsulated pixel data: the basic offset table.
 *
 * @throws {GroundmarkError} `truncated-pixels` when it is no item or runs past the end of the file
 */
export async function readPixelItems(dicom: HeaderSource): Promise<PixelItems> {
  const { offset } = dicom.pixelElement!;
  const length = await itemLength(dicom, offset);
  if (length === null) throw truncated(dicom, 'there is no item with an offset table');
  const bytes = await dicom.read(offset + ITEM_HEAD_BYTES, length);
  const table = Array.from({ length: bytes.length >> 2 }, (_, i) => bytes.readUInt32LE(i * 4));
  return { table, base: offset + ITEM_HEAD_BYTES + length };
}

/**
 * The length of the item whose tag is at an offset; null when there is none.
 *
 * @throws {GroundmarkError} `truncated-pixels` when the item runs past the end of the file
 */
export async function itemLength(dicom: HeaderSource, offset: number): Promise<number | null> {
  const head = await dicom.read(offset, ITEM_HEAD_BYTES);
  return head.length < ITEM_HEAD_BYTES ? null : checkedLength(dicom, head, 0, offset);
}

/** Fragments one after another, from an item tag until no item follows or `end` is reached; empty ones are left out. */
export async function walkFragments(
  dicom: HeaderSource,
  from: number,
  end = Infinity,
): Promise<WalkedFragment[]> {
  const fragments: WalkedFragment[] = [];
  let block: Buffer = Buffer.alloc(0);
  let blockAt = from;
  let wanted = ITEM_HEAD_BYTES + SIGNATURE_BYTES;
  for (let at = from; at < end;) {
    const whole = at + ITEM_HEAD_BYTES + SIGNATURE_BYTES <= blockAt + block.length;
    if (!whole) {
      block = await dicom.read(at, wanted);
      blockAt = at;
    }
    const within = at - blockAt;
    // Many real files lack the closing delimiter; the fragments before the end of the file are whole.
    if (within + ITEM_HEAD_BYTES > block.length) break;
    const length = checkedLength(dicom, block, within, at);
    if (length === null) break;
    if (length > 0) {
      const first = block.subarray(within + ITEM_HEAD_BYTES, within + ITEM_HEAD_BYTES + SIGNATURE_BYTES);
      fragments.push({ offset: at + ITEM_HEAD_BYTES, length, starts: beginsPicture(first) });
    }
    wanted = length <= SMALL_FRAGMENT_BYTES ? BLOCK_BYTES : ITEM_HEAD_BYTES + SIGNATURE_BYTES;
    at += ITEM_HEAD_BYTES + length;
  }
  return fragments;
}

function beginsPicture(first: Uint8Array): boolean {
  return SIGNATURES.some((signature) => signature.every((byte, i) => first[i] === byte));
}

function checkedLength(dicom: HeaderSource, head: Buffer, at: number, offset: number): number | null {
  const tag = head.readUInt16LE(at) * 0x10000 + head.readUInt16LE(at + 2);
  if (tag !== ITEM) return null;
  const length = head.readUInt32LE(at + 4);
  if (offset + ITEM_HEAD_BYTES + length > dicom.size) {
    throw truncated(dicom, `a fragment of ${length} bytes is cut off`);
  }
  return length;
}

export function truncated(dicom: HeaderSource, what: string): GroundmarkError {
  return new GroundmarkError(
    'truncated-pixels',
    `${dicom.file}: pixel data is cut off: ${what}. Copy the file again.`,
    { file: dicom.file, what },
  );
}
