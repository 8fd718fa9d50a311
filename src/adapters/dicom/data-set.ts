import { textReader, valuesOf, type TextReader } from './character-set.js';
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
  return new DataSetAttributes(dataSets, reader);
}

class DataSetAttributes implements Attributes {
  constructor(
    private readonly dataSets: readonly HeaderDataSet[],
    private readonly reader: TextReader,
  ) {}

  text(tag: string): string | null {
    const decoded = this.decoded(tag);
    return decoded === null ? null : decoded.text;
  }

  texts(tag: string): string[] | null {
    const decoded = this.decoded(tag);
    if (decoded === null || decoded.text === null) return null;
    return (decoded.texts ??= valuesOf(decoded.text));
  }

  number(tag: string): number | null {
    return this.numbers(tag)?.[0] ?? null;
  }

  numbers(tag: string): number[] | null {
    const decoded = this.decoded(tag);
    if (decoded === null) return null;
    if (decoded.numbers === undefined) decoded.numbers = numbersOf(decoded.text);
    return decoded.numbers;
  }

  uint16(tag: string): number | null {
    return this.holder(tag)?.uint16(tag) ?? null;
  }

  uint32(tag: string): number | null {
    return this.holder(tag)?.uint32(tag) ?? null;
  }

  float32(tag: string): number | null {
    return this.holder(tag)?.float(tag) ?? null;
  }

  float64(tag: string): number | null {
    return this.float64s(tag)?.[0] ?? null;
  }

  float64s(tag: string): number[] | null {
    const dataSet = this.holder(tag);
    if (!dataSet) return null;
    const count = Math.floor(dataSet.elements[tag]!.length / 8);
    const values = Array.from({ length: count }, (_, i) => dataSet.double(tag, i) ?? NaN);
    return count > 0 && values.every(Number.isFinite) ? values : null;
  }

  bytes(tag: string): Uint8Array | null {
    const dataSet = this.holder(tag);
    if (!dataSet) return null;
    const { dataOffset, length } = dataSet.elements[tag]!;
    return dataSet.byteArray.subarray(dataOffset, dataOffset + length);
  }

  has(tag: string): boolean {
    return this.holder(tag) !== undefined;
  }

  private holder(tag: string): HeaderDataSet | undefined {
    for (let i = 0; i < this.dataSets.length; i++) {
      const dataSet = this.dataSets[i]!;
      const element = dataSet.elements[tag];
      if (element !== undefined && element.length > 0) return dataSet;
    }
    return undefined;
  }

  private decoded(tag: string): Decoded | null {
    const dataSet = this.holder(tag);
    return dataSet === undefined ? null : decodeOnce(tag, dataSet, this.reader);
  }
}

/** What one value said the last time that its tag was read. */
interface Decoded {
  readonly reader: TextReader;
  /** The bytes as Latin-1 text. */
  readonly raw: string;
  readonly text: string | null;
  /** The values of the text, once they were asked for. */
  texts: string[] | undefined;
  numbers: number[] | null | undefined;
}

// The files of a series agree in nearly all values: comparing bytes is several times cheaper than decoding them.
const lastOf = new Map<string, Decoded>();
const LONGEST_REMEMBERED = 256;
const MOST_REMEMBERED = 512;

function decodeOnce(tag: string, dataSet: HeaderDataSet, reader: TextReader): Decoded {
  const { dataOffset, length } = dataSet.elements[tag]!;
  const { byteArray } = dataSet;
  const last = lastOf.get(tag);
  if (last?.reader === reader && equalAt(byteArray, dataOffset, last.raw, length)) return last;
  const raw = latin1At(byteArray, dataOffset, length);
  const decoded: Decoded = { reader, raw, text: reader.decodeRaw(raw), texts: undefined, numbers: undefined };
  if (length <= LONGEST_REMEMBERED) {
    if (lastOf.size >= MOST_REMEMBERED) lastOf.clear();
    lastOf.set(tag, decoded);
  }
  return decoded;
}

function equalAt(bytes: Uint8Array, offset: number, raw: string, length: number): boolean {
  if (length !== raw.length) return false;
  // Backwards: numbers of instances and coordinates differ at their ends.
  for (let i = length - 1; i >= 0; i--) if (bytes[offset + i] !== raw.charCodeAt(i)) return false;
  return true;
}

/** Bytes as Latin-1 text, each one character. */
export function latin1At(bytes: Uint8Array, offset: number, length: number): string {
  const buffer = bytes instanceof Buffer ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  return buffer.toString('latin1', offset, offset + length);
}

function numbersOf(text: string | null): number[] | null {
  if (text === null) return null;
  const found: number[] = [];
  for (const part of valuesOf(text)) {
    const value = numberOf(part);
    if (!Number.isFinite(value)) return null;
    found.push(value);
  }
  return found;
}

/** A decimal comma, which some devices write, is read as a point. */
function numberOf(part: string): number {
  if (part === '') return NaN;
  return Number(part.includes(',') ? part.replace(',', '.') : part);
}

/** The text reader that a data set asks for by SpecificCharacterSet. */
export function readerOf(dataSet: HeaderDataSet): TextReader {
  const element = dataSet.elements.x00080005;
  if (!element || element.length === 0) return textReader(null);
  return textReader(latin1At(dataSet.byteArray, element.dataOffset, element.length));
}

/** Items of a sequence; [] when it is absent. */
export function items<T extends HeaderDataSet>(dataSet: T | undefined, tag: string): T[] {
  const found: T[] = [];
  // The items of a data set are of its own kind.
  for (const { dataSet: item } of dataSet?.elements[tag]?.items ?? []) if (item) found.push(item as T);
  return found;
}
