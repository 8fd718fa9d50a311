import { GroundmarkError } from '../../domain/error.js';
import { withDicom } from './open-dicom.js';
import { transferSyntaxOf } from './transfer-syntax.js';

/** The colours of a PALETTE COLOR image, 8 bits each. Index `first` is entry 0. PS3.3 C.7.9. */
export interface Palette {
  readonly first: number;
  readonly red: Uint8Array;
  readonly green: Uint8Array;
  readonly blue: Uint8Array;
}

/**
 * The palette of a file.
 *
 * @throws {GroundmarkError} `unsupported-pixels` when there is none, or only a segmented one
 */
export async function readPalette(file: string): Promise<Palette> {
  return withDicom(file, async ({ dataSet, transferSyntax }) => {
    const table = (descriptor: string, data: string): Uint8Array => {
      const count = dataSet.uint16(descriptor, 0);
      const bits = dataSet.uint16(descriptor, 2);
      const element = dataSet.elements[data];
      if (count === undefined || bits === undefined || !element) {
        throw new GroundmarkError(
          'unsupported-pixels',
          `${file} is a PALETTE COLOR image without a plain palette, so its colours cannot be shown.`,
          { file },
        );
      }
      const bytes = dataSet.byteArray.subarray(element.dataOffset, element.dataOffset + element.length);
      // A count of 0 stands for 65536. PS3.3 C.7.6.3.1.5.
      const entries = count === 0 ? 65536 : count;
      if (bytes.length < entries * 2) return Uint8Array.from(bytes.subarray(0, entries));
      const high = transferSyntaxOf(transferSyntax.uid).bigEndian ? 0 : 1;
      // Entries of 8 bits in 16-bit words keep their value in the low byte.
      return Uint8Array.from({ length: entries }, (_, i) => bytes[i * 2 + (bits === 8 ? 1 - high : high)]!);
    };
    return {
      first: dataSet.uint16('x00281101', 1) ?? 0,
      red: table('x00281101', 'x00281201'),
      green: table('x00281102', 'x00281202'),
      blue: table('x00281103', 'x00281203'),
    };
  });
}
