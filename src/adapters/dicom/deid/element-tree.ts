import { dictionaryEntry } from './dictionary.js';

/** How elements are encoded. PS3.5 section 7.1. */
export interface Encoding {
  readonly implicit: boolean;
  readonly bigEndian: boolean;
}

/** One data element by where it lies in a buffer. */
export interface Element {
  /** Eight hexadecimal digits, lower case. */
  readonly tag: string;
  /** As stored; null in an implicit encoding. */
  readonly storedVr: string | null;
  /** The stored one, or the dictionary's where that is missing or UN; UN when neither knows. */
  readonly vr: string;
  readonly start: number;
  readonly valueStart: number;
  /** End of the value; with an undefined length, before the delimiter. */
  readonly valueEnd: number;
  readonly end: number;
  readonly undefinedLength: boolean;
  /** Of a sequence; null for anything else and for a sequence that could not be looked into. */
  readonly items: readonly Item[] | null;
  /** Encoding of the items. */
  readonly encoding: Encoding;
}

export interface Item {
  readonly elements: readonly Element[];
  readonly undefinedLength: boolean;
}

/** A buffer that ends inside an element. */
export class CutOff extends Error {}
/** Bytes that are no data elements; the message holds no value. */
export class NotElements extends Error {}

export const LONG_VRS: ReadonlySet<string> = new Set('OB OD OF OL OV OW SQ SV UC UN UR UT UV'.split(' '));
const SHORT_VRS: ReadonlySet<string> = new Set(
  'AE AS AT CS DA DS DT FD FL IS LO LT PN SH SL SS ST TM UI UL US'.split(' '),
);
const UNDEFINED = 0xffffffff;
const ITEM = 'fffee000';
const ITEM_END = 'fffee00d';
const SEQUENCE_END = 'fffee0dd';
const PIXEL_TAGS: ReadonlySet<string> = new Set(['7fe00008', '7fe00009', '7fe00010']);
/** Deeper nesting than any real object has; a crafted file must not exhaust the stack. */
const MAX_DEPTH = 48;
export const IMPLICIT: Encoding = { implicit: true, bigEndian: false };

/** Elements up to an end, an item delimiter, or the pixel data. */
export interface Parsed {
  readonly elements: Element[];
  /** Where parsing stopped. */
  readonly end: number;
  /** The pixel data element at the top level; its value may lie beyond the buffer. */
  readonly pixel: PixelHead | null;
}

export interface PixelHead {
  readonly start: number;
  readonly valueStart: number;
  /** Bytes of the value; null when undefined (encapsulated). */
  readonly length: number | null;
}

/**
 * The data elements of a buffer from an offset on, down to the last nested item.
 *
 * @throws {CutOff} when the buffer ends inside an element that comes before the pixel data
 * @throws {NotElements} when the bytes do not follow the encoding
 */
export function parseElements(buffer: Buffer, start: number, encoding: Encoding): Parsed {
  const elements: Element[] = [];
  let at = start;
  while (at < buffer.length) {
    const head = readHead(buffer, at, buffer.length, encoding);
    if (PIXEL_TAGS.has(head.tag)) {
      const length = head.length === UNDEFINED ? null : head.length;
      return { elements, end: at, pixel: { start: at, valueStart: head.valueStart, length } };
    }
    if (head.tag.startsWith('fffe') && head.length === 0) {
      // A delimiter that closes nothing: real files have them. It is not passed on.
      at = head.valueStart;
      continue;
    }
    const element = readElement(buffer, head, buffer.length, encoding, 0);
    elements.push(element);
    at = element.end;
  }
  return { elements, end: at, pixel: null };
}

interface Head {
  readonly tag: string;
  readonly storedVr: string | null;
  readonly start: number;
  readonly valueStart: number;
  readonly length: number;
}

function readHead(buffer: Buffer, at: number, limit: number, { implicit, bigEndian }: Encoding): Head {
  if (at + 8 > limit) throw new CutOff('header of an element');
  const u16 = (offset: number): number =>
    bigEndian ? buffer.readUInt16BE(offset) : buffer.readUInt16LE(offset);
  const u32 = (offset: number): number =>
    bigEndian ? buffer.readUInt32BE(offset) : buffer.readUInt32LE(offset);
  const tag = ((u16(at) * 0x10000 + u16(at + 2)) >>> 0).toString(16).padStart(8, '0');
  // Item tags have no VR in any encoding. PS3.5 section 7.5.
  if (implicit || tag.startsWith('fffe')) {
    return { tag, storedVr: null, start: at, valueStart: at + 8, length: u32(at + 4) };
  }
  const storedVr = buffer.toString('latin1', at + 4, at + 6);
  if (LONG_VRS.has(storedVr)) {
    if (at + 12 > limit) throw new CutOff('header of an element');
    return { tag, storedVr, start: at, valueStart: at + 12, length: u32(at + 8) };
  }
  if (!SHORT_VRS.has(storedVr)) throw new NotElements(`no value representation at byte ${at}`);
  return { tag, storedVr, start: at, valueStart: at + 8, length: u16(at + 6) };
}

function readElement(buffer: Buffer, head: Head, limit: number, encoding: Encoding, depth: number): Element {
  const { tag, storedVr, start, valueStart, length } = head;
  if (tag.startsWith('fffe')) throw new NotElements(`an item delimiter at byte ${start}`);
  const known = dictionaryEntry(tag)?.vr;
  const vr = storedVr === null || storedVr === 'UN' ? (known ?? 'UN') : storedVr;
  const undefinedLength = length === UNDEFINED;
  const base = { tag, storedVr, vr, start, valueStart, undefinedLength };
  if (!undefinedLength && valueStart + length > limit) throw new CutOff(`value of ${tag}`);
  // A UN of undefined length is a sequence in implicit little endian. PS3.5 section 6.2.2 note 4.
  const inner = storedVr === 'UN' ? IMPLICIT : encoding;
  const isSequence =
    vr === 'SQ' || (undefinedLength && (storedVr === 'UN' || (storedVr === null && vr === 'UN')));
  if (!isSequence) {
    const valueEnd = undefinedLength
      ? fragmentsEnd(buffer, valueStart, limit, encoding)
      : valueStart + length;
    return { ...base, valueEnd, end: undefinedLength ? valueEnd + 8 : valueEnd, items: null, encoding };
  }
  if (depth >= MAX_DEPTH) throw new NotElements(`sequences nested deeper than ${MAX_DEPTH}`);
  const sequence = { ...base, vr: 'SQ', encoding: inner };
  if (undefinedLength) {
    const { items, end } = readItems(buffer, valueStart, limit, true, inner, depth);
    return { ...sequence, valueEnd: end - 8, end, items };
  }
  const end = valueStart + length;
  const items = definedItems(buffer, valueStart, end, storedVr, inner, depth);
  return { ...sequence, valueEnd: end, end, items };
}

/** Items of a sequence of known length; null for a UN value that turns out to be something else. */
function definedItems(
  buffer: Buffer,
  start: number,
  end: number,
  storedVr: string | null,
  encoding: Encoding,
  depth: number,
): Item[] | null {
  if (storedVr !== 'UN') return readItems(buffer, start, end, false, encoding, depth).items;
  try {
    return readItems(buffer, start, end, false, encoding, depth).items;
  } catch {
    return null;
  }
}

function readItems(
  buffer: Buffer,
  start: number,
  limit: number,
  delimited: boolean,
  encoding: Encoding,
  depth: number,
): { items: Item[]; end: number } {
  const items: Item[] = [];
  let at = start;
  while (delimited || at < limit) {
    const head = readHead(buffer, at, limit, encoding);
    if (head.tag === SEQUENCE_END) return { items, end: head.valueStart };
    if (head.tag !== ITEM) throw new NotElements(`no item at byte ${at}`);
    const undefinedLength = head.length === UNDEFINED;
    const itemLimit = undefinedLength ? limit : head.valueStart + head.length;
    if (itemLimit > limit) throw new CutOff('item of a sequence');
    const elements: Element[] = [];
    at = head.valueStart;
    while (undefinedLength || at < itemLimit) {
      const next = readHead(buffer, at, itemLimit, encoding);
      if (next.tag === ITEM_END) {
        at = next.valueStart;
        break;
      }
      const element = readElement(buffer, next, itemLimit, encoding, depth + 1);
      elements.push(element);
      at = element.end;
    }
    items.push({ elements, undefinedLength });
  }
  return { items, end: at };
}

/** End of encapsulated fragments, before their delimiter. PS3.5 annex A.4. */
function fragmentsEnd(buffer: Buffer, start: number, limit: number, encoding: Encoding): number {
  let at = start;
  for (;;) {
    const head = readHead(buffer, at, limit, encoding);
    if (head.tag === SEQUENCE_END) return at;
    if (head.tag !== ITEM || head.length === UNDEFINED) throw new NotElements(`no fragment at byte ${at}`);
    at = head.valueStart + head.length;
    if (at > limit) throw new CutOff('fragment');
  }
}
