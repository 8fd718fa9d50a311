import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { padPng, sameSizePngs, stripPng } from '../../src/mcq/pad-png.js';
import { aPng } from '../helpers/mcq-fixtures.js';

/** Chunk names, read without the code under test. */
function chunkNames(png: Uint8Array): string[] {
  const buffer = Buffer.from(png);
  const names: string[] = [];
  for (let at = 8; at < buffer.length; at += 12 + buffer.readUInt32BE(at)) {
    names.push(buffer.toString('latin1', at + 4, at + 8));
  }
  return names;
}

describe('stripping a PNG', () => {
  it('leaves the picture chunks alone and removes text, time, density and Exif', () => {
    const png = aPng(
      [1, 2, 3],
      [
        ['tEXt', 'Comment\0secret'],
        ['tIME', '1234567'],
        ['pHYs', '123456789'],
        ['eXIf', 'MM'],
      ],
    );
    const stripped = stripPng(png);
    expect(chunkNames(stripped)).toEqual(['IHDR', 'IDAT', 'IEND']);
    expect(Buffer.from(stripped)).toEqual(Buffer.from(aPng([1, 2, 3])));
  });

  it('refuses what is no PNG', () => {
    expect(() => stripPng(new Uint8Array([1, 2, 3]))).toThrow(/PNG/);
  });
});

describe('padding a PNG', () => {
  it('gives exactly the size asked for, with zeros before IEND, and an image that decodes the same', async () => {
    const padded = padPng(aPng([10, 20, 30]), 500);
    expect(padded).toHaveLength(500);
    expect(chunkNames(padded)).toEqual(['IHDR', 'IDAT', 'gmPd', 'IEND']);
    const { data } = await sharp(Buffer.from(padded))
      .toColourspace('b-w')
      .raw()
      .toBuffer({ resolveWithObject: true });
    expect([...data]).toEqual([10, 20, 30]);
    // Independent CRC-32 of the type alone: binascii.crc32(b"gmPd") in Python.
    const empty = Buffer.from(padPng(aPng([1]), aPng([1]).length + 12));
    const at = empty.indexOf('gmPd');
    expect(empty.readUInt32BE(at - 4)).toBe(0);
    expect(empty.readUInt32BE(at + 4)).toBe(0x37deb0c0);
  });

  it('refuses a size that has no room for the chunk', () => {
    const png = aPng([1]);
    expect(() => padPng(png, png.length + 11)).toThrow(/cannot be padded/);
  });

  it('makes all images of an item one size, each with a padding chunk', () => {
    const pngs = sameSizePngs([
      aPng([1]),
      aPng(Array.from({ length: 300 }, (_, i) => (i * i) % 251)),
      aPng([7, 7]),
    ]);
    expect(new Set(pngs.map(({ length }) => length)).size).toBe(1);
    for (const png of pngs) expect(chunkNames(png)).toContain('gmPd');
  });
});
