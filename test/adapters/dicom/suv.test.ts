import { describe, expect, it } from 'vitest';
import { inspectDicom, modalityTransform, readFramePixels } from '../../../src/adapters/dicom/index.js';
import { sequence, type Element } from '../../helpers/dicom-bytes.js';
import { imageFile, words } from '../../helpers/dicom-image.js';
import { describeShared, sharedPath } from '../../helpers/shared.js';
import { temporaryFiles } from '../../helpers/temporary.js';

const write = temporaryFiles();

/** Weight 70 kg, dose 350 MBq one half-life (6000 s) before the series: 70,000 g / 175 MBq = 0.0004 g/Bq. */
const PLAIN = {
  0x00080021: ['DA', '20200102'],
  0x00080022: ['DA', '20200102'],
  0x00080031: ['TM', '101000'],
  0x00080032: ['TM', '101000'],
  0x00101030: ['DS', '70'],
  0x00280051: ['CS', 'DECY\\ATTN'],
  0x00281052: ['DS', '0'],
  0x00281053: ['DS', '2'],
  0x00541001: ['CS', 'BQML'],
  0x00541102: ['CS', 'START'],
} as const;
const INJECTION = {
  0x00181072: ['TM', '083000'],
  0x00181074: ['DS', '350000000'],
  0x00181075: ['DS', '6000'],
} as const;

type Changes = Readonly<Record<number, readonly [vr: string, value: string] | null>>;

function elements(plain: Changes, changes: Changes): Element[] {
  return Object.entries({ ...plain, ...changes })
    .filter(([, element]) => element !== null)
    .map(([tag, element]) => [Number(tag), ...element!] as const)
    .sort(([a], [b]) => a - b);
}

/** One pixel of 10,000 counts, times 2. */
async function petPixels(changes: Changes, injection: Changes, injections: number) {
  const item = elements(INJECTION, injection);
  const more: Element[] = [
    ...elements(PLAIN, changes),
    [0x00540016, 'SQ', sequence(...Array.from({ length: injections }, () => item))],
  ];
  const bytes = imageFile({ rows: 1, columns: 1, pixels: words(10_000), modality: 'PT', more });
  return readFramePixels(write('pet.dcm', bytes), 0);
}

async function pet(changes: Changes = {}, injection: Changes = {}) {
  const { values, unit } = modalityTransform(await petPixels(changes, injection, 1));
  return { value: values[0]!, unit };
}

/** Why the values are no SUVbw. */
async function reason(
  changes: Changes = {},
  injection: Changes = {},
  injections = 1,
): Promise<string | null> {
  const { modality } = await petPixels(changes, injection, injections);
  expect(modality.unit).not.toBe('SUVbw');
  return modality.noSuv;
}

describe('SUVbw', () => {
  it('of BQML corrected to the start takes the dose that is left: 20,000 Bq/mL × 0.0004 g/Bq = 8', async () => {
    const { value, unit } = await pet();
    expect(unit).toBe('SUVbw');
    expect(value).toBeCloseTo(8, 5);
  });

  it('of BQML corrected to the injection takes the whole dose: 20,000 × 70,000 / 350,000,000 = 4', async () => {
    expect((await pet({ 0x00541102: ['CS', 'ADMIN'] })).value).toBeCloseTo(4, 5);
  });

  it('of GML is there already: 20,000', async () => {
    expect(await pet({ 0x00541001: ['CS', 'GML'], 0x00101030: null })).toEqual({
      value: 20_000,
      unit: 'SUVbw',
    });
  });

  it('of Philips counts takes the private factor: 20,000 × 0.0005 = 10', async () => {
    const { value, unit } = await pet({
      0x00541001: ['CS', 'CNTS'],
      0x70530010: ['LO', 'Philips PET Private Group'],
      0x70531000: ['DS', '0.0005'],
    });
    expect(unit).toBe('SUVbw');
    expect(value).toBeCloseTo(10, 5);
  });

  it('of Philips counts without it takes the factor to Bq/mL, in whatever block: 20,000 × 3 × 0.0004 = 24', async () => {
    const { value } = await pet({
      0x00541001: ['CS', 'CNTS'],
      0x70530011: ['LO', 'Philips PET Private Group'],
      0x70531109: ['DS', '3'],
    });
    expect(value).toBeCloseTo(24, 4);
  });

  it('counts from the evening before when the injection’s time of day is later', async () => {
    const overnight = { 0x00080031: ['TM', '001000'], 0x00080032: ['TM', '001000'] } as const;
    expect((await pet(overnight, { 0x00181072: ['TM', '223000'] })).value).toBeCloseTo(8, 5);
  });

  it('takes the injection’s date and time where they precede the scan', async () => {
    // Two half-lives: the dose left is 87.5 MBq, 70,000 / 87.5e6 × 20,000 = 16.
    expect((await pet({}, { 0x00181078: ['DT', '20200102065000.00'] })).value).toBeCloseTo(16, 5);
    // A date after the scan is wrong; the time of day is used.
    expect((await pet({}, { 0x00181078: ['DT', '20200103083000'] })).value).toBeCloseTo(8, 5);
  });

  it('of a series made after the acquisition takes GE’s private scan time', async () => {
    const later = { 0x00080031: ['TM', '150000'], 0x00080032: ['TM', '101100'] } as const;
    const ge = { 0x00090010: ['LO', 'GEMS_PETD_01'], 0x0009100d: ['DT', '20200102101000.00'] } as const;
    expect((await pet({ ...later, ...ge })).value).toBeCloseTo(8, 5);
  });

  it('of a series made after the acquisition goes back by the frame reference time', async () => {
    // Acquisition 10:15:00, reference 300 s; mean time of a 240 s frame with a half-life of 6000 s:
    // λ = ln 2 / 6000 = 1.155245e-4, λT = 0.0277259, (1/λ) ln(λT / (1 − e^−λT)) = 119.723 s.
    // Scan 10:15:00 − 300 s + 119.723 s = 10:11:59.723, 6119.723 s after the injection:
    // 20,000 × 70,000 / (350e6 × 2^(−6119.723/6000)) = 4 × 2.027856 = 8.11142.
    const { value } = await pet({
      0x00080031: ['TM', '150000'],
      0x00080032: ['TM', '101500'],
      0x00181242: ['IS', '240000'],
      0x00541300: ['DS', '300000'],
    });
    expect(value).toBeCloseTo(8.1114, 3);
  });

  it.each([
    ['no weight', { 0x00101030: null }, 'PatientWeight'],
    ['a weight of 0', { 0x00101030: ['DS', '0'] }, 'PatientWeight'],
    ['no attenuation correction', { 0x00280051: ['CS', 'DECY'] }, 'ATTN'],
    ['no decay correction', { 0x00541102: ['CS', 'NONE'] }, 'DecayCorrection is NONE'],
    ['propcps', { 0x00541001: ['CS', 'PROPCPS'] }, 'Units PROPCPS'],
    ['no units', { 0x00541001: null }, 'Units is absent'],
    ['counts without a factor', { 0x00541001: ['CS', 'CNTS'] }, 'scale factors'],
    ['lean body mass', { 0x00541001: ['CS', 'GML'], 0x00541006: ['CS', 'LBM'] }, 'SUVType is LBM'],
    [
      'a series time that does not read',
      { 0x00080031: ['TM', 'noon'], 0x00080032: ['TM', '1'] },
      'SeriesTime',
    ],
  ] as const)('is not worked out from %s, and the reason says so', async (_, changes, words) => {
    expect(await reason(changes)).toContain(words);
  });

  it.each([
    ['no dose', { 0x00181074: null }, 'RadionuclideTotalDose'],
    ['a dose in MBq', { 0x00181074: ['DS', '350'] }, 'RadionuclideTotalDose'],
    ['no half-life', { 0x00181075: null }, 'RadionuclideHalfLife'],
    ['no time of injection', { 0x00181072: null }, 'injection has no time'],
    ['a time after the scan', { 0x00181072: ['TM', '101100'] }, 'not shortly before'],
    ['zirconium without a date', { 0x00181075: ['DS', '282276'] }, 'no usable date'],
  ] as const)('is not worked out from %s', async (_, injection, words) => {
    expect(await reason({}, injection)).toContain(words);
  });

  it('is not worked out from two injections', async () => {
    expect(await reason({}, {}, 2)).toContain('2 items');
  });

  it('takes the file’s windows along, with the half and the one of LINEAR', async () => {
    const window = { 0x00281050: ['DS', '5000'], 0x00281051: ['DS', '10001'] } as const;
    // (5000 − 0.5) × 0.0004 and (10001 − 1) × 0.0004.
    const [linear] = (await petPixels(window, {}, 1)).windows;
    expect(linear).toMatchObject({ shape: 'LINEAR_EXACT' });
    expect(linear!.center).toBeCloseTo(1.9998, 6);
    expect(linear!.width).toBeCloseTo(4, 6);
    const [sigmoid] = (await petPixels({ ...window, 0x00281056: ['CS', 'SIGMOID'] }, {}, 1)).windows;
    expect(sigmoid).toMatchObject({ shape: 'SIGMOID' });
    expect(sigmoid!.center).toBeCloseTo(2, 6);
    expect(sigmoid!.width).toBeCloseTo(4.0004, 6);
  });

  it('keeps dates, times, dose and weight out of what it returns', async () => {
    const pixels = await petPixels({ 0x00101030: null }, {}, 1);
    const said = JSON.stringify({ ...pixels, samples: null });
    for (const secret of ['2020', '1010', '0830', '350000000', '6000']) expect(said).not.toContain(secret);
  });
});

describeShared('SUVbw of the shared set', 'dicom', () => {
  // Worked out from the tags read by pydicom 2.3.1, with numpy: activity × weight / (dose × 2^(−2711 s / half-life)) for
  // the first, which is BQML corrected to the start; stored × slope for the second, which is GML.
  it.each([
    { file: 'cases/pet-raw-sts001/FDG_PET/1-085.dcm', max: 12.583736876776834, mean: 0.20770416436971312 },
    { file: 'cases/petct-mr-sts002/PET/000000.dcm', max: 2.2646045683966602, mean: 0.44097505625792977 },
  ])('is what numpy gives for $file', async ({ file, max, mean }) => {
    const pixels = await readFramePixels(sharedPath('dicom', ...file.split('/')), 0);
    const { values, unit } = modalityTransform(pixels);
    expect(unit).toBe('SUVbw');
    expect(values.reduce((most, value) => Math.max(most, value), 0)).toBeCloseTo(max, 5);
    expect(values.reduce((sum, value) => sum + value, 0) / values.length).toBeCloseTo(mean, 5);
  });

  it('has its own slope on every slice, and the unit in inspect', async () => {
    // Rescale slopes of the two files as pydicom reads them.
    const slices = ['000000', '000001'].map((name) => sharedPath('dicom', 'cases', 'petct-mr-sts002', 'PET', `${name}.dcm`)); // prettier-ignore
    const slopes = [];
    for (const file of slices) slopes.push((await readFramePixels(file, 0)).modality.slope);
    expect(slopes).toEqual([0.00006911235598, 0.00005135825931]);
    const { value } = await inspectDicom(slices[0]!, null);
    expect(value).toMatchObject({ unit: 'SUVbw', noSuv: null });
    expect(value!.max).toBeCloseTo(2.2646045683966602, 9);
  });
});
