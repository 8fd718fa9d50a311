import { createCanvas, loadImage } from '@napi-rs/canvas';
import { describe, expect, it } from 'vitest';
import { drawContactSheet, encodeGreyPng, readGreyPng } from '../../../src/adapters/image/index.js';
import { drawLabel } from '../../../src/adapters/image/glyphs.js';

const flat = (value: number, size = 64) => ({
  pixels: new Uint8Array(size * size).fill(value),
  width: size,
  height: size,
});
const tile = (label: string, value: number) => ({ label, picture: flat(value) });

/** Mean grey of a square of the sheet. */
function meanAt(
  sheet: { pixels: Uint8Array; width: number },
  left: number,
  top: number,
  size: number,
): number {
  let sum = 0;
  for (let y = top; y < top + size; y++)
    for (let x = left; x < left + size; x++) sum += sheet.pixels[y * sheet.width + x]!;
  return sum / (size * size);
}

describe('a contact sheet', () => {
  it('is four tiles wide and three high, in reading order', () => {
    const sheet = drawContactSheet(
      Array.from({ length: 12 }, (_, i) => tile('A00', 20 * i)),
      64,
    );
    expect([sheet.width, sheet.height]).toEqual([256, 192]);
    for (let i = 0; i < 12; i++) {
      expect(meanAt(sheet, (i % 4) * 64 + 40, Math.floor(i / 4) * 64 + 40, 16)).toBe(20 * i);
    }
  });

  it('pads a last sheet with dark grey and never repeats a slice', () => {
    const sheet = drawContactSheet([tile('A00', 200)], 64);
    expect(meanAt(sheet, 64 + 40, 40, 16)).toBe(24);
    expect(meanAt(sheet, 3 * 64 + 40, 2 * 64 + 40, 16)).toBe(24);
  });

  it.each([0, 128, 255])('has labels that stand out from a background of %i', (background) => {
    const sheet = drawContactSheet([{ label: 'Q17', picture: flat(background, 128) }], 128);
    let dark = 0;
    let bright = 0;
    for (let y = 4; y < 28; y++) {
      for (let x = 4; x < 40; x++) {
        const value = sheet.pixels[y * sheet.width + x]!;
        if (value < 40) dark++;
        if (value > 215) bright++;
      }
    }
    expect(bright).toBeGreaterThan(60);
    expect(dark).toBeGreaterThan(300);
  });

  it('draws different labels differently and the same one the same way', () => {
    const a = drawLabel('Q17', 22);
    expect(a.coverage.some((value) => value > 0)).toBe(true);
    expect(Buffer.from(drawLabel('Q71', 22).coverage).equals(Buffer.from(a.coverage))).toBe(false);
  });

  it('refuses thirteen tiles and a tile that does not fit', () => {
    expect(() =>
      drawContactSheet(
        Array.from({ length: 13 }, () => tile('A00', 1)),
        64,
      ),
    ).toThrow(RangeError);
    expect(() => drawContactSheet([tile('A00', 1)], 32)).toThrow(RangeError);
  });
});

describe('a greyscale PNG', () => {
  it('holds the same pixels when another library reads it, on one channel', async () => {
    const pixels = Uint8Array.from({ length: 12 }, (_, i) => i * 20);
    const png = await encodeGreyPng({ pixels, width: 4, height: 3 });
    // PNG's own header: bit depth 8, colour type 0 (greyscale).
    expect([png[24], png[25]]).toEqual([8, 0]);
    const image = await loadImage(Buffer.from(png));
    const context = createCanvas(4, 3).getContext('2d');
    context.drawImage(image, 0, 0);
    const rgba = context.getImageData(0, 0, 4, 3).data;
    expect([image.width, image.height]).toEqual([4, 3]);
    expect(Array.from({ length: 12 }, (_, k) => rgba[4 * k])).toEqual([...pixels]);
  });

  it('has the same bytes for the same pixels', async () => {
    const picture = flat(99);
    expect(Buffer.from(await encodeGreyPng(picture)).equals(Buffer.from(await encodeGreyPng(picture)))).toBe(
      true,
    );
  });

  it('refuses pixels that do not fill the picture', async () => {
    await expect(encodeGreyPng({ pixels: new Uint8Array(5), width: 2, height: 3 })).rejects.toThrow(
      RangeError,
    );
  });

  it('is read back scaled down, never up', async () => {
    const png = await encodeGreyPng(flat(50, 64));
    expect((await readGreyPng(png, 32)).width).toBe(32);
    expect((await readGreyPng(png, 500)).width).toBe(64);
  });
});
