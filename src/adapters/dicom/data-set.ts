import { textReader, type TextReader } from './character-set.js';
import type { HeaderDataSet } from './header/header-data-set.js';

/** Attributes out of one or several nested data sets, the first that has a value winning. */
export interface Attributes {
  text(tag: string): string | null;
  texts(tag: string): string[] | null;
  /** DS and IS text as a number; null when absent or not a number. */
  number(tag: string): number | null;
  numbers(tag: string): number[] | null;
  uint16(tag: string): number | null;
  uint32(tag: string): number | null;
  float32(tag: string): number | null;
  float64(tag: string): number | null;
  float64s(tag: string): number[] | null;
  /** The raw value of the first data set that has the tag with a length; null when none has. */
  bytes(tag: string): Uint8Array | null;
  /** Whether a data set has the tag with a length. */
  has(tag: string): boolean;
}

/**
 * A view on data sets in order of preference: for an enhanced frame its own functional groups, the shared ones, then
 * the top level.
 */
export function attributes(dataSets: readonly HeaderDataSet[], reader: TextReader): Attributes {
  const holder = (tag: string): HeaderDataSet | undefined => {
    for (const dataSet of dataSets) if ((dataSet.elements[tag]?.length ?? 0) > 0) return dataSet;
    return undefined;
  };
  const bytes = (tag: string): Uint8Array | null => {
    const dataSet = holder(tag);
    if (!dataSet) return null;
    const { dataOffset, length } = dataSet.elements[tag]!;
    return dataSet.byteArray.subarray(dataOffset, dataOffset + length);
  };
  const text = (tag: string): string | null => {
    const dataSet = holder(tag);
    return dataSet ? decodeOnce(tag, dataSet, reader).text : null;
  };
  const texts = (tag: string): string[] | null => {
    const value = bytes(tag);
    return value === null ? null : reader.decodeValues(value);
  };
  const numbers = (tag: string): number[] | null => {
    const dataSet = holder(tag);
    if (!dataSet) return null;
    const decoded = decodeOnce(tag, dataSet, reader);
    if (decoded.numbers === undefined) decoded.numbers = numbersOf(decoded.text);
    return decoded.numbers;
  };
  const float64s = (tag: string): number[] | null => {
    const dataSet = holder(tag);
    if (!dataSet) return null;
    const count = Math.floor(dataSet.elements[tag]!.length / 8);
    const values = Array.from({ length: count }, (_, i) => dataSet.double(tag, i) ?? NaN);
    return count > 0 && values.every(Number.isFinite) ? values : null;
  };
  return {
    text,
    texts,
    numbers,
    number: (tag) => numbers(tag)?.[0] ?? null,
    uint16: (tag) => holder(tag)?.uint16(tag) ?? null,
    uint32: (tag) => holder(tag)?.uint32(tag) ?? null,
    float32: (tag) => holder(tag)?.float(tag) ?? null,
    float64s,
    float64: (tag) => float64s(tag)?.[0] ?? null,
    bytes,
    has: (tag) => holder(tag) !== undefined,
  };
}

/** What one value said the last time that its tag was read. */
interface Decoded {
  readonly reader: TextReader;
  readonly bytes: Uint8Array;
  readonly text: string | null;
  /** Once they were asked for. */
  numbers?: number[] | null;
}

// The files of a series agree in nearly all values: comparing bytes is several times cheaper than decoding them.
const lastOf = new Map<string, Decoded>();
const LONGEST_REMEMBERED = 256;
const MOST_REMEMBERED = 512;

function decodeOnce(tag: string, dataSet: HeaderDataSet, reader: TextReader): Decoded {
  const { dataOffset, length } = dataSet.elements[tag]!;
  const { byteArray } = dataSet;
  const last = lastOf.get(tag);
  if (last?.reader === reader && equalAt(byteArray, dataOffset, length, last.bytes)) return last;
  const bytes = Uint8Array.prototype.slice.call(byteArray, dataOffset, dataOffset + length);
  const decoded: Decoded = { reader, bytes, text: reader.decode(bytes) };
  if (length <= LONGEST_REMEMBERED) {
    if (lastOf.size >= MOST_REMEMBERED) lastOf.clear();
    lastOf.set(tag, decoded);
  }
  return decoded;
}

function equalAt(bytes: Uint8Array, offset: number, length: number, other: Uint8Array): boolean {
  if (length !== other.length) return false;
  // Backwards: numbers of instances and coordinates differ at their ends.
  for (let i = length - 1; i >= 0; i--) if (bytes[offset + i] !== other[i]) return false;
  return true;
}

function numbersOf(text: string | null): number[] | null {
  if (text === null) return null;
  const parts = text.includes('\\') ? text.split('\\') : [text];
  const found = parts.map(numberOf);
  return found.every(Number.isFinite) ? found : null;
}

/** A decimal comma, which some devices write, is read as a point. */
function numberOf(part: string): number {
  const trimmed = part.trim();
  if (trimmed === '') return NaN;
  return Number(trimmed.includes(',') ? trimmed.replace(',', '.') : trimmed);
}

/** The text reader that a data set asks for by SpecificCharacterSet. */
export function readerOf(dataSet: HeaderDataSet): TextReader {
  const element = dataSet.elements.x00080005;
  if (!element || element.length === 0) return textReader(null);
  const { dataOffset, length } = element;
  const { buffer, byteOffset } = dataSet.byteArray;
  return textReader(Buffer.from(buffer, byteOffset + dataOffset, length).toString('latin1'));
}

/** Items of a sequence; [] when it is absent. */
export function items<T extends HeaderDataSet>(dataSet: T | undefined, tag: string): T[] {
  const found: T[] = [];
  // The items of a data set are of its own kind.
  for (const { dataSet: item } of dataSet?.elements[tag]?.items ?? []) if (item) found.push(item as T);
  return found;
}
