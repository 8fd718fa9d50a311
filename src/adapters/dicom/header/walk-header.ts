import { OddHeader, type ByteWindow } from './byte-window.js';
import { ScannedDataSet, type HeaderElement } from './header-data-set.js';
import { pixelTagOf, type PixelElement } from './pixel-element.js';
import { emptyElements, isWantedPrivate, isWantedSequence, wantedName } from './wanted-tags.js';

const ITEM = 0xfffee000;
const ITEM_END = 0xfffee00d;
const SEQUENCE_END = 0xfffee0dd;
const UNDEFINED_LENGTH = 0xffffffff;

/** Longest value that a row takes anything from; a longer one is odd. */
const LONGEST_VALUE = 65_536;
const LONGEST_CSA = 1_048_576;
const DEEPEST = 16;

/** 1: a VR with a length of 16 bits, 2: with one of 32 bits after two reserved bytes. PS3.5 section 7.1.2. */
const VR_FORM = new Uint8Array(65_536);
for (const vr of 'AE AS AT CS DA DS DT FL FD IS LO LT PN SH SL SS ST TM UI UL US'.split(' '))
  VR_FORM[code(vr)] = 1;
for (const vr of 'OB OD OF OL OV OW SQ SV UC UN UR UT UV'.split(' ')) VR_FORM[code(vr)] = 2;
const [SQ, UN, OB, OW] = [code('SQ'), code('UN'), code('OB'), code('OW')];

function code(vr: string): number {
  return vr.charCodeAt(0) * 256 + vr.charCodeAt(1);
}

/** What a walk kept. */
export interface WalkedHeader {
  readonly dataSet: ScannedDataSet;
  readonly pixelElement: PixelElement | null;
}

/**
 * The wanted values of a data set, up to its pixel data or to the end of the file; everything else is skipped by seeking.
 * PS3.5 section 7.
 *
 * The values are good until the next scan in this thread: they may lie in the shared window. Those of a file with
 * encapsulated pixel data, which has more to be read, are its own.
 *
 * @param offset - of the first element
 * @throws {OddHeader} for whatever is not plainly right: an unknown VR, tags out of order, a length beyond its item or
 *   the file, an item tag where none belongs
 */
export function walkHeader(
  window: ByteWindow,
  offset: number,
  encoding: { readonly implicit: boolean; readonly bigEndian: boolean },
): WalkedHeader {
  return new HeaderWalk(window, encoding.bigEndian).top(offset, encoding.implicit);
}

type Elements = Record<string, HeaderElement | undefined>;

class HeaderWalk {
  /** Where values lie: among the source's first bytes, then in a copy of these that grows. */
  private readonly kept: { bytes: Buffer };
  private keptLength: number;
  private pixelElement: PixelElement | null = null;

  constructor(
    private readonly window: ByteWindow,
    private readonly bigEndian: boolean,
  ) {
    this.kept = { bytes: window.first };
    this.keptLength = window.first.length;
  }

  top(offset: number, implicit: boolean): WalkedHeader {
    const elements = emptyElements();
    this.elements(offset, this.window.size, elements, implicit, 0);
    const { kept, pixelElement } = this;
    if (pixelElement?.length === null) kept.bytes = Buffer.from(kept.bytes.subarray(0, this.keptLength));
    return { dataSet: new ScannedDataSet(kept, elements, this.bigEndian), pixelElement };
  }

  /**
   * Walks elements from `pos` to `end`, or, when that is Infinity, to the end mark of the item.
   *
   * @param into - takes the wanted values; null: nothing is kept, but the elements must be right all the same
   * @returns the offset behind the last element
   */
  private elements(
    pos: number,
    end: number,
    into: Elements | null,
    implicit: boolean,
    depth: number,
  ): number {
    let previous = -1;
    while (pos < end) {
      let i = this.window.at(pos, 8);
      const group = this.uint16(i);
      const element = this.uint16(i + 2);
      const tag = group * 65_536 + element;
      if (tag === ITEM_END && end === Infinity) return this.afterDelimiter(pos, i);
      if (tag <= previous || group === 0xfffe) throw new OddHeader('tags out of order');
      previous = tag;

      let vr = 0;
      let length: number;
      let value = pos + 8;
      if (implicit) length = this.uint32(i + 4);
      else {
        vr = this.window.bytes[i + 4]! * 256 + this.window.bytes[i + 5]!;
        const form = VR_FORM[vr];
        if (form === 1) length = this.uint16(i + 6);
        else if (form === 2) {
          i = this.window.at(pos, 12);
          length = this.uint32(i + 8);
          value = pos + 12;
        } else throw new OddHeader('unknown VR');
      }

      if (depth === 0) {
        const pixels = pixelTagOf(tag);
        if (pixels) {
          this.pixelElement = {
            tag: pixels,
            vr: implicit ? null : String.fromCharCode(vr >> 8, vr & 255),
            offset: value,
            length: length === UNDEFINED_LENGTH ? null : length,
          };
          return pos;
        }
      }
      const name = into === null ? undefined : this.nameOf(tag, group, element, depth, into);
      if (length === UNDEFINED_LENGTH) {
        pos = this.undefinedLength(value, vr, name, into, implicit, depth);
        continue;
      }
      const next = value + length;
      if (next > end || next > this.window.size) throw new OddHeader('a length beyond its item');
      const wanted = name !== undefined && isWantedSequence(name);
      if (wanted || (implicit ? this.holdsItems(value, length, group) : vr === SQ)) {
        const { element } = this.items(value, next, wanted, this.isImplicit(implicit, vr), depth + 1);
        if (wanted) into![name] = element;
      } else if (name !== undefined && length > 0) into![name] = this.keep(value, length, group);
      pos = next;
    }
    return pos;
  }

  /** A sequence without a length, or an encapsulated icon; gives the offset behind its end mark. */
  private undefinedLength(
    value: number,
    vr: number,
    name: string | undefined,
    into: Elements | null,
    implicit: boolean,
    depth: number,
  ): number {
    if (vr === OB || vr === OW) return this.fragments(value);
    if (!implicit && vr !== SQ && vr !== UN) throw new OddHeader('a VR that cannot be without a length');
    const wanted = name !== undefined && isWantedSequence(name);
    const inside = this.isImplicit(implicit, vr);
    const { element, end } = this.items(value, Infinity, wanted, inside, depth + 1);
    if (name !== undefined) into![name] = wanted ? element : { ...element, length: 1 };
    return end;
  }

  /** Whether a value in implicit VR is a sequence, which only its content tells. Private ones are not looked into. */
  private holdsItems(value: number, length: number, group: number): boolean {
    if (length < 8 || (group & 1) === 1) return false;
    const i = this.window.at(value, 8);
    return this.uint16(i) * 65_536 + this.uint16(i + 2) === ITEM;
  }

  /** Whether the items of a sequence are in implicit VR: those of UN are, in little endian. PS3.5 section 6.2.2. */
  private isImplicit(implicit: boolean, vr: number): boolean {
    if (vr === UN && this.bigEndian) throw new OddHeader('UN in big endian');
    return implicit || vr === UN;
  }

  private items(
    pos: number,
    end: number,
    wanted: boolean,
    implicit: boolean,
    depth: number,
  ): { element: HeaderElement; end: number } {
    if (depth > DEEPEST) throw new OddHeader('nested too deeply');
    const items: { dataSet: ScannedDataSet }[] = [];
    const element = { dataOffset: 0, length: 0, items };
    while (pos < end) {
      const i = this.window.at(pos, 8);
      const tag = this.uint16(i) * 65_536 + this.uint16(i + 2);
      const length = this.uint32(i + 4);
      if (tag === SEQUENCE_END && end === Infinity) return { element, end: this.afterDelimiter(pos, i) };
      if (tag !== ITEM) throw new OddHeader('no item where one belongs');
      const bounded = length !== UNDEFINED_LENGTH;
      const itemEnd = bounded ? pos + 8 + length : Infinity;
      if (bounded && itemEnd > Math.min(end, this.window.size)) throw new OddHeader('an item beyond its end');
      const elements: Elements | null = wanted ? {} : null;
      pos = this.elements(pos + 8, itemEnd, elements, implicit, depth);
      if (elements) items.push({ dataSet: new ScannedDataSet(this.kept, elements, this.bigEndian) });
    }
    return { element, end: pos };
  }

  private fragments(pos: number): number {
    for (;;) {
      const i = this.window.at(pos, 8);
      const tag = this.uint16(i) * 65_536 + this.uint16(i + 2);
      const length = this.uint32(i + 4);
      if (tag === SEQUENCE_END) return this.afterDelimiter(pos, i);
      if (tag !== ITEM || length === UNDEFINED_LENGTH) throw new OddHeader('no fragment where one belongs');
      pos += 8 + length;
    }
  }

  /** The offset behind a delimiter, which has no content. */
  private afterDelimiter(pos: number, i: number): number {
    if (this.uint32(i + 4) !== 0) throw new OddHeader('a delimiter with a length');
    return pos + 8;
  }

  private nameOf(
    tag: number,
    group: number,
    element: number,
    depth: number,
    into: Elements,
  ): string | undefined {
    if ((group & 1) === 0) return wantedName(tag);
    if (depth > 0 || !isWantedPrivate(group, element)) return undefined;
    // The CSA header of a Siemens image is long, and only a mosaic needs it.
    if (group === 0x0029 && element >= 0x1000 && !this.isMosaic(into.x00080008)) return undefined;
    return `x${tag.toString(16).padStart(8, '0')}`;
  }

  private isMosaic(imageType: HeaderElement | undefined): boolean {
    if (!imageType) return false;
    const { dataOffset, length } = imageType;
    return this.kept.bytes.subarray(dataOffset, dataOffset + length).includes('MOSAIC');
  }

  private keep(value: number, length: number, group: number): HeaderElement {
    if (length > (group === 0x0029 ? LONGEST_CSA : LONGEST_VALUE)) throw new OddHeader('a very long value');
    const i = this.window.at(value, length);
    const { bytes, atStart } = this.window;
    if (atStart) return { dataOffset: i, length };
    const dataOffset = this.keptLength;
    const needed = dataOffset + length;
    if (needed > this.kept.bytes.length) {
      const larger = Buffer.allocUnsafe(Math.max(needed, this.kept.bytes.length * 2));
      this.kept.bytes.copy(larger, 0, 0, dataOffset);
      this.kept.bytes = larger;
    }
    bytes.copy(this.kept.bytes, dataOffset, i, i + length);
    this.keptLength = needed;
    return { dataOffset, length };
  }

  private uint16(i: number): number {
    const { bytes } = this.window;
    return this.bigEndian ? bytes[i]! * 256 + bytes[i + 1]! : bytes[i]! + bytes[i + 1]! * 256;
  }

  private uint32(i: number): number {
    return this.bigEndian
      ? this.uint16(i) * 65_536 + this.uint16(i + 2)
      : this.uint16(i) + this.uint16(i + 2) * 65_536;
  }
}
