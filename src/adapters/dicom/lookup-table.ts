import type { DataSet } from 'dicom-parser';

/** A lookup table: stored value `first` and all below give entry 0, all past the end the last. PS3.3 C.11.1.1.1. */
export interface LookupTable {
  readonly first: number;
  /** Bits of an entry as declared, 8 to 16. */
  readonly bits: number;
  /** At least one. */
  readonly entries: Uint16Array;
}

export interface LookupTableTags {
  /** Number of entries, first value mapped, bits of an entry. */
  readonly descriptor: string;
  readonly data: string;
}

export interface LookupTableEncoding {
  /** Whether the first value mapped is signed: as the values that go in. */
  readonly signed: boolean;
  readonly bigEndian: boolean;
}

/** Descriptor and data of a Modality LUT and a VOI LUT item. PS3.3 C.11.1, C.11.2. */
export const LUT_TAGS: LookupTableTags = { descriptor: 'x00283002', data: 'x00283006' };

/** The three numbers of a descriptor; null when it is absent or short. A count of 0 stands for 65536. */
export function lookupDescriptor(
  dataSet: DataSet,
  tag: string,
  signed: boolean,
): { count: number; first: number; bits: number } | null {
  const element = dataSet.elements[tag];
  if (!element || element.length < 6) return null;
  const count = dataSet.uint16(tag, 0)!;
  const first = (signed || element.vr === 'SS' ? dataSet.int16(tag, 1) : dataSet.uint16(tag, 1))!;
  return { count: count === 0 ? 65536 : count, first, bits: dataSet.uint16(tag, 2)! };
}

/** The table of a data set or sequence item; null when it has none or no data. A short one ends where its data ends. */
export function readLookupTable(
  dataSet: DataSet,
  tags: LookupTableTags,
  { signed, bigEndian }: LookupTableEncoding,
): LookupTable | null {
  const descriptor = lookupDescriptor(dataSet, tags.descriptor, signed);
  const data = dataSet.elements[tags.data];
  if (!descriptor || !data || data.length < 1) return null;
  const { count, first, bits } = descriptor;
  const bytes = dataSet.byteArray.subarray(data.dataOffset, data.dataOffset + data.length);
  const packed = bits <= 8 && bytes.length < count * 2;
  const entries = packed
    ? packedEntries(bytes, count, bigEndian && data.vr === 'OW')
    : wordEntries(bytes, count, bigEndian);
  return entries.length === 0 ? null : { first, bits, entries };
}

/** One byte an entry, two in a word: in big-endian words the second entry lies first. */
function packedEntries(bytes: Uint8Array, count: number, swapped: boolean): Uint16Array {
  const entries = Uint16Array.from(bytes.subarray(0, count));
  if (swapped) for (let i = 0; i < entries.length; i++) entries[i] = bytes[i ^ 1] ?? 0;
  return entries;
}

/** One 16-bit word an entry. */
export function wordEntries(bytes: Uint8Array, count: number, bigEndian: boolean): Uint16Array {
  const [low, high] = bigEndian ? [1, 0] : [0, 1];
  const length = Math.min(count, bytes.length >> 1);
  return Uint16Array.from({ length }, (_, i) => bytes[i * 2 + low]! | (bytes[i * 2 + high]! << 8));
}

/** What a table gives for a value; between two values it takes the lower one's entry. */
export function lookUp({ first, entries }: LookupTable, value: number): number {
  const index = Math.floor(value) - first;
  return entries[index <= 0 ? 0 : Math.min(index, entries.length - 1)]!;
}
