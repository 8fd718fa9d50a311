import { describe, expect, it } from 'vitest';
import { chunkPayload, chunkProblem, pngChunks } from '../../../src/adapters/image/png-chunks.js';

// One black grey pixel and a compressed text, made with Python's struct, zlib.compress and zlib.crc32.
const SIGNATURE = '89504e470d0a1a0a';
const IHDR = '0000000d49484452000000010000000108000000003a7e9b55';
const ZTXT = '0000001c7a5458745469746c650000789c2b28ca2c4b2c495528cf2f4a2906002560054b8ad91adb';
const IDAT = '0000000a4944415478da6360000000020001e527defc';
const IEND = '0000000049454e44ae426082';
const png = (...parts: string[]): Buffer => Buffer.from(parts.join(''), 'hex');

describe('pngChunks', () => {
  it('gives the chunks in file order', () => {
    const chunks = pngChunks(png(SIGNATURE, IHDR, ZTXT, IDAT, IEND));
    expect(chunks.map(({ type, data }) => [type, data.length])).toEqual([
      ['IHDR', 13],
      ['zTXt', 28],
      ['IDAT', 10],
      ['IEND', 0],
    ]);
  });

  it.each([
    { why: 'PNG signature', bytes: png(IHDR, IDAT, IEND) },
    { why: 'wrong checksum in its IDAT', bytes: png(SIGNATURE, IHDR, IDAT.replace('fc', 'fd'), IEND) },
    { why: 'cut off', bytes: png(SIGNATURE, IHDR, IDAT) },
    { why: 'cut off', bytes: png(SIGNATURE, IHDR, IDAT.slice(0, 30)) },
    { why: '3 bytes after its end', bytes: png(SIGNATURE, IHDR, IDAT, IEND, '616263') },
    { why: 'without a name', bytes: png(SIGNATURE, '00000000000000010000000000') },
    { why: 'PNG signature', bytes: Buffer.alloc(0) },
  ])('refuses a file: $why', ({ why, bytes }) => {
    expect(() => pngChunks(bytes)).toThrow(why);
  });
});

describe('chunkProblem', () => {
  it.each([
    { type: 'IHDR', hex: '00', allowed: true },
    { type: 'IDAT', hex: '01', allowed: true },
    { type: 'pHYs', hex: '000003e8000003e801', allowed: true },
    { type: 'pHYs', hex: '00000b1300000b1301', allowed: false },
    { type: 'paDd', hex: '000000', allowed: true },
    { type: 'paDd', hex: '000100', allowed: false },
    { type: 'tEXt', hex: '4100', allowed: false },
    { type: 'tIME', hex: '07ea01', allowed: false },
    { type: 'eXIf', hex: '4d4d', allowed: false },
  ])('a $type chunk with $hex may be published: $allowed', ({ type, hex, allowed }) => {
    expect(chunkProblem({ type, data: Buffer.from(hex, 'hex') }) === null).toBe(allowed);
  });
});

describe('chunkPayload', () => {
  it('unpacks a compressed text', () => {
    const [, text] = pngChunks(png(SIGNATURE, IHDR, ZTXT, IDAT, IEND));
    expect(Buffer.from(chunkPayload(text!)!).toString()).toBe('Title\nprivate words\n');
  });

  it('gives a text that does not unpack as it lies', () => {
    const data = Buffer.from('Title\0\0not deflate');
    expect(Buffer.from(chunkPayload({ type: 'zTXt', data })!).toString()).toBe('Title\nnot deflate\n');
  });

  it('gives nothing for picture chunks', () => {
    expect(chunkPayload({ type: 'IDAT', data: Buffer.from([1]) })).toBeNull();
  });
});
