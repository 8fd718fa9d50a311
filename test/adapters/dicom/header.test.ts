import {
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
  mkdirSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { deflateRawSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { textReader } from '../../../src/adapters/dicom/character-set.js';
import { readFramePixels, scanHeader, walkFiles } from '../../../src/adapters/dicom/index.js';
import { samplesOf, upsample422 } from '../../../src/adapters/dicom/samples.js';
import { knownTransferSyntaxes, transferSyntaxOf } from '../../../src/adapters/dicom/transfer-syntax.js';
import { ctFile } from './make-ct.js';

let folder: string;
const at = (name: string): string => path.join(folder, name);
const write = (name: string, bytes: Uint8Array): string => {
  writeFileSync(at(name), bytes);
  return at(name);
};
const codeOf = async (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'no error',
    (error: { code?: string }) => error.code,
  );

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'groundmark-dicom-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('scanHeader', () => {
  it('gives one row of a CT slice as it was written', async () => {
    const [row, ...others] = await scanHeader(write('ct.dcm', ctFile({ z: 12.5, instanceNumber: 7 })));
    expect(others).toEqual([]);
    expect(row).toMatchObject({
      frame: 0,
      modality: 'CT',
      instanceNumber: 7,
      rows: 4,
      columns: 4,
      numberOfFrames: 1,
      imagePositionPatient: [-10, -20, 12.5],
      imageOrientationPatient: [1, 0, 0, 0, 1, 0],
      pixelSpacingMm: [0.5, 0.75],
      rescaleSlope: 1,
      rescaleIntercept: -1024,
      windowCenter: 40,
      imageType: ['ORIGINAL', 'PRIMARY', 'AXIAL'],
      bodyPartExamined: null,
      transferSyntaxUid: '1.2.840.10008.1.2.1',
    });
  });

  it('never takes a cut-off header for a whole one, wherever the file is cut', async () => {
    const whole = ctFile({ z: 0 });
    for (let length = 1; length < whole.length - 32; length += 3) {
      const code = await codeOf(scanHeader(write('cut.dcm', whole.subarray(0, length))));
      expect([
        'not-dicom',
        'cut-off-header',
        'no-pixel-data',
        'bad-pixel-module',
        'truncated-pixels',
      ]).toContain(code);
    }
  });

  it('finds the pixel data behind a header longer than any first read', async () => {
    const [row] = await scanHeader(write('long.dcm', ctFile({ z: 1, comment: 'x'.repeat(300_000) })));
    expect(row?.imagePositionPatient).toEqual([-10, -20, 1]);
  });

  it('says when the pixel data is cut off, with the bytes found and needed', async () => {
    const file = write('short.dcm', ctFile({ z: 0 }));
    truncateSync(file, readFileSync(file).length - 10);
    await expect(scanHeader(file)).rejects.toThrow('22 bytes of 32');
    expect(await codeOf(readFramePixels(file, 0))).toBe('truncated-pixels');
  });

  it('reads a file without preamble and meta information, and one with a deflated data set', async () => {
    const whole = ctFile({ z: 3 });
    const start = 132 + 12 + Buffer.from(whole).readUInt32LE(140);
    const [bare] = await scanHeader(write('bare.dcm', whole.subarray(start)));
    expect(bare).toMatchObject({
      imagePositionPatient: [-10, -20, 3],
      transferSyntaxUid: '1.2.840.10008.1.2.1',
    });
    const uid = Buffer.from('1.2.840.10008.1.2.1.99');
    const meta = Buffer.from([2, 0, 16, 0, 0x55, 0x49, uid.length, 0, ...uid]);
    const deflated = Buffer.concat([
      Buffer.alloc(128),
      Buffer.from('DICM'),
      meta,
      deflateRawSync(whole.subarray(start)),
    ]);
    const [row] = await scanHeader(write('deflated.dcm', deflated));
    expect(row).toMatchObject({
      imagePositionPatient: [-10, -20, 3],
      transferSyntaxUid: '1.2.840.10008.1.2.1.99',
    });
    expect((await readFramePixels(at('deflated.dcm'), 0)).samples).toHaveLength(16);
    expect(await codeOf(scanHeader(write('half.dcm', deflated.subarray(0, deflated.length - 40))))).toBe(
      'cut-off-header',
    );
  });

  it.each([
    { name: 'a text file', bytes: Buffer.from('case_id,patient_id\n1,2\n'.repeat(20)), code: 'not-dicom' },
    { name: 'an empty file', bytes: Buffer.alloc(0), code: 'empty-file' },
    {
      name: 'a PNG',
      bytes: Buffer.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, ...Buffer.alloc(200)]),
      code: 'not-dicom',
    },
    { name: 'zeros', bytes: Buffer.alloc(4096), code: 'not-dicom' },
  ])('refuses $name as $code', async ({ bytes, code }) => {
    expect(await codeOf(scanHeader(write('odd', bytes)))).toBe(code);
  });

  it('names a missing file and a frame that is not there', async () => {
    expect(await codeOf(scanHeader(at('absent.dcm')))).toBe('no-such-file');
    expect(await codeOf(readFramePixels(write('one.dcm', ctFile({ z: 0 })), 1))).toBe('no-such-frame');
  });
});

describe('textReader', () => {
  // The example names of PS3.5 annexes H, I and J.
  it.each([
    { set: 'ISO_IR 100', hex: '427563 5EE9', text: 'Buc^é' },
    { set: 'ISO_IR 144', hex: 'BBEEDA', text: 'Люк' },
    { set: '\\ISO 2022 IR 87', hex: '1B2442 3B33 4544 1B2842 5E 1B2442 4240 4F3A 1B2842', text: '山田^太郎' },
    { set: '\\ISO 2022 IR 149', hex: '1B242943 FBF3 5E 1B242943 D1CE D4D7', text: '洪^吉洞' },
    { set: 'ISO_IR 192', hex: '57616E67 5E E5B08F E69DB1', text: 'Wang^小東' },
    { set: 'GB18030', hex: '57616E67 5E D0A1 B6AB', text: 'Wang^小东' },
    { set: null, hex: '4142 20 00', text: 'AB' },
  ])('reads $set', ({ set, hex, text }) => {
    expect(textReader(set).decode(Buffer.from(hex.replaceAll(' ', ''), 'hex'))).toBe(text);
  });
});

describe('samplesOf', () => {
  const layout = {
    rows: 1,
    columns: 4,
    frames: 1,
    samplesPerPixel: 1,
    bitsAllocated: 16,
    bitsStored: 12,
    highBit: 11,
    signed: true,
    planar: false,
    photometricInterpretation: 'MONOCHROME2',
    float: false,
  };

  it('sign-extends 12 stored bits and drops what lies above them', () => {
    const bytes = Uint8Array.from([0xff, 0x0f, 0x00, 0x08, 0xff, 0x07, 0x01, 0xf0]);
    expect(samplesOf(bytes, layout, 4)).toEqual(Int16Array.of(-1, -2048, 2047, 1));
    expect(samplesOf(bytes, { ...layout, signed: false }, 4)).toEqual(Uint16Array.of(4095, 2048, 2047, 1));
  });

  it('reads big endian and leaves the given bytes alone', () => {
    const bytes = Uint8Array.from([0x01, 0x02, 0xff, 0xfe]);
    const whole = { ...layout, bitsStored: 16, highBit: 15 };
    expect(samplesOf(bytes, whole, 2, { bigEndian: true })).toEqual(Int16Array.of(258, -2));
    expect([...bytes]).toEqual([1, 2, 255, 254]);
  });

  it('unpacks bits from the lowest, from the middle of a byte when a frame begins there', () => {
    const bits = { ...layout, bitsAllocated: 1, bitsStored: 1, highBit: 0 };
    expect([...samplesOf(Uint8Array.of(0b0000_0101), bits, 4)]).toEqual([1, 0, 1, 0]);
    expect([...samplesOf(Uint8Array.of(0b0110_0000, 1), bits, 4, { firstBit: 5 })]).toEqual([1, 1, 0, 1]);
  });

  it('gives both pixels of a 4:2:2 pair the same chrominance', () => {
    expect([...upsample422(Uint8Array.of(10, 20, 100, 200))]).toEqual([10, 100, 200, 20, 100, 200]);
  });
});

it('every transfer syntax has a name, and a pixel encoding when there is a decoder', () => {
  const without: string[] = [];
  for (const uid of knownTransferSyntaxes()) {
    const { name, pixels } = transferSyntaxOf(uid);
    expect(name).not.toBe('unknown transfer syntax');
    if (pixels === 'unknown') without.push(uid.replace('1.2.840.10008.1.2.4.', ''));
  }
  // JPEG 2000 Part 2, JPIP, MPEG2, MPEG-4, HEVC.
  expect(without.join(' ')).toBe('92 93 94 95 100 101 102 103 104 105 106 107 108');
  expect(transferSyntaxOf('1.2.3')).toMatchObject({
    name: 'unknown transfer syntax',
    pixels: 'unknown',
    implicit: false,
    bigEndian: false,
  });
});

it('walkFiles sorts by code unit, follows links and survives a link to its own ancestor', async () => {
  mkdirSync(at('walk/b'), { recursive: true });
  mkdirSync(at('other'));
  for (const name of ['walk/b/2', 'walk/b/10', 'walk/B', 'other/x']) write(name, Uint8Array.of(1));
  symlinkSync('..', at('walk/b/loop'));
  symlinkSync(at('other'), at('walk/linked'));
  symlinkSync(at('nowhere'), at('walk/dangling'));
  const found = await walkFiles(at('walk'));
  expect(found.map((file) => file.relative)).toEqual(['B', 'b/10', 'b/2', 'dangling', 'linked/x']);
  expect(await codeOf(walkFiles(at('absent')))).toBe('no-such-folder');
});
