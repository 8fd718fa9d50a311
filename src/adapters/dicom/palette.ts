import { GroundmarkError } from '../../domain/error.js';
import {
  lookupDescriptor,
  readLookupTable,
  wordEntries,
  type LookupTable,
  type LookupTableEncoding,
} from './lookup-table.js';
import type { OpenDicom } from './open-dicom.js';
import { expandSegments } from './segmented-palette.js';

/** The colours of a PALETTE COLOR image, 8 bits each. Index `first` is entry 0. PS3.3 C.7.9. */
export interface Palette {
  readonly first: number;
  readonly red: Uint8Array;
  readonly green: Uint8Array;
  readonly blue: Uint8Array;
}

/** Descriptor, plain data, segmented data. */
const CHANNELS = {
  red: ['x00281101', 'x00281201', 'x00281221'],
  green: ['x00281102', 'x00281202', 'x00281222'],
  blue: ['x00281103', 'x00281203', 'x00281223'],
} as const;

/**
 * The palette of an open file, plain or segmented.
 *
 * @throws {GroundmarkError} `unsupported-pixels` when a channel has none
 */
export function readPalette({ file, dataSet, transferSyntax }: OpenDicom, signed: boolean): Palette {
  const encoding = { signed, bigEndian: transferSyntax.bigEndian };
  const channel = (name: keyof typeof CHANNELS): LookupTable => {
    const [descriptor, data, segmented] = CHANNELS[name];
    const table =
      readLookupTable(dataSet, { descriptor, data }, encoding) ??
      readSegmented(dataSet, descriptor, segmented, encoding);
    if (table) return table;
    throw new GroundmarkError(
      'unsupported-pixels',
      `${file} is a PALETTE COLOR image without a ${name} palette, so its colours cannot be shown. ` +
        `Ask the maker of the file for one with (${descriptor.slice(1, 5)},${descriptor.slice(5)}).`,
      { file, channel: name },
    );
  };
  const [red, green, blue] = [channel('red'), channel('green'), channel('blue')];
  // Entries declared as 16 bits that all fit in 8 are 8-bit colours in words; their high bytes would be black.
  const narrow = [red, green, blue].every(({ bits, entries }) => bits <= 8 || entries.every((v) => v < 256));
  const bytes = ({ entries }: LookupTable): Uint8Array =>
    Uint8Array.from(entries, (value) => (narrow ? value : value >> 8));
  return { first: red.first, red: bytes(red), green: bytes(green), blue: bytes(blue) };
}

function readSegmented(
  dataSet: OpenDicom['dataSet'],
  descriptorTag: string,
  dataTag: string,
  { signed, bigEndian }: LookupTableEncoding,
): LookupTable | null {
  const descriptor = lookupDescriptor(dataSet, descriptorTag, signed);
  const data = dataSet.elements[dataTag];
  if (!descriptor || !data) return null;
  const bytes = dataSet.byteArray.subarray(data.dataOffset, data.dataOffset + data.length);
  const numbers = descriptor.bits <= 8 ? bytes : wordEntries(bytes, bytes.length, bigEndian);
  const entries = expandSegments(numbers, descriptor.bits <= 8 ? 1 : 2, descriptor.count);
  return entries.length === 0 ? null : { first: descriptor.first, bits: descriptor.bits, entries };
}
