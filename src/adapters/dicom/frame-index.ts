import { GroundmarkError } from '../../domain/error.js';
import {
  itemLength,
  readPixelItems,
  truncated,
  walkFragments,
  type Fragment,
  type PixelItems,
  type WalkedFragment,
} from './fragments.js';
import type { HeaderSource } from './open-dicom.js';

const ITEM_HEAD_BYTES = 8;

/** Finds the fragments of a frame of encapsulated pixel data, by tables where there are any. */
export interface FrameIndex {
  /**
   * The fragments of a frame, in order; at least one.
   *
   * @throws {GroundmarkError} `truncated-pixels`; `unsupported-pixels` when frames cannot be told apart
   */
  fragmentsOf(frame: number): Promise<readonly Fragment[]>;
}

// One index while a file is open: a walk over thousands of fragments is done once.
const indexes = new WeakMap<HeaderSource, Promise<FrameIndex>>();

/** The index of an open file, made when it is first asked for. */
export function frameIndex(dicom: HeaderSource, frames: number): Promise<FrameIndex> {
  const known = indexes.get(dicom);
  if (known) return known;
  const made = makeIndex(dicom, frames);
  indexes.set(dicom, made);
  return made;
}

/**
 * The ways to a frame, the cheapest first: extended offset table (one fragment a frame), basic offset table, then one
 * walk over all item heads. A table that leads to no item is not believed.
 */
async function makeIndex(dicom: HeaderSource, frames: number): Promise<FrameIndex> {
  const items = await readPixelItems(dicom);
  const extended = extendedTable(dicom, frames);
  let walked: Promise<(readonly Fragment[])[]> | null = null;
  return {
    async fragmentsOf(frame) {
      const direct =
        (extended && (await byExtendedTable(dicom, items, extended, frame))) ??
        (await byBasicTable(dicom, items, frames, frame));
      if (direct) return direct;
      walked ??= walkFragments(dicom, items.base).then((fragments) => grouped(dicom, fragments, frames));
      const own = (await walked)[frame];
      if (!own || own.length === 0) throw truncated(dicom, `no fragment for frame ${frame} of ${frames}`);
      return own;
    },
  };
}

interface ExtendedTable {
  readonly offsets: readonly number[];
  readonly lengths: readonly number[];
}

/** (7FE0,0001) and (7FE0,0002), 64-bit numbers. PS3.3 C.7.6.3.1.8. */
function extendedTable({ dataSet }: HeaderSource, frames: number): ExtendedTable | null {
  const numbers = (tag: string): number[] | null => {
    const element = dataSet.elements[tag];
    if (!element || element.length !== frames * 8) return null;
    const { buffer, byteOffset } = dataSet.byteArray;
    const view = new DataView(buffer, byteOffset + element.dataOffset, element.length);
    return Array.from({ length: frames }, (_, i) => Number(view.getBigUint64(i * 8, true)));
  };
  const offsets = numbers('x7fe00001');
  const lengths = numbers('x7fe00002');
  return offsets && lengths ? { offsets, lengths } : null;
}

async function byExtendedTable(
  dicom: HeaderSource,
  { base }: PixelItems,
  { offsets, lengths }: ExtendedTable,
  frame: number,
): Promise<Fragment[] | null> {
  const at = base + offsets[frame]!;
  const held = at < dicom.size ? await itemLength(dicom, at) : null;
  const length = lengths[frame]!;
  // The table's length leaves out the byte that pads a fragment to an even one.
  if (held === null || length === 0 || length > held || held > length + 1) return null;
  return [{ offset: at + ITEM_HEAD_BYTES, length }];
}

/** From this frame's offset to the next one's; the last goes on to the end of the items. */
async function byBasicTable(
  dicom: HeaderSource,
  { table, base }: PixelItems,
  frames: number,
  frame: number,
): Promise<Fragment[] | null> {
  if (table.length !== frames || (frame === 0 && table[0] !== 0)) return null;
  const start = base + table[frame]!;
  const next = table[frame + 1];
  if (start >= dicom.size || (next !== undefined && base + next <= start)) return null;
  const end = next === undefined ? Infinity : base + next;
  const fragments = await walkFragments(dicom, start, end);
  const last = fragments.at(-1);
  if (!last) return null;
  return end === Infinity || last.offset + last.length === end ? fragments : null;
}

/** All fragments by frame: one frame has them all, else one each, else a frame begins where a picture begins. */
function grouped(
  dicom: HeaderSource,
  fragments: readonly WalkedFragment[],
  frames: number,
): (readonly Fragment[])[] {
  if (frames === 1) return [fragments];
  if (fragments.length === frames) return fragments.map((fragment) => [fragment]);
  const groups: Fragment[][] = [];
  for (const fragment of fragments) {
    if (fragment.starts || groups.length === 0) groups.push([]);
    groups.at(-1)!.push(fragment);
  }
  if (groups.length === frames && fragments[0]!.starts) return groups;
  if (fragments.length < frames) throw truncated(dicom, `${fragments.length} fragments for ${frames} frames`);
  throw new GroundmarkError(
    'unsupported-pixels',
    `${dicom.file}: ${fragments.length} fragments for ${frames} frames in ${dicom.transferSyntax.name} and no usable ` +
      `offset table, so the frames cannot be told apart. Write the file anew with an offset table.`,
    { file: dicom.file, transferSyntaxUid: dicom.transferSyntax.uid, frames, fragments: fragments.length },
  );
}
