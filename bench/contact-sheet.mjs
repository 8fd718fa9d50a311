// Contact sheets: ours (tiles copied by hand, one encode) against sharp's composite and against @napi-rs/canvas, of the same
// tiles and labels, 1536 x 1152 pixels.
// Medians of alternating runs in one process; the ratio is the point. Run: npm run build && node bench/contact-sheet.mjs
import { createCanvas, ImageData } from '@napi-rs/canvas';
import sharp from 'sharp';
import { drawContactSheet, encodeGreyPng } from '../dist/adapters/image/index.js';
import { drawLabel } from '../dist/adapters/image/glyphs.js';

const TILE = 384;
const RUNS = 25;
const pictures = Array.from({ length: 12 }, (_, t) => ({
  pixels: Uint8Array.from({ length: TILE * TILE }, (_, i) => (i * (t + 3) + (i >> 8) * 7) & 255),
  width: TILE,
  height: TILE,
}));
const tiles = pictures.map((picture, t) => ({ label: `Q${10 + t}`, picture }));

const ours = () => encodeGreyPng(drawContactSheet(tiles, TILE), 1);
const composite = () =>
  sharp({ create: { width: 4 * TILE, height: 3 * TILE, channels: 3, background: '#181818' } })
    .composite(
      tiles.flatMap(({ label, picture }, t) => {
        const glyphs = drawLabel(label, 22);
        const left = (t % 4) * TILE;
        const top = Math.floor(t / 4) * TILE;
        const raw = ({ width, height }) => ({ raw: { width, height, channels: 1 } });
        return [
          { input: Buffer.from(picture.pixels), ...raw(picture), left, top },
          { input: Buffer.from(glyphs.coverage), ...raw(glyphs), left: left + 3, top: top + 3 },
        ];
      }),
    )
    .toColourspace('b-w')
    .png({ compressionLevel: 1 })
    .toBuffer();

const canvas = () => {
  const sheet = createCanvas(4 * TILE, 3 * TILE);
  const context = sheet.getContext('2d');
  tiles.forEach(({ label, picture }, t) => {
    const left = (t % 4) * TILE;
    const top = Math.floor(t / 4) * TILE;
    const rgba = new Uint8ClampedArray(TILE * TILE * 4);
    for (let i = 0; i < TILE * TILE; i++) {
      const grey = picture.pixels[i];
      rgba.set([grey, grey, grey, 255], i * 4);
    }
    context.putImageData(new ImageData(rgba, TILE, TILE), left, top);
    context.fillStyle = '#ffffff';
    context.font = '22px sans-serif';
    context.fillText(label, left + 3, top + 24);
  });
  return sheet.toBuffer('image/png');
};

const times = { ours: [], composite: [], canvas: [] };
for (let run = 0; run < RUNS + 3; run++) {
  for (const [name, draw] of [
    ['ours', ours],
    ['composite', composite],
    ['canvas', canvas],
  ]) {
    const began = process.hrtime.bigint();
    await draw();
    if (run >= 3) times[name].push(Number(process.hrtime.bigint() - began) / 1e6);
  }
}
const median = (values) => [...values].sort((a, b) => a - b)[values.length >> 1];
const [a, b, c] = [median(times.ours), median(times.composite), median(times.canvas)];
console.log(
  `ours ${a.toFixed(1)} ms, sharp composite ${b.toFixed(1)} ms (ratio ${(b / a).toFixed(1)}), ` +
    `@napi-rs/canvas ${c.toFixed(1)} ms (ratio ${(c / a).toFixed(1)}); medians of ${RUNS}`,
);
