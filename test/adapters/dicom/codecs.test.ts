import dcmjsCodecs, { type Context } from 'dcmjs-codecs';
import { beforeAll, describe, expect, it } from 'vitest';
import { codestreamSize } from '../../../src/adapters/dicom/codestream-size.js';
import { decodeFrame } from '../../../src/adapters/dicom/codecs.js';
import type { PixelLayout } from '../../../src/adapters/dicom/pixel-layout.js';
import { transferSyntaxOf } from '../../../src/adapters/dicom/transfer-syntax.js';
import { rng } from '../../../src/util/rng.js';

const { Context: CodecContext, NativeCodecs, log } = dcmjsCodecs;
const [ROWS, COLUMNS] = [48, 80];

const LAYOUT: PixelLayout = {
  rows: ROWS,
  columns: COLUMNS,
  frames: 1,
  samplesPerPixel: 1,
  bitsAllocated: 16,
  bitsStored: 12,
  highBit: 11,
  signed: false,
  planar: false,
  photometricInterpretation: 'MONOCHROME2',
  float: false,
  chroma422: false,
};

/** A smooth picture of 12 bits with some noise. */
const random = rng(0, 'codecs');
const PICTURE = Uint16Array.from(
  { length: ROWS * COLUMNS },
  (_, i) => 1000 + (i % COLUMNS) * 9 + random.int(20),
);

/** Lossless encoders by the UID that each writes. */
const LOSSLESS: Readonly<Record<string, (context: Context) => Context>> = {
  '1.2.840.10008.1.2.5': (context) => NativeCodecs.encodeRle(context),
  '1.2.840.10008.1.2.4.57': (context) => NativeCodecs.encodeJpeg(context, { lossy: false, predictor: 4 }),
  '1.2.840.10008.1.2.4.70': (context) => NativeCodecs.encodeJpeg(context, { lossy: false }),
  '1.2.840.10008.1.2.4.80': (context) => NativeCodecs.encodeJpegLs(context, { lossy: false }),
  '1.2.840.10008.1.2.4.90': (context) => NativeCodecs.encodeJpeg2000(context, { lossy: false }),
  '1.2.840.10008.1.2.4.110': (context) => NativeCodecs.encodeJpegXl(context, { lossy: false }),
  '1.2.840.10008.1.2.4.201': (context) => NativeCodecs.encodeHtJpeg2000(context, { lossy: false }),
};
const encoded: Record<string, Buffer> = {};

beforeAll(async () => {
  log.setLevel('silent');
  await NativeCodecs.initializeAsync();
  for (const [uid, encode] of Object.entries(LOSSLESS)) {
    const context = new CodecContext({
      width: COLUMNS,
      height: ROWS,
      bitsAllocated: 16,
      bitsStored: 12,
      samplesPerPixel: 1,
      pixelRepresentation: 0,
      planarConfiguration: 0,
      photometricInterpretation: 'MONOCHROME2',
      decodedBuffer: new Uint8Array(PICTURE.buffer),
    });
    encoded[uid] = Buffer.from(encode(context).getEncodedBuffer()!);
  }
});

const decode = (uid: string, bytes = encoded[uid]!, layout = LAYOUT) =>
  decodeFrame(bytes, layout, transferSyntaxOf(uid), 'slice.dcm');

describe.each(Object.keys(LOSSLESS))('A frame in %s', (uid) => {
  it('comes back as it went in', async () => {
    const { bytes } = await decode(uid);
    expect(Buffer.from(bytes)).toEqual(Buffer.from(PICTURE.buffer));
  });

  it('says its size before it is decoded', () => {
    if (uid === '1.2.840.10008.1.2.5') return expect(codestreamSize(encoded[uid]!)).toBeNull();
    expect(codestreamSize(encoded[uid]!)).toMatchObject({ rows: ROWS, columns: COLUMNS });
  });

  it('of another size than the header’s is refused by name', async () => {
    await expect(
      decode(uid, encoded[uid], { ...LAYOUT, rows: ROWS * 64, columns: COLUMNS * 64 }),
    ).rejects.toMatchObject({
      code: 'unsupported-pixels',
      message: expect.stringContaining(transferSyntaxOf(uid).name) as string,
    });
  });

  it('that lacks its last tenth is refused, never filled up', async () => {
    const bytes = encoded[uid]!;
    await expect(decode(uid, bytes.subarray(0, Math.floor(bytes.length * 0.9)))).rejects.toMatchObject({
      code: expect.stringMatching(/^(?:unsupported|truncated)-pixels$/u) as string,
    });
  });

  it('that is cut or noise is refused, and the next one is decoded all the same', async () => {
    const cut = encoded[uid]!.subarray(0, 60);
    const noise = Buffer.from(encoded[uid]!.subarray(0, 64).toString('latin1') + 'x'.repeat(500), 'latin1');
    for (const bytes of [cut, noise, Buffer.alloc(0), Buffer.alloc(3)]) {
      // A decoder may make something of noise; what it may not do is crash.
      const found = await decode(uid, bytes).catch((error: { code: string }) => error.code);
      if (typeof found === 'string') expect(['unsupported-pixels', 'truncated-pixels']).toContain(found);
    }
    const { bytes } = await decode(uid);
    expect(Buffer.from(bytes)).toEqual(Buffer.from(PICTURE.buffer));
  });
});

it('codestreamSize reads JP2 boxes, and nothing out of what is no picture', () => {
  const stream = encoded['1.2.840.10008.1.2.4.90']!;
  const box = (type: string, content: Uint8Array) => {
    const bytes = Buffer.alloc(8 + content.length);
    bytes.writeUInt32BE(bytes.length);
    bytes.write(type, 4, 'latin1');
    bytes.set(content, 8);
    return bytes;
  };
  const jp2 = Buffer.concat([box('jP  ', Buffer.from([13, 10, 135, 10])), box('ftyp', Buffer.alloc(12)), box('jp2c', stream)]); // prettier-ignore
  expect(codestreamSize(jp2)).toEqual({ rows: ROWS, columns: COLUMNS, components: 1 });
  for (const text of ['', 'a', 'no picture at all']) expect(codestreamSize(Buffer.from(text))).toBeNull();
});

it('frames decoded at the same time, some of them broken, do not disturb one another', async () => {
  const uids = Object.keys(LOSSLESS);
  const jobs = Array.from({ length: 40 }, (_, i) => {
    const uid = uids[i % uids.length]!;
    return i % 3 === 0 ? decode(uid, encoded[uid]!.subarray(0, 70)).catch(() => null) : decode(uid);
  });
  const found = await Promise.all(jobs);
  found.forEach((frame, i) => {
    if (i % 3 !== 0) expect(Buffer.from(frame!.bytes)).toEqual(Buffer.from(PICTURE.buffer));
  });
});
