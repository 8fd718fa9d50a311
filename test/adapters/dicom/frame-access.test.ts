import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  checkPixelLength,
  encapsulatedFrameBytes,
  nativeFrameBytes,
} from '../../../src/adapters/dicom/frame-bytes.js';
import { forFrames, readFramePixels, withFrames } from '../../../src/adapters/dicom/index.js';
import { withDicom, type OpenDicom } from '../../../src/adapters/dicom/open-dicom.js';
import { pixelLayout } from '../../../src/adapters/dicom/pixel-layout.js';
import { dicomFile, head, mark, type Element } from '../../helpers/dicom-bytes.js';

const DEFLATED_FRAME = '1.2.840.10008.1.2.8.1';
const JPEG = '1.2.840.10008.1.2.4.50';
const RLE = '1.2.840.10008.1.2.5';
const ITEM = 0xfffee000;
const END = mark(0xfffee0dd, 0);

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'groundmark-frames-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** 64 × 64 pixels of 16 bits, `frames` of them. */
function imageElements(frames: number, more: readonly Element[] = []): readonly Element[] {
  return [
    [0x00080016, 'UI', '1.2.840.10008.5.1.4.1.1.7'],
    [0x00280002, 'US', 1],
    [0x00280004, 'CS', 'MONOCHROME2'],
    [0x00280008, 'IS', String(frames)],
    [0x00280010, 'US', 64],
    [0x00280011, 'US', 64],
    [0x00280100, 'US', 16],
    [0x00280101, 'US', 16],
    [0x00280102, 'US', 15],
    [0x00280103, 'US', 0],
    ...more,
  ];
}

interface Stream {
  readonly frames: number;
  readonly fragments: readonly Uint8Array[];
  readonly table?: readonly number[];
  readonly syntax?: string;
  readonly more?: readonly Element[];
  readonly end?: Uint8Array;
}

/** A file of encapsulated pixel data; gives its path. */
function write(
  name: string,
  { frames, fragments, table = [], syntax = JPEG, more, end = END }: Stream,
): string {
  const offsets = Buffer.alloc(table.length * 4);
  table.forEach((offset, i) => offsets.writeUInt32LE(offset, i * 4));
  const file = path.join(folder, name);
  writeFileSync(
    file,
    Buffer.concat([
      dicomFile(imageElements(frames, more), { syntax }),
      head(0x7fe00010, 'OB', 0xffffffff),
      ...[offsets, ...fragments].flatMap((bytes) => [mark(ITEM, bytes.length), bytes]),
      end,
    ]),
  );
  return file;
}

/** A fragment of one value, `length` bytes, beginning as a JPEG does when it is a frame's first. */
function fragment(value: number, length: number, first = true): Uint8Array {
  const bytes = Buffer.alloc(length, value);
  if (first) bytes.set([0xff, 0xd8, 0xff]);
  return bytes;
}

/** What reading one frame's bytes gave: the value that fills it, its length, and how many bytes and reads it took. */
async function readOne(file: string, frame: number) {
  return withDicom(file, async (dicom) => {
    const counted = countingReads(dicom);
    const bytes = await encapsulatedFrameBytes(counted.dicom, pixelLayout(dicom), frame);
    return { value: bytes.at(-1), length: bytes.length, ...counted.counts() };
  });
}

function countingReads(dicom: OpenDicom) {
  let [bytes, reads] = [0, 0];
  const read: OpenDicom['read'] = async (offset, length) => {
    const found = await dicom.read(offset, length);
    bytes += found.length;
    reads++;
    return found;
  };
  return { dicom: { ...dicom, read }, counts: () => ({ bytes, reads }) };
}

/** Offsets of fragments that lie one after another. */
function offsetsOf(fragments: readonly Uint8Array[]): number[] {
  let at = 0;
  return fragments.map((bytes) => {
    const own = at;
    at += 8 + bytes.length;
    return own;
  });
}

describe('One frame of many', () => {
  const fragments = Array.from({ length: 100 }, (_, i) => fragment(i, 10_000));

  it('is read by the basic offset table, and of the others nothing', async () => {
    const file = write('bot.dcm', { frames: 100, fragments, table: offsetsOf(fragments) });
    // The table's item (8 + 400), one item head with a look at its content (12), the frame; the last one also sees the end.
    expect(await readOne(file, 70)).toEqual({ value: 70, length: 10_000, bytes: 10_420, reads: 4 });
    expect(await readOne(file, 99)).toMatchObject({ value: 99, length: 10_000, bytes: 10_428 });
  });

  it('is read by the extended offset table, without the byte that pads it', async () => {
    const offsets = offsetsOf(fragments);
    const more: Element[] = [
      [0x7fe00001, 'OV', offsets],
      [0x7fe00002, 'OV', offsets.map((_, i) => (i === 70 ? 9999 : 10_000))],
    ];
    const file = write('eot.dcm', { frames: 100, fragments, more });
    // The empty table's item (8 + 0), one item head (8), 9999 bytes.
    expect(await readOne(file, 70)).toMatchObject({ value: 70, length: 9999, bytes: 10_015 });
  });

  it('without a table costs one walk over item heads while the file is open', async () => {
    const file = write('walk.dcm', { frames: 100, fragments });
    // 100 heads of 12 bytes, the end of 8, the empty table's 8, the frame.
    expect(await readOne(file, 70)).toMatchObject({
      value: 70,
      length: 10_000,
      bytes: 1200 + 8 + 8 + 10_000,
    });
    await withDicom(file, async (dicom) => {
      const counted = countingReads(dicom);
      const layout = pixelLayout(dicom);
      for (let frame = 0; frame < 100; frame++) await encapsulatedFrameBytes(counted.dicom, layout, frame);
      expect(counted.counts().bytes).toBe(1200 + 8 + 8 + 100 * 10_000);
    });
  });

  it('in native pixel data is read where it lies', async () => {
    const pixels = Buffer.concat([0, 1, 2, 3].map((value) => Buffer.alloc(8192, value)));
    const file = path.join(folder, 'native.dcm');
    writeFileSync(file, dicomFile([...imageElements(4), [0x7fe00010, 'OW', pixels]]));
    await withDicom(file, async (dicom) => {
      const counted = countingReads(dicom);
      const { bytes } = await nativeFrameBytes(counted.dicom, pixelLayout(dicom), 2);
      expect([bytes[0], bytes.length, counted.counts().bytes]).toEqual([2, 8192, 8192]);
    });
  });

  it('is told apart by where code streams begin, when frames have several fragments and no table', async () => {
    // Two fragments each for frames 0 and 2, three for frame 1.
    const parts = [0, 0, 1, 1, 1, 2, 2].map((value, i) => fragment(value, 100 + i, [0, 2, 5].includes(i)));
    const file = write('starts.dcm', { frames: 3, fragments: parts });
    expect(await readOne(file, 0)).toMatchObject({ value: 0, length: 201 });
    expect(await readOne(file, 1)).toMatchObject({ value: 1, length: 309 });
    expect(await readOne(file, 2)).toMatchObject({ value: 2, length: 211 });
  });

  it('takes several fragments by the table', async () => {
    const parts = [0, 0, 1].map((value, i) => fragment(value, 50, i !== 1));
    const file = write('two.dcm', { frames: 2, fragments: parts, table: [0, 116] });
    expect(await readOne(file, 0)).toMatchObject({ value: 0, length: 100 });
    expect(await readOne(file, 1)).toMatchObject({ value: 1, length: 50 });
  });

  it('is not sought where a wrong table says', async () => {
    const parts = fragments.slice(0, 3);
    const file = write('wrong.dcm', { frames: 3, fragments: parts, table: [0, 777, 20_000] });
    expect(await readOne(file, 1)).toMatchObject({ value: 1, length: 10_000 });
    expect(await readOne(file, 2)).toMatchObject({ value: 2, length: 10_000 });
  });

  it('is found without the closing delimiter', async () => {
    const file = write('open.dcm', { frames: 2, fragments: fragments.slice(0, 2), end: new Uint8Array() });
    expect(await readOne(file, 1)).toMatchObject({ value: 1, length: 10_000 });
  });

  it('walks small fragments in blocks', async () => {
    const small = Array.from({ length: 5000 }, (_, i) => fragment(i % 251, 20));
    const { value, reads } = await readOne(write('small.dcm', { frames: 5000, fragments: small }), 4000);
    expect(value).toBe(4000 % 251);
    expect(reads).toBeLessThan(10);
  });

  it('is refused when fragments cannot be assigned, with the name of the syntax', async () => {
    const parts = [0, 0, 1].map((value) => fragment(value, 50, false));
    const file = write('unclear.dcm', { frames: 2, fragments: parts });
    await expect(readOne(file, 0)).rejects.toMatchObject({
      code: 'unsupported-pixels',
      message: expect.stringContaining('JPEG Baseline') as string,
    });
  });

  it('is refused when its fragment is cut off or missing', async () => {
    const whole = write('whole.dcm', { frames: 2, fragments: fragments.slice(0, 1) });
    await expect(readOne(whole, 1)).rejects.toMatchObject({ code: 'truncated-pixels' });
    const long = mark(ITEM, 5000);
    const cut = write('cut.dcm', { frames: 1, fragments: [], end: Buffer.concat([long, Buffer.alloc(10)]) });
    await expect(readOne(cut, 0)).rejects.toMatchObject({ code: 'truncated-pixels' });
  });
});

describe('The check of the pixel length', () => {
  const check = (file: string) => withDicom(file, (dicom) => checkPixelLength(dicom, pixelLayout(dicom)));

  it('takes as many fragments as frames', async () => {
    const parts = [fragment(0, 50), fragment(1, 50)];
    await expect(check(write('two-of-two.dcm', { frames: 2, fragments: parts }))).resolves.toBeUndefined();
  });

  it.each([JPEG, RLE])('refuses fewer fragments than frames in %s', async (syntax) => {
    const file = write('few.dcm', { frames: 1_000_000, fragments: [fragment(0, 50)], syntax });
    await expect(check(file)).rejects.toMatchObject({ code: 'truncated-pixels' });
  });
});

describe('A header that announces more than there is', () => {
  const hostile = (rows: number, columns: number, frames: number): readonly Element[] =>
    imageElements(frames).map((element) =>
      element[0] === 0x00280010
        ? [0x00280010, 'US', rows]
        : element[0] === 0x00280011
          ? [0x00280011, 'US', columns]
          : element,
    );

  it('costs no memory in native pixel data', async () => {
    const file = path.join(folder, 'huge.dcm');
    writeFileSync(
      file,
      dicomFile([...hostile(65_535, 65_535, 2_000_000_000), [0x7fe00010, 'OW', Buffer.alloc(64)]]),
    );
    const before = process.memoryUsage().arrayBuffers;
    await expect(readFramePixels(file, 1_999_999_999)).rejects.toMatchObject({ code: 'truncated-pixels' });
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(1e6);
  });

  it.each([
    { syntax: RLE, why: 'RLE packs 64 to 1 at best' },
    { syntax: JPEG, why: 'the code stream does not say that size' },
    { syntax: DEFLATED_FRAME, why: 'it inflates to less' },
  ])('costs no memory in $syntax: $why', async ({ syntax }) => {
    const items = [mark(ITEM, 0), mark(ITEM, 100), fragment(7, 100), END];
    const file = path.join(folder, `huge-${syntax}.dcm`);
    const header = dicomFile(hostile(65_535, 65_535, 1), { syntax });
    writeFileSync(file, Buffer.concat([header, head(0x7fe00010, 'OB', 0xffffffff), ...items]));
    const before = process.memoryUsage().arrayBuffers;
    await expect(readFramePixels(file, 0)).rejects.toMatchObject({
      code: 'unsupported-pixels',
      context: { transferSyntaxUid: syntax },
    });
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(10e6);
  });
});

describe('A transfer syntax without a decoder', () => {
  it.each([
    ['1.2.840.10008.1.2.4.100', 'MPEG2 Main Profile / Main Level'],
    ['1.2.840.10008.1.2.4.102', 'MPEG-4 AVC/H.264 High Profile / Level 4.1'],
    ['1.2.840.10008.1.2.4.107', 'HEVC/H.265 Main Profile / Level 5.1'],
    ['1.2.840.10008.1.2.4.94', 'JPIP Referenced'],
    ['1.2.3.4', 'unknown transfer syntax (1.2.3.4)'],
  ])('%s is refused by its name', async (syntax, name) => {
    const file = write('video.dcm', { frames: 1, fragments: [fragment(0, 50)], syntax });
    await expect(readFramePixels(file, 0)).rejects.toMatchObject({
      code: 'unsupported-pixels',
      message: expect.stringContaining(name) as string,
    });
  });
});

describe('A reader of frames', () => {
  it('gives frames in the order asked, opening a file once for those that follow one another', async () => {
    const files = ['a', 'b'].map((name, n) => {
      const pixels = Buffer.concat([0, 1, 2].map((value) => Buffer.alloc(8192, 16 * n + value)));
      const file = path.join(folder, `${name}.dcm`);
      writeFileSync(file, dicomFile([...imageElements(3), [0x7fe00010, 'OW', pixels]]));
      return file;
    });
    const sources = [[0, 2], [0, 0], [1, 1], [0, 1]].map(([f, frame]) => ({ file: files[f!]!, frame: frame! })); // prettier-ignore
    const seen: number[] = [];
    await forFrames(sources, ({ samples }, i) => void (seen[i] = samples[0]!));
    // 16-bit samples of two equal bytes: 2, 0, 17, 1.
    expect(seen).toEqual([0x0202, 0, 0x1111, 0x0101]);
  });

  it('refuses a frame that is not there', async () => {
    const file = path.join(folder, 'a.dcm');
    await withFrames(file, async (reader) => {
      expect(reader.frames).toBe(3);
      await expect(reader.read(3)).rejects.toMatchObject({ code: 'no-such-frame' });
      await expect(reader.read(0.5)).rejects.toMatchObject({ code: 'no-such-frame' });
    });
  });
});
