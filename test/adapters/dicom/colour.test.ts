import { describe, expect, it } from 'vitest';
import { isColour, lumaOf, readFramePixels, renderFrame, rgbOf } from '../../../src/adapters/dicom/index.js';
import { imageFile, words, type ImageParts } from '../../helpers/dicom-image.js';
import { describeShared, sharedPath } from '../../helpers/shared.js';
import { temporaryFiles } from '../../helpers/temporary.js';

const write = temporaryFiles();

async function rgb(parts: Partial<ImageParts> & Pick<ImageParts, 'pixels' | 'columns'>): Promise<number[]> {
  const bytes = imageFile({ rows: 1, samplesPerPixel: 3, bitsAllocated: 8, photometric: 'RGB', ...parts });
  const pixels = await readFramePixels(write('colour.dcm', bytes), 0);
  expect(isColour(pixels)).toBe(true);
  return [...rgbOf(pixels)];
}

describe('RGB', () => {
  it('is taken as it is, by pixel or by plane', async () => {
    expect(await rgb({ columns: 2, pixels: Uint8Array.of(1, 2, 3, 4, 5, 6) })).toEqual([1, 2, 3, 4, 5, 6]);
    const planes = { columns: 2, pixels: Uint8Array.of(1, 4, 2, 5, 3, 6), planar: true };
    expect(await rgb(planes)).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it('of more bits keeps the highest eight of those stored', async () => {
    const pixels = words(0x1234, 0xff00, 0x00ff);
    expect(await rgb({ columns: 1, bitsAllocated: 16, pixels })).toEqual([0x12, 0xff, 0]);
    const twelve = words(0x0abc, 0x0fff, 0x000f);
    expect(await rgb({ columns: 1, bitsAllocated: 16, bitsStored: 12, pixels: twelve })).toEqual([
      0xab, 0xff, 0,
    ]);
  });
});

describe('YBR', () => {
  // convert_color_space(…, 'YBR_FULL', 'RGB') of pydicom 2.3.1; it cuts fractions off, so a level may differ by one.
  it.each([
    { ybr: [100, 90, 200], expected: [201, 62, 33] },
    { ybr: [16, 128, 128], expected: [16, 16, 16] },
    { ybr: [255, 0, 255], expected: [255, 208, 28] },
  ])('FULL $ybr is $expected', async ({ ybr, expected }) => {
    const found = await rgb({ columns: 1, photometric: 'YBR_FULL', pixels: Uint8Array.from(ybr) });
    found.forEach((level, i) => expect(Math.abs(level - expected[i]!)).toBeLessThanOrEqual(1));
  });

  // PS3.3 C.7.6.3.1.2: Y 16 is black and 235 white; Y 81, Cb 90, Cr 240 is Rec. 601's red.
  it.each([
    { ybr: [16, 128, 128], expected: [0, 0, 0] },
    { ybr: [235, 128, 128], expected: [255, 255, 255] },
    { ybr: [81, 90, 240], expected: [254, 0, 0] },
  ])('PARTIAL $ybr is $expected', async ({ ybr, expected }) => {
    const found = await rgb({ columns: 1, photometric: 'YBR_PARTIAL_444', pixels: Uint8Array.from(ybr) });
    found.forEach((level, i) => expect(Math.abs(level - expected[i]!)).toBeLessThanOrEqual(1));
  });

  it.each(['YBR_FULL_422', 'YBR_PARTIAL_422'])(
    '%s stored natively shares chrominance between two pixels',
    async (photometric) => {
      // Y1 Y2 Cb Cr with neutral chrominance.
      const found = await rgb({ columns: 2, photometric, pixels: Uint8Array.of(100, 200, 128, 128) });
      const [first, second] = photometric === 'YBR_FULL_422' ? [100, 200] : [98, 214];
      expect(found).toEqual([first, first, first, second, second, second]);
    },
  );

  it('FULL_422 that is stored in full is taken so', async () => {
    const pixels = Uint8Array.of(100, 128, 128, 200, 128, 128);
    expect(await rgb({ columns: 2, photometric: 'YBR_FULL_422', pixels })).toEqual([
      100, 100, 100, 200, 200, 200,
    ]);
  });

  it('FULL of one pixel is drawn in three channels without a window', async () => {
    const parts = { rows: 1, columns: 1, samplesPerPixel: 3, bitsAllocated: 8, photometric: 'YBR_FULL' };
    const file = write('one.dcm', imageFile({ ...parts, pixels: Uint8Array.of(50, 128, 128) }));
    const drawn = renderFrame(await readFramePixels(file, 0), null, 'auto');
    expect([drawn.channels, drawn.voi, [...drawn.bytes]]).toEqual([3, null, [50, 50, 50]]);
  });
});

it('a colour space without a conversion is refused by its name', async () => {
  const hsv = { columns: 1, photometric: 'HSV', pixels: Uint8Array.of(1, 2, 3) };
  await expect(rgb(hsv)).rejects.toMatchObject({ code: 'unsupported-pixels', context: { photometricInterpretation: 'HSV' } }); // prettier-ignore
});

it('luma is Rec. 601’s: red 76, green 150, blue 29', () => {
  const primaries = Uint8Array.of(255, 0, 0, 0, 255, 0, 0, 0, 255, 255, 255, 255);
  expect([...lumaOf(primaries)]).toEqual([76, 150, 29, 255]);
});

describeShared('Colours of the shared set', 'dicom', () => {
  // US1 of WG-04 in three forms: RLE (RGB), JPEG 2000 (YBR_RCT) and HTJ2K, all lossless from one original.
  it('are the same whichever way one picture was packed', async () => {
    const files = ['singles/wg04/US1_RLE', 'singles/wg04/US1_J2KR', 'singles/htj2k/US1_JPH'];
    const [first, ...others] = await Promise.all(
      files.map(async (file) => rgbOf(await readFramePixels(sharedPath('dicom', ...file.split('/')), 0))),
    );
    for (const other of others) expect(Buffer.compare(Buffer.from(other), Buffer.from(first!))).toBe(0);
  });
});
