import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { readFramePixels, rgbOf } from '../../../src/adapters/dicom/index.js';
import { expandSegments } from '../../../src/adapters/dicom/segmented-palette.js';
import { BIG_ENDIAN, type Element } from '../../helpers/dicom-bytes.js';
import { bigWords, imageFile, words, type ImageParts } from '../../helpers/dicom-image.js';
import { describeShared, sharedPath } from '../../helpers/shared.js';
import { temporaryFiles } from '../../helpers/temporary.js';

const write = temporaryFiles();

/** Four pixels of 8 bits, 0 1 2 3, shown through a palette. */
async function shown(more: readonly Element[], parts: Partial<ImageParts> = {}) {
  const image = { rows: 1, columns: 4, bitsAllocated: 8, pixels: Uint8Array.of(0, 1, 2, 3), more };
  const bytes = imageFile({ photometric: 'PALETTE COLOR', ...image, ...parts });
  return [...rgbOf(await readFramePixels(write('palette.dcm', bytes), 0))];
}

/** Red, green and blue tables with one descriptor. */
function palette(descriptor: readonly number[], tables: readonly Uint8Array[], vr = 'OW'): Element[] {
  return tables.flatMap((table, i) => [
    [0x00281101 + i, 'US', descriptor] as const,
    [0x00281201 + i, vr, table] as const,
  ]);
}

describe('A palette', () => {
  const ramp = (...values: number[]) => words(...values.map((value) => value * 256));

  it('of 16 bits gives its high bytes', async () => {
    const tables = [ramp(10, 20, 30, 40), ramp(50, 60, 70, 80), ramp(90, 100, 110, 120)];
    expect(await shown(palette([4, 0, 16], tables))).toEqual([
      10, 50, 90, 20, 60, 100, 30, 70, 110, 40, 80, 120,
    ]);
  });

  it('begins at its first mapped value and ends with its last entry', async () => {
    // Two entries from stored value 1: 0 and 1 get the first, 2 and 3 the second.
    const tables = [ramp(1, 2), ramp(3, 4), ramp(5, 6)];
    expect(await shown(palette([2, 1, 16], tables))).toEqual([1, 3, 5, 1, 3, 5, 2, 4, 6, 2, 4, 6]);
  });

  it('of 8 bits may lie in bytes or in words', async () => {
    const expected = [1, 5, 9, 2, 6, 10, 3, 7, 11, 4, 8, 12];
    const bytes = [Uint8Array.of(1, 2, 3, 4), Uint8Array.of(5, 6, 7, 8), Uint8Array.of(9, 10, 11, 12)];
    expect(await shown(palette([4, 0, 8], bytes))).toEqual(expected);
    const inWords = [words(1, 2, 3, 4), words(5, 6, 7, 8), words(9, 10, 11, 12)];
    expect(await shown(palette([4, 0, 8], inWords))).toEqual(expected);
    // Some ultrasound machines say 16 and write 8.
    expect(await shown(palette([4, 0, 16], inWords))).toEqual(expected);
  });

  it('in big endian is read high byte first, and packed bytes in words change places', async () => {
    const tables = [10, 50, 90].map((start) => bigWords(...[0, 10, 20, 30].map((n) => (start + n) * 256)));
    expect((await shown(palette([4, 0, 16], tables), { syntax: BIG_ENDIAN })).slice(0, 6)).toEqual([10, 50, 90, 20, 60, 100]); // prettier-ignore
    const packed = [Uint8Array.of(2, 1, 4, 3), Uint8Array.of(6, 5, 8, 7), Uint8Array.of(10, 9, 12, 11)];
    expect((await shown(palette([4, 0, 8], packed), { syntax: BIG_ENDIAN })).slice(0, 6)).toEqual([1, 5, 9, 2, 6, 10]); // prettier-ignore
  });

  it('of 65536 entries says 0', async () => {
    const table = new Uint8Array(131_072);
    table.set(words(0xff00), 131_070);
    const pixels = words(0, 65_535, 65_534, 65_535);
    const found = await shown(palette([0, 0, 16], [table, table, table]), { bitsAllocated: 16, pixels });
    expect(found).toEqual([0, 0, 0, 255, 255, 255, 0, 0, 0, 255, 255, 255]);
  });

  it('in segments is expanded', async () => {
    // Discrete 2 entries 0, 0x1000; linear 2 steps to 0x3000.
    const segments = words(0, 2, 0, 0x1000, 1, 2, 0x3000);
    const more = [1, 2, 3].flatMap((n) => [
      [0x00281100 + n, 'US', [4, 0, 16]] as const,
      [0x00281220 + n, 'OW', segments] as const,
    ]);
    expect(await shown(more)).toEqual([0, 0, 0, 16, 16, 16, 32, 32, 32, 48, 48, 48]);
  });

  it('that is missing is refused by its channel', async () => {
    const two = palette([4, 0, 16], [ramp(1, 2, 3, 4), ramp(1, 2, 3, 4)]);
    await expect(shown(two)).rejects.toMatchObject({
      code: 'unsupported-pixels',
      context: { channel: 'blue' },
    });
  });
});

describe('expandSegments', () => {
  it('interpolates to the given end, from the entry before', () => {
    // PS3.3 C.7.9.2.2: the segment has `length` entries, the last of them the given one.
    expect([...expandSegments([0, 1, 10, 1, 4, 50], 2, 5)]).toEqual([10, 20, 30, 40, 50]);
  });

  it('repeats segments by an indirect one, at a byte offset given low word first', () => {
    // Words 0-2 are a discrete segment of one entry, 3-5 a linear one of two; the indirect one repeats both from byte 0.
    expect([...expandSegments([0, 1, 100, 1, 2, 200, 2, 2, 0, 0], 2, 6)]).toEqual([
      100, 150, 200, 100, 150, 200,
    ]);
    // In 8-bit tables the offset is four bytes.
    expect([...expandSegments([0, 1, 100, 1, 2, 200, 2, 1, 0, 0, 0, 0], 1, 4)]).toEqual([100, 150, 200, 100]);
  });

  it('ends at the announced count, at damage, and at an indirect segment inside one', () => {
    expect([...expandSegments([0, 3, 1, 2, 3], 2, 2)]).toEqual([1, 2]);
    expect([...expandSegments([1, 3, 9], 2, 3)]).toEqual([]);
    expect([...expandSegments([7, 1, 1], 2, 3)]).toEqual([]);
    expect([...expandSegments([0, 1, 5, 2, 9, 6, 0], 2, 1000)]).toEqual([5]);
  });
});

describeShared('Palettes of the shared set', 'dicom', () => {
  // SHA-256 of `apply_color_lut(pixel_array, dataset) >> 8` as uint8, pydicom 2.3.1.
  it.each([
    {
      kind: '8-bit samples, 16-bit palette',
      file: 'singles/pydicom/examples_palette.dcm',
      sha256: '322156a65198e9bee9b231c14fcb48d06306bea5d39e9f3c0b0befb037eb834f',
    },
    {
      kind: '16-bit samples, segmented palette',
      file: 'singles/pydicom-data/gdcm-US-ALOKA-16.dcm',
      sha256: '97697b719ccd7c15c9cfbee12cb1285b2423b8bc3adf6bf45cb3858e4f0f3db4',
    },
    {
      kind: 'RLE',
      file: 'singles/pydicom-data/OBXXXX1A_rle.dcm',
      sha256: 'f27736ea1acb75cbd77cc44bdf061c884774d5dfaab52429152f950a19a1bde8',
    },
  ])('give the colours that pydicom gives: $kind', async ({ file, sha256 }) => {
    const pixels = await readFramePixels(sharedPath('dicom', ...file.split('/')), 0);
    expect(createHash('sha256').update(rgbOf(pixels)).digest('hex')).toBe(sha256);
  });
});
