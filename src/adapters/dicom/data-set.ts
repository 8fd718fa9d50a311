import type { DataSet } from 'dicom-parser';
import { textReader, type TextReader } from './character-set.js';

/** Attributes out of one or several nested data sets, the first that has a value winning. */
export interface Attributes {
  text(tag: string): string | null;
  texts(tag: string): string[] | null;
  /** DS and IS text as a number; null when absent or not a number. */
  number(tag: string): number | null;
  numbers(tag: string): number[] | null;
  uint16(tag: string): number | null;
  float64(tag: string): number | null;
  float64s(tag: string): number[] | null;
  /** The raw value of the first data set that has the tag with a length. */
  has(tag: string): boolean;
}

/**
 * A view on data sets in order of preference: for an enhanced frame its own functional groups, the shared ones, then
 * the top level.
 */
export function attributes(dataSets: readonly DataSet[], reader: TextReader): Attributes {
  const holder = (tag: string): DataSet | undefined =>
    dataSets.find((dataSet) => (dataSet.elements[tag]?.length ?? 0) > 0);
  const text = (tag: string): string | null => {
    const dataSet = holder(tag);
    if (!dataSet) return null;
    const { dataOffset, length } = dataSet.elements[tag]!;
    return reader.decode(dataSet.byteArray.subarray(dataOffset, dataOffset + length));
  };
  const texts = (tag: string): string[] | null =>
    text(tag)
      ?.split('\\')
      .map((part) => part.trim()) ?? null;
  const numbers = (tag: string): number[] | null => {
    const parts = texts(tag)?.map((part) => (part === '' ? NaN : Number(part.replace(',', '.'))));
    return parts && parts.every(Number.isFinite) ? parts : null;
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
    float64s,
    float64: (tag) => float64s(tag)?.[0] ?? null,
    has: (tag) => holder(tag) !== undefined,
  };
}

/** The text reader that a data set asks for by SpecificCharacterSet. */
export function readerOf(dataSet: DataSet): TextReader {
  return textReader(dataSet.string('x00080005') ?? null);
}

/** Items of a sequence; [] when it is absent. */
export function items(dataSet: DataSet | undefined, tag: string): DataSet[] {
  return (dataSet?.elements[tag]?.items ?? []).flatMap((item) => (item.dataSet ? [item.dataSet] : []));
}
