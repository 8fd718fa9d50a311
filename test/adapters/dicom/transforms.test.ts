import { describe, expect, it } from 'vitest';
import {
  applyWindow,
  greyLevels,
  inspectDicom,
  modalityTransform,
  readFramePixels,
  renderFrame,
  type FramePixels,
  type VoiChoice,
} from '../../../src/adapters/dicom/index.js';
import { BIG_ENDIAN, sequence, type Element } from '../../helpers/dicom-bytes.js';
import { bigWords, imageFile, words, type ImageParts } from '../../helpers/dicom-image.js';
import { describeShared, sharedPath } from '../../helpers/shared.js';
import { temporaryFiles } from '../../helpers/temporary.js';

const write = temporaryFiles();

/** A row of 16-bit samples. */
async function frameOf(samples: readonly number[], parts: Partial<ImageParts> = {}): Promise<FramePixels> {
  const pixels = words(...samples);
  const bytes = imageFile({ rows: 1, columns: samples.length, pixels, ...parts });
  return readFramePixels(write('image.dcm', bytes), 0);
}

async function shown(
  samples: readonly number[],
  parts: Partial<ImageParts> = {},
  choice: VoiChoice = 'file',
): Promise<number[]> {
  return [...renderFrame(await frameOf(samples, parts), null, choice).bytes];
}

/** A Modality or VOI LUT item. */
function lut(
  descriptor: readonly number[],
  data: Uint8Array,
  more: readonly Element[] = [],
): readonly Element[] {
  const [count = 0, first = 0, bits = 0] = descriptor;
  return [[0x00283002, 'US', [count, first & 0xffff, bits]], ...more, [0x00283006, 'OW', data]];
}

const WINDOW: readonly Element[] = [
  [0x00281050, 'DS', '50'],
  [0x00281051, 'DS', '101'],
];

describe('The modality transform', () => {
  const values = async (samples: readonly number[], parts: Partial<ImageParts>) => {
    const { values: found, unit } = modalityTransform(await frameOf(samples, parts));
    return { values: [...found], unit };
  };

  it('rescales, in Hounsfield units for CT', async () => {
    const more: Element[] = [
      [0x00281052, 'DS', '-1024'],
      [0x00281053, 'DS', '2'],
    ];
    expect(await values([0, 512, 1024], { modality: 'CT', more })).toEqual({
      values: [-1024, 0, 1024],
      unit: 'HU',
    });
    expect(await values([1], { modality: 'MR', more })).toEqual({ values: [-1022], unit: null });
    const typed: Element[] = [...more, [0x00281054, 'LO', 'US']];
    expect((await values([0], { modality: 'CT', more: typed })).unit).toBe('US');
    const misspelt: Element[] = [...more, [0x00281054, 'LO', 'Houndsfield Unit']];
    expect((await values([0], { modality: 'CT', more: misspelt })).unit).toBe('HU');
  });

  it('looks up a Modality LUT in place of the rescale', async () => {
    const item = lut([3, -1, 16], words(100, 200, 400), [[0x00283004, 'LO', 'OD']]);
    const more: Element[] = [
      [0x00281052, 'DS', '-1024'],
      [0x00281053, 'DS', '2'],
      [0x00283000, 'SQ', sequence(item)],
    ];
    expect(await values([-5, -1, 0, 1, 9], { signed: true, more })).toEqual({
      values: [100, 100, 200, 400, 400],
      unit: 'OD',
    });
  });

  it('scales a dose grid', async () => {
    const more: Element[] = [
      [0x30040002, 'CS', 'GY'],
      [0x3004000e, 'DS', '0.25'],
    ];
    expect(await values([0, 10], { modality: 'RTDOSE', more })).toEqual({ values: [0, 2.5], unit: 'GY' });
  });

  it('is its frame’s own in an enhanced object', async () => {
    const group = (slope: string): readonly Element[] => [
      [0x00289145, 'SQ', sequence([[0x00281052, 'DS', '0'], [0x00281053, 'DS', slope], [0x00281054, 'LO', 'US']])], // prettier-ignore
    ];
    const more: Element[] = [[0x52009230, 'SQ', sequence(group('2'), group('3'))]];
    const file = write(
      'enhanced.dcm',
      imageFile({ rows: 1, columns: 1, frames: 2, pixels: words(10, 10), more }),
    );
    const found = [0, 1].map(
      async (frame) => modalityTransform(await readFramePixels(file, frame)).values[0],
    );
    expect(await Promise.all(found)).toEqual([20, 30]);
    expect((await inspectDicom(file, null)).value).toEqual({ unit: 'US', noSuv: null, min: 20, max: 30 });
  });
});

describe('Stored samples', () => {
  it('of 12 bits are signed by their own highest bit, and bits above it are dropped', async () => {
    // 0x0800 is −2048, 0x07ff 2047; 0xf001 has dirty bits above.
    const found = await frameOf([0x0800, 0x07ff, 0xf001, 0x0fff], { bitsStored: 12, signed: true });
    expect([...found.samples]).toEqual([-2048, 2047, 1, -1]);
  });

  it('leave out an overlay in unused high bits', async () => {
    const more: Element[] = [
      [0x60000010, 'US', 1],
      [0x60000011, 'US', 3],
      [0x60000100, 'US', 16],
      [0x60000102, 'US', 15],
    ];
    const found = await frameOf([0x8001, 0x0fff, 0x8fff], { bitsStored: 12, more });
    expect([...found.samples]).toEqual([1, 4095, 4095]);
  });

  it('lie below the overlay’s bits when HighBit says so', async () => {
    expect([...(await frameOf([0xfff3], { bitsStored: 12, highBit: 13 })).samples]).toEqual([0x0ffc]);
  });

  it('of one bit are lowest bit first, and frames begin within a byte', async () => {
    // Two frames of 3 pixels: 1 0 1, then 1 1 0: bits 0 to 5 of 0b011101.
    const parts = { rows: 1, columns: 3, frames: 2, bitsAllocated: 1, pixels: Uint8Array.of(0b011101, 0) };
    const file = write('bits.dcm', imageFile({ ...parts, modality: 'SEG' }));
    expect([...(await readFramePixels(file, 0)).samples]).toEqual([1, 0, 1]);
    const second = await readFramePixels(file, 1);
    expect([...second.samples]).toEqual([1, 1, 0]);
    expect([...renderFrame(second, null, 'auto').bytes]).toEqual([255, 255, 0]);
  });

  it('of a mask are shown even where less than one in a hundred is set', async () => {
    const samples = Array.from({ length: 400 }, (_, i) => (i === 7 ? 1 : 0));
    const levels = await shown(samples, {}, 'auto');
    expect([levels[7], levels[8]]).toEqual([255, 0]);
  });

  it('of floating point are windowed, and what is no number is background', async () => {
    const floats = new Uint8Array(Float32Array.of(0, 0.25, NaN, 0.5, 1, Infinity).buffer);
    const parts = { rows: 1, columns: 6, pixels: floats, bitsAllocated: 32 };
    const single = imageFile({ ...parts, pixelTag: 0x7fe00008, pixelVr: 'OF' });
    const window = { center: 0.5, width: 1, shape: 'LINEAR_EXACT' } as const;
    const found = await readFramePixels(write('float.dcm', single), 0);
    expect([...renderFrame(found, null, window).bytes]).toEqual([0, 64, 0, 128, 255, 255]);
    const doubles = new Uint8Array(Float64Array.of(0, 2.5).buffer);
    const double = {
      rows: 1,
      columns: 2,
      pixels: doubles,
      bitsAllocated: 64,
      pixelTag: 0x7fe00009,
      pixelVr: 'OD',
    };
    const wide = await readFramePixels(write('double.dcm', imageFile(double)), 0);
    expect([...wide.samples]).toEqual([0, 2.5]);
    expect([...renderFrame(wide, null, 'auto').bytes]).toEqual([0, 255]);
  });

  it('of big endian are turned', async () => {
    const parts = { rows: 1, columns: 2, pixels: bigWords(1, 258), syntax: BIG_ENDIAN };
    expect([...(await readFramePixels(write('big.dcm', imageFile(parts)), 0)).samples]).toEqual([1, 258]);
  });
});

describe('The VOI transform', () => {
  // Window 50, 101 by C.11.2.1.2.1: 0 → ((0 − 49.5) / 100 + 0.5) × 255 = 1.275,
  // 50 → ((50 − 49.5) / 100 + 0.5) × 255 = 128.775, 100 → 255.
  it('takes the file’s window', async () => {
    expect(await shown([0, 50, 100], { more: WINDOW })).toEqual([1, 129, 255]);
  });

  it('turns black and white once for MONOCHROME1, PresentationLUTShape INVERSE, or both', async () => {
    const inverse: Element = [0x20500020, 'CS', 'INVERSE'];
    const expected = [254, 126, 0];
    expect(await shown([0, 50, 100], { photometric: 'MONOCHROME1', more: WINDOW })).toEqual(expected);
    expect(await shown([0, 50, 100], { more: [...WINDOW, inverse] })).toEqual(expected);
    expect(await shown([0, 50, 100], { photometric: 'MONOCHROME1', more: [...WINDOW, inverse] })).toEqual(
      expected,
    );
    expect(await shown([0, 50, 100], { more: [...WINDOW, [0x20500020, 'CS', 'IDENTITY']] })).toEqual([
      1, 129, 255,
    ]);
  });

  it('reads the shape and the explanations, and takes the first window that can be drawn', async () => {
    const more: Element[] = [
      [0x00281050, 'DS', '10\\50\\60'],
      [0x00281051, 'DS', '0\\100\\200'],
      [0x00281055, 'LO', 'BAD\\NORMAL'],
      [0x00281056, 'CS', 'SIGMOID'],
    ];
    const found = await frameOf([50], { more });
    expect(found.windows).toEqual([
      { center: 10, width: 0, shape: 'SIGMOID', explanation: 'BAD' },
      { center: 50, width: 100, shape: 'SIGMOID', explanation: 'NORMAL' },
      { center: 60, width: 200, shape: 'SIGMOID', explanation: null },
    ]);
    // 255 / (1 + e^(−4 × 25 / 100)) = 186.4.
    expect(await shown([50, 75], { more })).toEqual([128, 186]);
  });

  it('takes a VOI LUT before a window, its first mapped value signed where values are', async () => {
    const item = lut([4, -2, 10], words(0, 341, 682, 1023), [[0x00283003, 'LO', 'SOFT']]);
    const more: Element[] = [...WINDOW, [0x00283010, 'SQ', sequence(item)]];
    // 10 bits: 341 / 1023 × 255 = 85.
    const expected = [0, 0, 85, 170, 255, 255];
    expect(await shown([-9, -2, -1, 0, 1, 9], { signed: true, more })).toEqual(expected);
    const rescaled: Element[] = [...more, [0x00281052, 'DS', '-10'], [0x00281053, 'DS', '1']];
    expect(await shown([1, 8, 9, 10, 11, 19], { more: rescaled })).toEqual(expected);
    expect((await frameOf([0], { signed: true, more })).voiTables[0]).toMatchObject({
      explanation: 'SOFT',
      bits: 10,
    });
  });

  // `apply_windowing` of pydicom 2.3.1 for 8 bits stored, centre 40, width 400, rounded.
  it.each([
    { shape: 'LINEAR', levels: [0, 0, 1, 102, 128, 166, 255, 255, 255] },
    // 127.5 and 165.75: pydicom gives fractions, which round up.
    { shape: 'LINEAR_EXACT', levels: [0, 0, 1, 102, 128, 166, 254, 255, 255] },
    { shape: 'SIGMOID', levels: [8, 30, 31, 102, 128, 165, 224, 225, 237] },
  ] as const)('agrees with pydicom for $shape', ({ shape, levels }) => {
    const values = [-300, -160, -159, 0, 40, 100, 239, 240, 300];
    expect([...applyWindow(values, { center: 40, width: 400, shape })]).toEqual(levels);
  });

  it('gives the same levels by table as one by one', async () => {
    const samples = Array.from({ length: 5000 }, (_, i) => i - 2500);
    const more: Element[] = [
      [0x00281052, 'DS', '-7'],
      [0x00281053, 'DS', '0.5'],
      [0x00280120, 'SS', -2000],
    ];
    for (const photometric of ['MONOCHROME1', 'MONOCHROME2']) {
      const frame = await frameOf(samples, { signed: true, photometric, more });
      const voi = { center: 40, width: 400 };
      const byTable = greyLevels(frame, voi);
      const oneByOne = samples.map(
        (_, i) => greyLevels({ ...frame, samples: frame.samples.slice(i, i + 1) }, voi)[0],
      );
      expect([...byTable]).toEqual(oneByOne);
    }
  });
});

describe('Padding', () => {
  const ramp = Array.from({ length: 101 }, (_, i) => i);

  it('is left out of the automatic window and drawn as background in either polarity', async () => {
    const more: Element[] = [[0x00280120, 'SS', -2000]];
    const levels = await shown([...ramp, -2000], { signed: true, more }, 'auto');
    expect([levels[50], levels[101]]).toEqual([128, 0]);
    const turned = await shown([...ramp, -2000], { signed: true, photometric: 'MONOCHROME1', more }, 'auto');
    expect([turned[0], turned[101]]).toEqual([255, 0]);
  });

  it('may be a range, either way round', async () => {
    const more: Element[] = [
      [0x00280120, 'SS', -1],
      [0x00280121, 'SS', -5],
    ];
    const found = await frameOf([0], { signed: true, more });
    expect(found.padding).toEqual({ low: -5, high: -1 });
    const levels = await shown([...ramp, -3, -6], { signed: true, more }, { center: -3, width: 10 });
    expect(levels[101]).toBe(0);
    expect(levels[102]).toBeGreaterThan(0);
  });

  it('is signed as the pixels are, whatever VR it was written with', async () => {
    expect((await frameOf([0], { signed: true, more: [[0x00280120, 'US', 63_536]] })).padding).toEqual({
      low: -2000,
      high: -2000,
    });
    expect((await frameOf([0], { more: [[0x00280120, 'US', 63_536]] })).padding).toEqual({
      low: 63_536,
      high: 63_536,
    });
  });

  it('is left out of the values that inspect reports, which keep it among the stored ones', async () => {
    const bytes = imageFile({ rows: 1, columns: 3, pixels: words(-2000, 5, 9), signed: true, more: [[0x00280120, 'SS', -2000]] }); // prettier-ignore
    const found = await inspectDicom(write('padded.dcm', bytes), null);
    expect([found.min, found.max, found.value?.min, found.value?.max]).toEqual([-2000, 9, 5, 9]);
  });
});

describeShared('Transforms of the shared set', 'dicom', () => {
  it('look up a Modality LUT with samples of 12 signed bits, as dcmtk does', async () => {
    // LUTData as pydicom 2.3.1 reads it, at numpy's sign-extended samples: dcmtk's picture correlates with these values
    // by 0.99999 (and with pydicom's own apply_modality_lut, which does not extend the sign, by −0.14).
    const pixels = await readFramePixels(sharedPath('dicom', 'singles', 'pydicom-data', 'mlut_18.dcm'), 0);
    const { values, unit } = modalityTransform(pixels);
    expect([pixels.samples[0], values[0], unit]).toEqual([-1, 32_759, 'US']);
    expect([pixels.samples[51_300], values[51_300]]).toEqual([-83, 31_447]);
    expect(values.reduce((sum, value) => sum + value, 0) / values.length).toBeCloseTo(33_177.14945983887, 3);
  });
});
