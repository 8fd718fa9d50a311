// One 512 x 512 slice decoded, windowed and encoded as PNG, by transfer syntax, from real files of the shared set.
// Medians of one run in one process: the bare codec on the same bytes, our decoding (the file opened, its header parsed,
// the frame found, read and decoded), the window, the PNG, and the whole; beside them the codec figures of the design
// notes. whole/min: the whole against the least that it can take, which is the bare codec and the PNG. Figures of another
// machine need a factor: the last line gives the codecs' own, so that ratios can be compared.
// Run: npm run build && node bench/decode.mjs ../shared/data/dicom
import { existsSync } from 'node:fs';
import path from 'node:path';
import dcmjsCodecs from 'dcmjs-codecs';
import { framePng, readFramePixels, renderFrame } from '../dist/adapters/dicom/index.js';
import { encapsulatedFrameBytes, nativeFrameBytes } from '../dist/adapters/dicom/frame-bytes.js';
import { withDicom } from '../dist/adapters/dicom/open-dicom.js';
import { pixelLayout } from '../dist/adapters/dicom/pixel-layout.js';

const { Context, NativeCodecs, log } = dcmjsCodecs;
log.setLevel('silent');
await NativeCodecs.initializeAsync();

const folder = process.argv[2] ?? '../shared/data/dicom';
const [RUNS, WARM] = [61, 40];
const CT = 'singles/ts-ctimage/CTImage.dcm_';
/** Name, file of one 512 x 512 slice, ms of the codec in the design notes, the codec. */
const KINDS = [
  ['raw', 'cases/ct-3slice-liver-seg/02.dcm', 0.2, null],
  ['RLE', 'singles/wg04/CT1_RLE', 0.4, 'decodeRle'],
  ['JPEG', `${CT}JPEGProcess1TransferSyntax_1.2.840.10008.1.2.4.50.dcm`, 0.6, 'decodeJpeg'],
  ['JPEG 12 bits', 'singles/wg04/MR1_JPLY', 1.6, 'decodeJpeg'],
  ['JPEG lossless', 'singles/wg04/CT1_JPLL', 2.6, 'decodeJpeg'],
  ['JPEG-LS', 'singles/wg04/CT1_JLSL', 4.3, 'decodeJpegLs'],
  ['JPEG 2000', 'singles/wg04/CT1_J2KR', 22, 'decodeJpeg2000'],
  ['HTJ2K', 'singles/htj2k/CT1_JPH', 1.6, 'decodeHtJpeg2000'],
];

const median = (list) => [...list].sort((a, b) => a - b)[list.length >> 1];
const cell = (value, width = 8) => (typeof value === 'number' ? value.toFixed(2) : value).padStart(width);

/** The stored bytes of the first frame, and what the codec needs to know. */
const storedFrame = (file) =>
  withDicom(file, async (dicom) => {
    const layout = pixelLayout(dicom);
    const native = dicom.pixelElement.length !== null;
    const bytes = native
      ? (await nativeFrameBytes(dicom, layout, 0)).bytes
      : await encapsulatedFrameBytes(dicom, layout, 0);
    return { bytes, layout };
  });

function codecOnly(codec, { bytes, layout }) {
  if (codec === null) return new Int16Array(Uint8Array.from(bytes).buffer);
  const context = new Context({
    width: layout.columns,
    height: layout.rows,
    bitsAllocated: layout.bitsAllocated,
    bitsStored: layout.bitsStored,
    samplesPerPixel: 1,
    pixelRepresentation: layout.signed ? 1 : 0,
    planarConfiguration: 0,
    photometricInterpretation: layout.photometricInterpretation,
    encodedBuffer: bytes,
  });
  return NativeCodecs[codec](context, { convertColorspaceToRgb: false }).getDecodedBuffer();
}

const heads = ['codec', 'decode', 'window', 'PNG', 'whole', 'dec/cod', 'whole/min', 'notes', 'cod/notes'];
console.log(`medians of ${RUNS}, ms`.padEnd(22) + heads.map((head) => cell(head, 10)).join(''));
const factors = [];
for (const [name, relative, figure, codec] of KINDS) {
  const file = path.join(folder, relative);
  if (!existsSync(file)) {
    console.log(`${name}: ${relative} is not here`);
    continue;
  }
  const stored = await storedFrame(file);
  const times = { codec: [], decode: [], window: [], png: [], whole: [] };
  for (let run = 0; run < RUNS + WARM; run++) {
    const t0 = performance.now();
    codecOnly(codec, stored);
    const t1 = performance.now();
    const pixels = await readFramePixels(file, 0);
    const t2 = performance.now();
    const drawn = renderFrame(pixels, null, { center: 40, width: 400 });
    const t3 = performance.now();
    await framePng(drawn);
    const t4 = performance.now();
    if (run < WARM) continue;
    times.codec.push(t1 - t0);
    times.decode.push(t2 - t1);
    times.window.push(t3 - t2);
    times.png.push(t4 - t3);
    times.whole.push(t4 - t1);
  }
  const [alone, decode, window, png, whole] = Object.values(times).map(median);
  factors.push(alone / figure);
  const row = [
    alone,
    decode,
    window,
    png,
    whole,
    decode / alone,
    whole / (alone + png),
    figure,
    alone / figure,
  ];
  console.log(name.padEnd(22) + row.map((value) => cell(value, 10)).join(''));
}
console.log(`codecs here against the notes, median ratio: ${median(factors).toFixed(2)}`);
