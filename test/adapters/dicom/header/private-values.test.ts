import { afterAll, describe, expect, it } from 'vitest';
import { BIG_ENDIAN, dicomFile, EXPLICIT, IMPLICIT, type Element } from '../../../helpers/dicom-bytes.js';
import { CT_ELEMENTS, CT_ROW, changed, headerFiles } from '../../../helpers/header-files.js';

const files = headerFiles();
const path = files.file;
afterAll(() => files.remove());

const MR: Element[] = [
  [0x00080016, 'UI', '1.2.840.10008.5.1.4.1.1.4'],
  [0x00080060, 'CS', 'MR'],
];
const MR_ROW = { ...CT_ROW, path, modality: 'MR', sopClassUid: '1.2.840.10008.5.1.4.1.1.4' };

/** An MR slice with private elements. */
function mr(...elements: Element[]): Element[] {
  return changed(CT_ELEMENTS, ...MR, ...elements);
}

describe('Diffusion weighting that makers keep in private elements', () => {
  it.each([
    {
      maker: 'Siemens in block 10',
      elements: [
        [0x00190010, 'LO', 'SIEMENS MR HEADER'],
        [0x0019100c, 'IS', '1000'],
        [0x0019100e, 'FD', [0, 0.6, -0.8]],
      ],
      bValue: 1000,
      gradientDirection: [0, 0.6, -0.8],
    },
    {
      maker: 'Siemens in block 12, behind another owner that uses the same last byte',
      elements: [
        [0x00190010, 'LO', 'SOMEBODY ELSE'],
        [0x00190012, 'LO', 'SIEMENS MR HEADER'],
        [0x0019100c, 'IS', '7'],
        [0x0019120c, 'IS', '750'],
        [0x0019120e, 'FD', [1, 0, 0]],
      ],
      bValue: 750,
      gradientDirection: [1, 0, 0],
    },
    {
      maker: 'Siemens without a direction',
      elements: [
        [0x00190010, 'LO', 'SIEMENS MR HEADER'],
        [0x0019100c, 'IS', '0'],
      ],
      bValue: 0,
      gradientDirection: null,
    },
    {
      maker: 'GE with the billions that newer software adds, in block 11',
      elements: [
        [0x00430011, 'LO', 'GEMS_PARM_01'],
        [0x00431139, 'IS', '1000000700\\8\\0\\0'],
      ],
      bValue: 700,
      gradientDirection: null,
    },
    {
      maker: 'GE without them',
      elements: [
        [0x00430010, 'LO', 'GEMS_PARM_01'],
        [0x00431039, 'IS', '500\\8\\0\\0'],
      ],
      bValue: 500,
      gradientDirection: null,
    },
    {
      maker: 'Philips in blocks 10 and 14',
      elements: [
        [0x20010010, 'LO', 'Philips Imaging DD 001'],
        [0x20011003, 'FL', 800],
        [0x20050014, 'LO', 'Philips MR Imaging DD 001'],
        [0x200514b0, 'FL', 0.5],
        [0x200514b1, 'FL', -0.25],
        [0x200514b2, 'FL', 0.75],
      ],
      bValue: 800,
      gradientDirection: [0.5, -0.25, 0.75],
    },
    {
      maker: 'nobody who says so',
      elements: [
        [0x00190010, 'LO', 'SOMEBODY ELSE'],
        [0x0019100c, 'IS', '1000'],
        [0x00431039, 'IS', '500'],
      ],
      bValue: null,
      gradientDirection: null,
    },
  ] as { maker: string; elements: Element[]; bValue: number | null; gradientDirection: number[] | null }[])(
    'is read of $maker',
    async ({ elements, bValue, gradientDirection }) => {
      for (const syntax of [EXPLICIT, IMPLICIT, BIG_ENDIAN]) {
        const rows = await files.scan(dicomFile(mr(...elements), { syntax }));
        expect(rows).toEqual([{ ...MR_ROW, transferSyntaxUid: syntax, bValue, gradientDirection }]);
      }
    },
  );

  it('gives way to the standard attributes', async () => {
    const elements = mr(
      [0x00189087, 'FD', 300],
      [0x00189089, 'FD', [0, 0, 1]],
      [0x00190010, 'LO', 'SIEMENS MR HEADER'],
      [0x0019100c, 'IS', '1000'],
      [0x0019100e, 'FD', [1, 0, 0]],
    );
    expect(await files.scan(dicomFile(elements))).toEqual([
      { ...MR_ROW, bValue: 300, gradientDirection: [0, 0, 1] },
    ]);
  });

  it('is not looked for in a CT, and a direction without three numbers is none', async () => {
    const siemens: Element[] = [
      [0x00190010, 'LO', 'SIEMENS MR HEADER'],
      [0x0019100c, 'IS', '1000'],
      [0x0019100e, 'FD', [1, 0]],
    ];
    expect(await files.scan(dicomFile(changed(CT_ELEMENTS, ...siemens)))).toEqual([{ ...CT_ROW, path }]);
    expect(await files.scan(dicomFile(mr(...siemens)))).toEqual([{ ...MR_ROW, bValue: 1000 }]);
    expect(await files.scan(dicomFile(mr([0x00189089, 'FD', [1, 0]])))).toEqual([MR_ROW]);
  });
});

describe('A Siemens mosaic', () => {
  /** (0029,xx10): the older form, one element of one item. */
  const csa = csaHeader('NumberOfImagesInMosaic', '4');
  const picture: Element[] = [
    [0x00080008, 'CS', 'ORIGINAL\\PRIMARY\\M\\ND\\MOSAIC'],
    [0x00280010, 'US', 4],
    [0x00280011, 'US', 4],
    [0x7fe00010, 'OW', new Uint8Array(32)],
  ];
  const row = {
    ...MR_ROW,
    imageType: ['ORIGINAL', 'PRIMARY', 'M', 'ND', 'MOSAIC'],
    rows: 4,
    columns: 4,
    mosaic: {
      images: 4,
      rows: 2,
      columns: 2,
      // The corner of the 4 × 4 picture moves in by half of 2 columns of 0.75 mm and 2 rows of 0.5 mm.
      imagePositionPatient: [-119.75, -129.75, 42],
      spacingMm: 1.25,
      sliceNormal: [0, 0, 1],
    },
  };

  it('is known by its number of images', async () => {
    const elements = mr(...picture, [0x00190010, 'LO', 'SIEMENS MR HEADER'], [0x0019100a, 'US', 4]);
    expect(await files.scan(dicomFile(elements))).toEqual([row]);
  });

  it.each([100, 9000])('is known by its CSA header, however long (%i bytes before it)', async (before) => {
    const elements = mr(
      ...picture,
      [0x00290011, 'LO', 'SIEMENS CSA HEADER'],
      [0x00291108, 'OB', new Uint8Array(before)],
      [0x00291110, 'OB', csa],
      [0x00291120, 'OB', new Uint8Array(90_000)],
    );
    expect(await files.scan(dicomFile(elements))).toEqual([row]);
  });

  it('is not looked for in a picture that does not say so: its CSA header is skipped', async () => {
    const elements = mr(
      [0x00290010, 'LO', 'SIEMENS CSA HEADER'],
      [0x00291010, 'OB', new Uint8Array(2_000_000)],
    );
    expect(await files.scan(dicomFile(elements))).toEqual([MR_ROW]);
  });

  it('is none when the number of its images is not known', async () => {
    expect(await files.scan(dicomFile(mr(...picture)))).toEqual([{ ...row, mosaic: null }]);
  });
});

function csaHeader(name: string, value: string): Buffer {
  const bytes = Buffer.alloc(8 + 84 + 16 + 4);
  bytes.writeUInt32LE(1, 0);
  bytes.writeUInt32LE(77, 4);
  bytes.write(name, 8, 'latin1');
  bytes.writeUInt32LE(1, 8 + 76); // items
  bytes.writeUInt32LE(value.length + 1 + 1, 8 + 84); // the item's length and the first element's items
  bytes.write(value, 8 + 84 + 16, 'latin1');
  return bytes;
}
