import { afterAll, describe, expect, it } from 'vitest';
import {
  BIG_ENDIAN,
  dicomFile,
  EXPLICIT,
  IMPLICIT,
  openSequence,
  sequence,
  sequenceBytes,
  type Element,
  type Items,
} from '../../../helpers/dicom-bytes.js';
import { CT_ELEMENTS, CT_ROW, changed, headerFiles } from '../../../helpers/header-files.js';

const files = headerFiles();
const path = files.file;
afterAll(() => files.remove());

type Wrap = (...items: (readonly Element[])[]) => Items;
const ENHANCED_MR = '1.2.840.10008.5.1.4.1.1.4.1';

/** What a slice says at the top level and an enhanced object in its functional groups. */
const TOP: Element[] = changed(
  CT_ELEMENTS,
  [0x00080016, 'UI', ENHANCED_MR],
  [0x00080060, 'CS', 'MR'],
  [0x00180050, null],
  [0x00180088, null],
  [0x00181210, null],
  [0x00200012, null],
  [0x00200032, null],
  [0x00200037, null],
  [0x00280030, null],
  [0x00281050, null],
  [0x00281051, null],
  [0x00281052, null],
  [0x00281053, null],
  [0x00281054, null],
  [0x00280008, 'IS', '2'],
  [0x7fe00010, 'OW', new Uint8Array(16)],
);

/** Groups of all frames, and of each. */
function groups(wrap: Wrap, vr = 'SQ'): Element[] {
  const group = (tag: number, ...elements: Element[]): Element => [tag, vr, wrap(elements)];
  const shared = [
    group(0x00189112, [0x00180022, 'CS', 'FAST']),
    group(
      0x00209071,
      [
        0x00082218,
        vr,
        wrap([
          [0x00080100, 'SH', '12738006'],
          [0x00080104, 'LO', 'Brain'],
        ]),
      ],
      [0x00209072, 'CS', 'U'],
    ),
    group(0x00209116, [0x00200037, 'DS', '0\\1\\0\\0\\0\\-1']),
    group(0x00280009, [0x00280010, 'US', 99]),
    group(0x00289110, [0x00180050, 'DS', '3'], [0x00180088, 'DS', '3.5'], [0x00280030, 'DS', '0.9\\0.8']),
  ];
  const frame = (i: number): Element[] => [
    group(0x00189114, [0x00189082, 'FD', 90 + i]),
    group(
      0x00189117,
      [0x00189075, 'CS', 'DIRECTIONAL'],
      [0x00189076, vr, wrap([[0x00189089, 'FD', [0, 0.6, 0.8]]])],
      [0x00189087, 'FD', i * 1000],
    ),
    group(0x00189115, [0x00189079, 'FD', [150, 300]]),
    group(0x00189118, [0x00209153, 'FD', 10.5 + i], [0x00209241, 'FL', 75]),
    group(0x00189314, [0x00189315, 'CS', 'ITERATIVE'], [0x00189316, 'CS', 'BONE']),
    group(0x00189226, [0x00089007, 'CS', 'ORIGINAL\\PRIMARY\\DIFFUSION\\NONE']),
    group(0x00209111, [0x00209056, 'SH', '1'], [0x00209128, 'UL', 5 + i], [0x00209156, 'US', 3]),
    group(0x00209113, [0x00200032, 'DS', `${i}.5\\2\\3`]),
    group(0x00289132, [0x00281050, 'DS', `${40 + i}`], [0x00281051, 'DS', '80']),
    group(0x00289145, [0x00281052, 'DS', '0'], [0x00281053, 'DS', '2'], [0x00281054, 'LO', 'US']),
  ];
  return [
    [0x52009229, vr, wrap(shared)],
    [0x52009230, vr, wrap(changed(frame(0)), changed(frame(1)))],
  ];
}

/** Sequences as UN with a length. */
function unknown(elements: readonly Element[]): Element[] {
  const bytes = (value: Items): Buffer => sequenceBytes(value, { implicit: true, bigEndian: false });
  return elements.map(([tag, vr, value]) =>
    typeof value === 'object' && 'items' in value ? [tag, 'UN', bytes(value)] : [tag, vr, value],
  );
}

/** A sequence whose own sequences are UN with a length. */
function inside([tag, vr, value]: Element): Element {
  return [tag, vr, sequence(...(value as Items).items.map(unknown))];
}

const ROW = {
  ...CT_ROW,
  path,
  sopClassUid: ENHANCED_MR,
  modality: 'MR',
  numberOfFrames: 2,
  imageOrientationPatient: [0, 1, 0, 0, 0, -1],
  pixelSpacingMm: [0.9, 0.8],
  sliceThicknessMm: 3,
  spacingBetweenSlicesMm: 3.5,
  rescaleSlope: 2,
  rescaleIntercept: 0,
  rescaleType: 'US',
  windowWidth: 80,
  imageType: ['ORIGINAL', 'PRIMARY', 'DIFFUSION', 'NONE'],
  scanOptions: ['FAST'],
  convolutionKernel: 'BONE',
  acquisitionNumber: 3,
  inversionTimeMs: 150,
  nominalPercentageOfCardiacPhase: 75,
  stackId: '1',
  gradientDirection: [0, 0.6, 0.8],
  anatomicRegion: 'Brain',
};
const ROWS = [
  {
    ...ROW,
    frame: 0,
    imagePositionPatient: [0.5, 2, 3],
    windowCenter: 40,
    echoTimeMs: 90,
    bValue: 0,
    temporalPosition: 5,
    triggerTimeMs: 10.5,
  },
  {
    ...ROW,
    frame: 1,
    imagePositionPatient: [1.5, 2, 3],
    windowCenter: 41,
    echoTimeMs: 91,
    bValue: 1000,
    temporalPosition: 6,
    triggerTimeMs: 11.5,
  },
];

describe('Functional groups', () => {
  it.each([
    ['with lengths', sequence],
    ['without lengths', openSequence],
  ])('describe each frame, and all of them, as sequences %s', async (_, wrap) => {
    for (const syntax of [EXPLICIT, IMPLICIT, BIG_ENDIAN]) {
      const rows = await files.scan(dicomFile(changed(TOP, ...groups(wrap)), { syntax }));
      expect(rows).toEqual(ROWS.map((row) => ({ ...row, transferSyntaxUid: syntax })));
    }
  });

  it('are read where a sender that did not know them wrote UN', async () => {
    // Inside UN all is implicit VR: the outermost VR alone says UN.
    const outer = groups(sequence).map(([tag, , value]): Element => [tag, 'UN', value]);
    expect(await files.scan(dicomFile(changed(TOP, ...outer)))).toEqual(ROWS);
  });

  it.each([
    ['for all of them', unknown],
    ['for the groups in them', (elements: Element[]) => elements.map(inside)],
  ])('are read where it wrote UN with a length %s', async (_, change) => {
    const elements = change(groups(sequence));
    expect(await files.scan(dicomFile(changed(TOP, ...elements)))).toEqual(ROWS);
  });

  it('are read a long way into the file', async () => {
    const filler: Element[] = [
      [0x00091001, 'OB', new Uint8Array(50_000)],
      [0x00400001, 'OB', new Uint8Array(3000)],
    ];
    const wrap: Wrap = (...items) =>
      openSequence(...items.map((item) => changed(item, [0x00091002, 'OB', new Uint8Array(700)])));
    expect(await files.scan(dicomFile(changed(TOP, ...filler, ...groups(wrap))))).toEqual(ROWS);
  });

  it('that only all frames share describe them too, without a place', async () => {
    const [shared] = groups(sequence);
    const rows = await files.scan(dicomFile(changed(TOP, shared!)));
    const expected = {
      ...ROW,
      imagePositionPatient: null,
      imageType: ['ORIGINAL', 'PRIMARY', 'AXIAL'],
      rescaleSlope: null,
      rescaleIntercept: null,
      rescaleType: null,
      windowCenter: null,
      windowWidth: null,
      convolutionKernel: null,
      acquisitionNumber: null,
      inversionTimeMs: null,
      nominalPercentageOfCardiacPhase: null,
      stackId: null,
      gradientDirection: null,
    };
    expect(rows).toEqual([
      { ...expected, frame: 0 },
      { ...expected, frame: 1 },
    ]);
  });

  it('fewer than frames leave the rest with what all share', async () => {
    const elements = changed(
      TOP,
      ...groups(sequence),
      [0x00280008, 'IS', '3'],
      [0x7fe00010, 'OW', new Uint8Array(24)],
    );
    const rows = await files.scan(dicomFile(elements));
    expect(rows).toHaveLength(3);
    expect(rows[2]).toMatchObject({
      frame: 2,
      imagePositionPatient: null,
      pixelSpacingMm: [0.9, 0.8],
      bValue: null,
      anatomicRegion: 'Brain',
    });
  });
});

describe('Several frames without functional groups', () => {
  const several = changed(TOP, [0x00200032, 'DS', '1\\2\\3'], [0x00200037, 'DS', '1\\0\\0\\0\\1\\0']);
  it('have no place of their own', async () => {
    const rows = await files.scan(dicomFile(several));
    expect(rows.map((row) => row.imagePositionPatient)).toEqual([null, null]);
  });

  it('lie along the normal where a dose grid says so', async () => {
    const rows = await files.scan(dicomFile(changed(several, [0x3004000c, 'DS', '0\\2.5'])));
    expect(rows.map((row) => row.imagePositionPatient)).toEqual([
      [1, 2, 3],
      [1, 2, 5.5],
    ]);
  });
});

it('The anatomic region of a classic image is its own', async () => {
  const region: Element = [
    0x00082218,
    'SQ',
    sequence([
      [0x00080100, 'SH', '51185008'],
      [0x00080104, 'LO', 'Thorax'],
    ]),
  ];
  expect(await files.scan(dicomFile(changed(CT_ELEMENTS, region)))).toEqual([
    { ...CT_ROW, path, anatomicRegion: 'Thorax' },
  ]);
});
