import { createCanvas } from '@napi-rs/canvas';
import { describe, expect, it } from 'vitest';
import { textInFrame } from '../../../../src/adapters/dicom/deid/text-in-frame.js';
import { detectBurnedInText } from '../../../../src/adapters/dicom/deid/detect-burned-in-text.js';
import { drawLabel } from '../../../../src/adapters/image/glyphs.js';
import { rng } from '../../../../src/util/rng.js';

const SIDE = 512;

const drawn = new Map<number, Int16Array>();

/** A slice of its own: drawing one takes longer than searching it. */
function phantom(seed: number): Int16Array {
  const known = drawn.get(seed) ?? drawPhantom(seed);
  drawn.set(seed, known);
  return known.slice();
}

/** Hounsfield units: air, a body of soft tissue, ribs and a spine, and a scanner's noise. */
function drawPhantom(seed: number): Int16Array {
  const random = rng(seed, 'burned-in-text');
  const turn = random.next() * Math.PI;
  const inside = (x: number, y: number, cx: number, cy: number, rx: number, ry: number): boolean =>
    ((x - cx) / rx) ** 2 + ((y - cy) / ry) ** 2 < 1;
  return Int16Array.from({ length: SIDE * SIDE }, (_, i) => {
    const x = i % SIDE;
    const y = Math.floor(i / SIDE);
    let value = inside(x, y, 256, 262, 210, 150) ? 45 : -1000;
    if (inside(x, y, 160, 240, 75, 95) || inside(x, y, 352, 240, 75, 95)) value = -850;
    for (let rib = 0; rib < 12; rib++) {
      const angle = turn + (rib * Math.PI) / 6;
      const cx = 256 + 195 * Math.cos(angle);
      const cy = 262 + 138 * Math.sin(angle);
      if (inside(x, y, cx, cy, 16, 7)) value = 700;
    }
    if (inside(x, y, 256, 360, 26, 22)) value = 400;
    return value + Math.round(25 * (random.next() + random.next() + random.next() - 1.5));
  });
}

function draw(
  pixels: Int16Array,
  text: string,
  size: number,
  row: number,
  column: number,
  ink: number,
): void {
  const label = drawLabel(text, size);
  for (let y = 0; y < label.height; y++) {
    for (let x = 0; x < label.width; x++) {
      const share = label.coverage[y * label.width + x]! / 255;
      const at = (row + y) * SIDE + column + x;
      pixels[at] = Math.round(pixels[at]! * (1 - share) + ink * share);
    }
  }
}

describe('detectBurnedInText', () => {
  it('finds nothing in ten slices without text', () => {
    for (let seed = 0; seed < 10; seed++) {
      expect(detectBurnedInText(phantom(seed), SIDE, SIDE, 1).boxes, `slice ${seed}`).toEqual([]);
    }
  });

  it.each([8, 10, 12, 16, 20, 24, 32, 40])(
    'finds white labels of %i pixels, and where they stand',
    (size) => {
      const random = rng(size, 'labels');
      let found = 0;
      for (let seed = 0; seed < 10; seed++) {
        const pixels = phantom(seed);
        const text = seed % 2 === 0 ? 'DOE^JOHN 1962' : 'ID 4711-0815';
        const { width, height } = drawLabel(text, size);
        const row = Math.floor(random.next() * (SIDE - height));
        const column = Math.floor(random.next() * (SIDE - width));
        draw(pixels, text, size, row, column, 3071);
        const { boxes } = detectBurnedInText(pixels, SIDE, SIDE, 1);
        const touches = boxes.some(
          (box) =>
            box.row < row + height &&
            box.row + box.height > row &&
            box.column < column + width &&
            box.column + box.width > column,
        );
        if (touches) found++;
      }
      process.stdout.write(`burned-in text: ${found} of 10 labels of ${size} px found\n`);
      expect(found).toBeGreaterThanOrEqual(9);
    },
  );

  it('finds dark letters on a bright page, coloured ones, and those of a luminance', () => {
    const canvas = createCanvas(256, 128);
    const context = canvas.getContext('2d');
    const page = (ground: string, ink: string): Uint8ClampedArray => {
      context.fillStyle = ground;
      context.fillRect(0, 0, 256, 128);
      context.fillStyle = ink;
      context.font = '14px sans-serif';
      context.fillText('Jane Doe 12/03/1962', 20, 60);
      return context.getImageData(0, 0, 256, 128).data;
    };
    const dark = page('#ffffff', '#000000');
    const grey = Uint8Array.from({ length: 256 * 128 }, (_, i) => dark[i * 4]!);
    const [box] = detectBurnedInText(grey, 128, 256, 1).boxes;
    expect(box!.row).toBeGreaterThan(40);
    expect(box!.row + box!.height).toBeLessThan(70);
    const blue = page('#404040', '#3060ff').filter((_, i) => i % 4 !== 3);
    expect(detectBurnedInText(blue, 128, 256, 3).hasText).toBe(true);
    const ybr = Uint8Array.from({ length: 256 * 128 * 3 }, (_, i) => (i % 3 === 0 ? grey[i / 3]! : 128));
    const frame = { samples: ybr, rows: 128, columns: 256, samplesPerPixel: 3 };
    expect(textInFrame({ ...frame, photometricInterpretation: 'YBR_FULL' })).toBe(true);
  });

  it('takes a ruler, a grid, noise and an empty picture for no text', () => {
    const empty = new Uint8Array(SIDE * SIDE);
    const ruler = empty.map((_, i) => (i % SIDE < 12 && Math.floor(i / SIDE) % 10 < 2 ? 255 : 0));
    const scale = empty.map((_, i) => (Math.floor(i / SIDE) > 480 && i % 9 < 2 ? 255 : 0));
    const grid = empty.map((_, i) => (i % 32 === 0 || Math.floor(i / SIDE) % 32 === 0 ? 200 : 60));
    const random = rng(7, 'noise');
    const noise = empty.map(() => Math.floor(256 * random.next()));
    for (const picture of [empty, ruler, scale, grid, noise]) {
      expect(detectBurnedInText(picture, SIDE, SIDE, 1)).toEqual({ score: 0, boxes: [], hasText: false });
    }
    expect(detectBurnedInText([NaN, 1, NaN, 0], 2, 2, 1).hasText).toBe(false);
  });
});
