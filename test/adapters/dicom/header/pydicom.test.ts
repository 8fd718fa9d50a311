import { expect, it } from 'vitest';
import { scanHeader } from '../../../../src/adapters/dicom/index.js';
import { describeShared, sharedPath } from '../../../helpers/shared.js';

/**
 * Values as pydicom 2.3.1 reads them. All fields of acquisition and stack were compared with it once, over the 1305 frames
 * of all 639 shared images: the one difference is the number of images of nibabel/0.dcm, a mosaic cut down to a size that
 * does not hold them.
 */
const VALUES: readonly (readonly [file: string, frame: number, values: Record<string, unknown>])[] = [
  [
    'cases/ct-head-tilt-ge/series2/04.dcm',
    0,
    {
      gantryDetectorTiltDegrees: 18.5,
      sliceLocation: -22.84,
      convolutionKernel: 'STD+',
      acquisitionNumber: 4,
    },
  ],
  [
    'cases/ct-abdomen-gap/image/1-10.dcm',
    0,
    { protocolName: 'CT CAP', contrastBolusAgent: 'GASTRO & OMNI', rescaleType: 'HU', bValue: null },
  ],
  [
    'cases/mr-ge-localizer-table/01_3_Plane_Localizer_FF/i18246584.MRDC.15',
    0,
    {
      scanOptions: ['FAST_GEMS', 'EDR_GEMS', 'SEQ_GEMS', 'TRF_GEMS', 'SS_GEMS', 'ACC_GEMS', 'PFP'],
      spacingBetweenSlicesMm: 15,
      echoTimeMs: 81.002,
      anatomicRegion: 'Brain',
      bValue: 0,
      gradientDirection: null,
    },
  ],
  [
    'cases/mr-ge-localizer-table/06_Ax_fMRI_HF/i18246776.MRDC.5',
    0,
    { triggerTimeMs: 300, temporalPosition: 1, stackId: '1' },
  ],
  [
    'cases/mr-siemens-mosaic-orient/ax_axasc35/MR.1.3.12.2.1107.5.2.32.35131.2014031012493950715786673',
    0,
    {
      sequenceName: '*epfid2d1_64',
      spacingBetweenSlicesMm: 3.6000000030835,
      mosaic: expect.objectContaining({ images: 35, rows: 64, columns: 64 }),
    },
  ],
  [
    'cases/mr-decubitus-hfdl/3_ep2d_diff/0001_1.3.12.2.1107.5.2.43.67060.2022040715261982085769019.dcm',
    0,
    { scanOptions: ['PFP', 'FS'], bValue: 0, mosaic: expect.objectContaining({ images: 25, rows: 128 }) },
  ],
  [
    'cases/mr-siemens-xa30/12_DWI_dir80_PA/0001_1.3.12.2.1107.5.2.43.67093.2022071112123419375008659.dcm',
    0,
    { bValue: 2500, echoTimeMs: 68, burnedInAnnotation: 'NO', anatomicRegion: 'Brain' },
  ],
  [
    'cases/mr-canon-dti/3000_001.dcm',
    0,
    { sequenceName: 'SEEPI2D+0.7', bValue: 0, gradientDirection: [0, 0, 0], scanOptions: ['PFP', 'NONE'] },
  ],
  [
    'cases/mr-philips-classic-and-enhanced/1301/1301_0080.dcm',
    0,
    { bValue: 0, gradientDirection: [0, 0, 0], rescaleType: 'normalized', echoTimeMs: 2.93 },
  ],
  [
    'cases/mr-enhanced-brain-nema/BRTUM003',
    0,
    { inversionTimeMs: 2200.0019531249995, anatomicRegion: 'Brain' },
  ],
  ['cases/ct-head-multiseries-philips/S4010/I10', 0, { conversionType: 'WSD', units: 'HU' }],
  ['cases/pet-raw-sts001/FDG_PET/1-085.dcm', 0, { units: 'BQML' }],
  // Its code meaning (0008,0104) lies at the top level, where it names no region.
  ['singles/fo-dicom/FreezePattern.dcm', 0, { conversionType: 'WWW', anatomicRegion: null }],
];

describeShared('Acquisition and stack fields beside pydicom', 'dicom', () => {
  it.each(VALUES)('are equal in %s', async (file, frame, values) => {
    const rows = await scanHeader(sharedPath('dicom', ...file.split('/')));
    expect(rows[frame]).toMatchObject(values);
  });
});
