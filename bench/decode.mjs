// One slice decoded, windowed and encoded as PNG, by transfer syntax, from real files of the shared set: medians of the
// decoder alone and of the whole way, scaled to 512 x 512 pixels, beside the codec figures of the design notes.
// Run: npm run build && node bench/decode.mjs ../shared/data/dicom
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { framePng, readFramePixels, renderFrame } from '../dist/adapters/dicom/index.js';

const folder = process.argv[2] ?? '../shared/data/dicom';
const RUNS = 15;
/** ms for a 512 x 512 slice, as measured for the design. */
const FIGURES = {
  '1.2.840.10008.1.2.1': ['raw', 0.2],
  '1.2.840.10008.1.2.5': ['RLE', 0.4],
  '1.2.840.10008.1.2.4.50': ['JPEG', 0.6],
  '1.2.840.10008.1.2.4.51': ['JPEG 12 bits', 1.6],
  '1.2.840.10008.1.2.4.70': ['JPEG lossless', 2.6],
  '1.2.840.10008.1.2.4.80': ['JPEG-LS', 4.3],
  '1.2.840.10008.1.2.4.90': ['JPEG 2000', 22],
  '1.2.840.10008.1.2.4.202': ['HTJ2K', 1.6],
};

const truth = JSON.parse(readFileSync(path.join(folder, 'TRUTH.json'), 'utf8')).files;
const median = (list) => [...list].sort((a, b) => a - b)[list.length >> 1];

console.log('kind: decode ms, whole way ms (decode + window + PNG), design figure ms; all for 512 x 512');
for (const [syntax, [name, figure]] of Object.entries(FIGURES)) {
  const largest = Object.entries(truth)
    .filter(
      ([, file]) =>
        file.TransferSyntaxUID === syntax &&
        file.pixels?.status === 'ok' &&
        file.SamplesPerPixel === 1 &&
        file.Rows >= 256,
    )
    .sort(
      (a, b) => Math.abs(a[1].Rows * a[1].Columns - 262_144) - Math.abs(b[1].Rows * b[1].Columns - 262_144),
    )[0];
  if (!largest) continue;
  const file = path.join(folder, largest[0]);
  const scale = (512 * 512) / (largest[1].Rows * largest[1].Columns);
  const [decode, whole] = [[], []];
  for (let run = 0; run < RUNS + 3; run++) {
    const began = performance.now();
    const pixels = await readFramePixels(file, 0);
    const decoded = performance.now();
    await framePng(renderFrame(pixels, null, 'file'));
    const ended = performance.now();
    if (run < 3) continue;
    decode.push((decoded - began) * scale);
    whole.push((ended - began) * scale);
  }
  console.log(
    `${name.padEnd(14)} ${median(decode).toFixed(1).padStart(6)} ${median(whole).toFixed(1).padStart(6)} ${figure.toFixed(1).padStart(6)}`,
  );
}
