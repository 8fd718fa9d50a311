// Contact sheets of 12 slices, 1536 x 1152 pixels, as PNG on one core: ours (tiles copied by hand, one encode) against
// sharp's composite and against @napi-rs/canvas, all three of the same drawn tiles and labels, and of the same level of
// compression where it can be chosen; then ours from DICOM files to PNG, with decoding, window and resize.
// Medians of alternating runs in one process; the ratio is the point.
// Run: npm run build && node bench/contact-sheet.mjs ../shared/data/dicom
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { createCanvas, ImageData } from '@napi-rs/canvas';
import sharp from 'sharp';
import { forFrames } from '../dist/adapters/dicom/index.js';
import { drawContactSheet, encodeGreyPng } from '../dist/adapters/image/index.js';
import { drawLabel } from '../dist/adapters/image/glyphs.js';
import { drawFrames, run as drawSlices } from '../dist/adapters/image/render-job.js';
import { run as sheetOf } from '../dist/adapters/image/sheet-job.js';

sharp.concurrency(1);
const TILE = 384;
const [RUNS, WARM] = [21, 3];
const LABELS = Array.from({ length: 12 }, (_, t) => `Q${10 + t}`);
const median = (values) => [...values].sort((a, b) => a - b)[values.length >> 1];

/** Twelve slices of one CT series, or null where the shared set is not. */
function realSlices() {
  const folder = path.join(
    process.argv[2] ?? '../shared/data/dicom',
    'cases',
    'ct-chest-two-kernels',
    '2-B70f',
  );
  if (!existsSync(folder)) return null;
  const names = readdirSync(folder).sort().slice(0, 12);
  const slice = { frame: 0, orientation: null, pixelSpacingMm: null };
  return names.map((name) => ({ file: path.join(folder, name), ...slice }));
}

/** Tiles without a picture: a pattern that packs about as badly as noise. */
const pattern = () =>
  LABELS.map((_, t) => ({
    pixels: Uint8Array.from({ length: TILE * TILE }, (_, i) => (i * (t + 3) + (i >> 8) * 7) & 255),
    width: TILE,
    height: TILE,
  }));

const window = { center: -500, width: 1500 };
const slices = realSlices();
const pictures = slices ? await drawSlices({ slices, window, size: TILE }) : pattern();
const tiles = pictures.map((picture, t) => ({ label: LABELS[t], picture }));

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
  context.font = '22px monospace';
  tiles.forEach(({ label, picture: { pixels, width, height } }, t) => {
    const left = (t % 4) * TILE;
    const top = Math.floor(t / 4) * TILE;
    const rgba = new Uint32Array(pixels.length);
    for (let i = 0; i < rgba.length; i++) rgba[i] = 0xff000000 | (pixels[i] * 0x010101);
    context.putImageData(new ImageData(new Uint8ClampedArray(rgba.buffer), width, height), left, top);
    context.fillStyle = '#ffffff';
    context.fillText(label, left + 3, top + 24);
  });
  return sheet.toBuffer('image/png');
};

const frames = [];
if (slices) await forFrames(slices, (pixels) => void frames.push(pixels));
const decoded = async () => {
  const drawn = await drawFrames(frames, { slices, window, size: TILE });
  const labelled = drawn.map((picture, t) => ({ label: LABELS[t], picture }));
  return encodeGreyPng(drawContactSheet(labelled, TILE), 1);
};
const whole = () => sheetOf({ slices, labels: LABELS, window, tileSize: TILE });

const WAYS = { ours, composite, canvas, ...(slices && { decoded, whole }) };
const times = Object.fromEntries(Object.keys(WAYS).map((name) => [name, []]));
const bytes = {};
for (let run = 0; run < RUNS + WARM; run++) {
  for (const [name, draw] of Object.entries(WAYS)) {
    const began = performance.now();
    bytes[name] = (await draw()).length;
    if (run >= WARM) times[name].push(performance.now() - began);
  }
}
console.log(`${slices ? 'twelve CT slices' : 'a pattern (no shared data here)'}; medians of ${RUNS}`);
const first = median(times.ours);
const line = (name, text) => {
  const ms = median(times[name]);
  console.log(
    `${text.padEnd(34)} ${ms.toFixed(1).padStart(7)} ms  ${(ms / first).toFixed(2).padStart(5)} x ours  ` +
      `${(bytes[name] / 1000).toFixed(0).padStart(5)} kB`,
  );
};
line('ours', 'ours, from drawn tiles');
line('composite', 'sharp composite');
line('canvas', '@napi-rs/canvas');
if (slices) line('decoded', 'ours, from 12 decoded slices');
if (slices) line('whole', 'ours, from 12 DICOM files');
