import { deflateRawSync } from 'node:zlib';

/** One element to encode. A UN element with items is written without a length, its items in implicit VR little endian. */
export type Element = readonly [tag: number, vr: string, value: Value];
/** Text is written as Latin-1, numbers by their VR. */
export type Value = string | number | readonly number[] | Uint8Array | Items;

/** The items of a sequence, and which lengths are left undefined (PS3.5 section 7.5). */
export interface Items {
  readonly items: readonly (readonly Element[])[];
  readonly openSequence: boolean;
  readonly openItems: boolean;
}

export interface Encoding {
  readonly implicit: boolean;
  readonly bigEndian: boolean;
}

export const EXPLICIT = '1.2.840.10008.1.2.1';
export const IMPLICIT = '1.2.840.10008.1.2';
export const BIG_ENDIAN = '1.2.840.10008.1.2.2';
export const DEFLATED = '1.2.840.10008.1.2.1.99';

const LITTLE: Encoding = { implicit: false, bigEndian: false };
const LONG_VRS = 'OB OD OF OL OV OW SQ SV UC UN UR UT UV'.split(' ');
const NUMBER_BYTES: Readonly<Record<string, number>> = {
  US: 2,
  SS: 2,
  UL: 4,
  SL: 4,
  FL: 4,
  FD: 8,
  OV: 8,
  UV: 8,
};

/** Items with their lengths written. */
export function sequence(...items: (readonly Element[])[]): Items {
  return { items, openSequence: false, openItems: false };
}

/** Items with delimiters in place of lengths. */
export function openSequence(...items: (readonly Element[])[]): Items {
  return { items, openSequence: true, openItems: true };
}

/** A Part 10 file (PS3.10 section 7.1), or what is left of one. */
export function dicomFile(
  elements: readonly Element[],
  {
    syntax = EXPLICIT,
    preamble = true,
    meta = true,
    metaMore = [],
  }: { syntax?: string; preamble?: boolean; meta?: boolean; metaMore?: readonly Element[] } = {},
): Buffer {
  const encoding = { implicit: syntax === IMPLICIT, bigEndian: syntax === BIG_ENDIAN };
  const body = dataSetBytes(elements, encoding);
  const sopClass = elements.find(([tag]) => tag === 0x00080016)?.[2];
  const group = dataSetBytes(
    [
      [0x00020001, 'OB', Uint8Array.of(0, 1)],
      ...(sopClass === undefined ? [] : [[0x00020002, 'UI', sopClass] as const]),
      [0x00020010, 'UI', syntax],
      ...metaMore,
    ],
    LITTLE,
  );
  return Buffer.concat([
    ...(preamble ? [Buffer.alloc(128), Buffer.from('DICM')] : []),
    ...(meta ? [dataSetBytes([[0x00020000, 'UL', group.length]], LITTLE), group] : []),
    syntax === DEFLATED ? deflateRawSync(body) : body,
  ]);
}

export function dataSetBytes(elements: readonly Element[], encoding: Encoding = LITTLE): Buffer {
  return Buffer.concat(elements.map((element) => elementBytes(element, encoding)));
}

/** Encapsulated pixel data: an empty offset table and the fragments. PS3.5 A.4. */
export function encapsulated(tag: number, ...fragments: Uint8Array[]): Buffer {
  return Buffer.concat([
    head(tag, 'OB', 0xffffffff, LITTLE),
    mark(0xfffee000, 0, LITTLE),
    ...fragments.flatMap((bytes) => [mark(0xfffee000, bytes.length, LITTLE), bytes]),
    mark(0xfffee0dd, 0, LITTLE),
  ]);
}

function elementBytes([tag, vr, value]: Element, encoding: Encoding): Buffer {
  if (typeof value === 'object' && 'items' in value) {
    if (vr === 'UN') {
      const body = sequenceBytes({ ...value, openSequence: true }, { implicit: true, bigEndian: false });
      return Buffer.concat([head(tag, vr, 0xffffffff, encoding), body]);
    }
    const body = sequenceBytes(value, encoding);
    return Buffer.concat([head(tag, vr, value.openSequence ? 0xffffffff : body.length, encoding), body]);
  }
  const body = valueBytes(value, vr, encoding);
  return Buffer.concat([head(tag, vr, body.length, encoding), body]);
}

/** The items of a sequence, and its delimiter. */
export function sequenceBytes({ items, openSequence: open, openItems }: Items, encoding: Encoding): Buffer {
  const parts = items.flatMap((item) => {
    const body = dataSetBytes(item, encoding);
    return openItems
      ? [mark(0xfffee000, 0xffffffff, encoding), body, mark(0xfffee00d, 0, encoding)]
      : [mark(0xfffee000, body.length, encoding), body];
  });
  return Buffer.concat([...parts, ...(open ? [mark(0xfffee0dd, 0, encoding)] : [])]);
}

function valueBytes(value: Exclude<Value, Items>, vr: string, { bigEndian }: Encoding): Buffer {
  if (typeof value === 'string') {
    const padding = value.length % 2 === 0 ? '' : vr === 'UI' ? '\0' : ' ';
    return Buffer.from(value + padding, 'latin1');
  }
  if (value instanceof Uint8Array) return Buffer.from(value);
  const numbers = typeof value === 'number' ? [value] : value;
  const size = NUMBER_BYTES[vr]!;
  const bytes = Buffer.alloc(numbers.length * size);
  numbers.forEach((number, i) => {
    const at = bytes.subarray(i * size, (i + 1) * size);
    if (vr === 'FD') at.writeDoubleLE(number);
    else if (vr === 'FL') at.writeFloatLE(number);
    else if (size === 8) at.writeBigUInt64LE(BigInt(number));
    else if (number < 0) at.writeIntLE(number, 0, size);
    else at.writeUIntLE(number, 0, size);
    if (bigEndian) at.reverse();
  });
  return bytes;
}

/** Tag, VR and length of an element. */
export function head(tag: number, vr: string, length: number, encoding: Encoding = LITTLE): Buffer {
  const { implicit, bigEndian } = encoding;
  if (implicit) return mark(tag, length, encoding);
  const long = LONG_VRS.includes(vr);
  const bytes = Buffer.alloc(long ? 12 : 8);
  mark(tag, 0, encoding).copy(bytes, 0, 0, 4);
  bytes.write(vr, 4, 'latin1');
  const [at, size] = long ? [8, 4] : [6, 2];
  if (bigEndian) bytes.writeUIntBE(length, at, size);
  else bytes.writeUIntLE(length, at, size);
  return bytes;
}

/** A tag and a length of 32 bits: an item, a delimiter, or an element in implicit VR. */
export function mark(tag: number, length: number, { bigEndian }: Encoding = LITTLE): Buffer {
  const bytes = Buffer.alloc(8);
  if (bigEndian) {
    bytes.writeUInt32BE(tag, 0);
    bytes.writeUInt32BE(length, 4);
  } else {
    bytes.writeUInt16LE(tag >>> 16, 0);
    bytes.writeUInt16LE(tag & 0xffff, 2);
    bytes.writeUInt32LE(length, 4);
  }
  return bytes;
}
