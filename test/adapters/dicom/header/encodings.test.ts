import { afterAll, describe, expect, it } from 'vitest';
import {
  BIG_ENDIAN,
  DEFLATED,
  EXPLICIT,
  IMPLICIT,
  dataSetBytes,
  dicomFile,
  encapsulated,
  head,
  mark,
  openSequence,
  sequence,
  type Element,
} from '../../../helpers/dicom-bytes.js';
import { CT_ELEMENTS, CT_ROW, changed, headerFiles } from '../../../helpers/header-files.js';

const files = headerFiles();
const path = files.file;
afterAll(() => files.remove());

describe('A header in each encoding', () => {
  it.each([
    ['explicit VR little endian', EXPLICIT],
    ['implicit VR little endian', IMPLICIT],
    ['explicit VR big endian', BIG_ENDIAN],
    ['deflated', DEFLATED],
  ])('gives the same row in %s', async (_, syntax) => {
    expect(await files.scan(dicomFile(CT_ELEMENTS, { syntax }))).toEqual([
      { ...CT_ROW, path, transferSyntaxUid: syntax },
    ]);
  });

  it.each([
    ['explicit VR little endian', EXPLICIT],
    ['implicit VR little endian', IMPLICIT],
    ['explicit VR big endian', BIG_ENDIAN],
  ])('gives the same row without preamble and meta information in %s', async (_, syntax) => {
    const bytes = dicomFile(CT_ELEMENTS, { syntax, preamble: false, meta: false });
    expect(await files.scan(bytes)).toEqual([{ ...CT_ROW, path, transferSyntaxUid: syntax }]);
  });

  it('reads meta information that no preamble comes before', async () => {
    const bytes = dicomFile(CT_ELEMENTS, { syntax: IMPLICIT, preamble: false });
    expect(await files.scan(bytes)).toEqual([{ ...CT_ROW, path, transferSyntaxUid: IMPLICIT }]);
  });

  it('believes the first element, not a transfer syntax that contradicts it', async () => {
    // 1.2.840.10008.1.2.5 is as long as an explicit syntax; it says RLE, whose data set is explicit.
    const explicit = dicomFile(CT_ELEMENTS, { syntax: '1.2.840.10008.1.2.5' });
    const meta = explicit.subarray(0, explicit.indexOf(Buffer.from([8, 0, 5, 0, 0x43, 0x53])));
    const implicit = dataSetBytes(CT_ELEMENTS, { implicit: true, bigEndian: false });
    expect(await files.scan(Buffer.concat([meta, implicit]))).toEqual([
      { ...CT_ROW, path, transferSyntaxUid: IMPLICIT },
    ]);
  });

  it.each([
    ['longer than the first read of the scanner', 9000],
    ['longer than the first read of both readers', 70_000],
    ['ending just at the first read', 8192 - 132 - 12 - 14 - 34 - 28 - 12],
  ])('reads a file whose meta information is %s', async (_, length) => {
    const bytes = dicomFile(CT_ELEMENTS, {
      syntax: IMPLICIT,
      metaMore: [[0x00020102, 'OB', new Uint8Array(length)]],
    });
    const { outcome } = await files.read(bytes);
    expect(outcome).toEqual([{ ...CT_ROW, path, transferSyntaxUid: IMPLICIT }]);
  });

  it('is not misled by the letters DICM inside a data set without preamble', async () => {
    const first: Element[] = [
      [0x00080005, 'CS', 'ISO_IR 100'],
      [0x00080008, 'CS', `${'ORIGINAL\\PRIMARY\\AXIAL\\'.padEnd(128 - 8 - 10 - 8, 'A')}DICM`],
    ];
    const bytes = dicomFile(changed(CT_ELEMENTS, ...first), { preamble: false, meta: false });
    expect(bytes.toString('latin1', 128, 132)).toBe('DICM');
    const whole = dicomFile(changed(CT_ELEMENTS, ...first));
    // With a preamble of its own, the letters lie 128 bytes into the data set.
    const { outcome } = await files.read(whole);
    expect(outcome).toMatchObject([{ rows: 2, modality: 'CT', sopInstanceUid: '2.25.13' }]);
  });
});

describe('Sequences that a row takes nothing from', () => {
  const inner: Element[] = [
    [0x00280010, 'US', 99],
    [0x0040a730, 'SQ', openSequence([[0x00080060, 'CS', 'XX']], [])],
  ];
  const middle: Element[] = [
    [0x00080018, 'UI', '9.9.9'],
    [0x0040a730, 'SQ', sequence(inner, [])],
    [0x0040b000, 'SQ', openSequence(inner)],
  ];
  it.each([
    ['with lengths', sequence(middle, middle)],
    ['without lengths', openSequence(middle, middle)],
    ['with a length, of items without', { items: [middle, middle], openSequence: false, openItems: true }],
    ['without a length, of items with', { items: [middle, middle], openSequence: true, openItems: false }],
    ['with a length, empty', sequence()],
    ['without a length, empty', openSequence()],
  ])('are stepped over three deep %s', async (_, value) => {
    for (const syntax of [EXPLICIT, IMPLICIT, BIG_ENDIAN]) {
      const elements = changed(CT_ELEMENTS, [0x00081140, 'SQ', value], [0x00400275, 'SQ', value]);
      expect(await files.scan(dicomFile(elements, { syntax }))).toEqual([
        { ...CT_ROW, path, transferSyntaxUid: syntax },
      ]);
    }
  });

  it('are stepped over as UN without a length, which is implicit VR inside', async () => {
    const value = { items: [middle, middle], openSequence: true, openItems: true };
    const elements = changed(
      CT_ELEMENTS,
      [0x00091001, 'UN', { ...value, openItems: false }],
      [0x00400275, 'UN', value],
    );
    expect(await files.scan(dicomFile(elements))).toEqual([{ ...CT_ROW, path }]);
  });

  it('are stepped over when they hold an icon with encapsulated pixel data', async () => {
    const icon = Buffer.concat([
      dataSetBytes([
        [0x00280010, 'US', 64],
        [0x00280011, 'US', 64],
      ]),
      encapsulated(0x7fe00010, Uint8Array.of(0xff, 0xd8, 0xff, 0xd9), new Uint8Array(20_000)),
    ]);
    const bytes = Buffer.concat([
      head(0x00880200, 'SQ', 0xffffffff),
      mark(0xfffee000, 0xffffffff),
      icon,
      mark(0xfffee00d, 0),
      mark(0xfffee0dd, 0),
    ]);
    const before = dicomFile(CT_ELEMENTS.slice(0, -1));
    const whole = Buffer.concat([before, bytes, dataSetBytes(CT_ELEMENTS.slice(-1))]);
    expect(await files.scan(whole)).toEqual([{ ...CT_ROW, path }]);
  });

  it('are stepped over in implicit VR when a private one has no length', async () => {
    const value = openSequence([[0x00091002, 'LO', 'x']]);
    const bytes = dicomFile(changed(CT_ELEMENTS, [0x00091001, 'SQ', value]), { syntax: IMPLICIT });
    expect(await files.scan(bytes)).toEqual([{ ...CT_ROW, path, transferSyntaxUid: IMPLICIT }]);
  });
});

describe('VRs and values', () => {
  it('steps over the 64-bit VRs, whose length has 32 bits', async () => {
    const elements = changed(
      CT_ELEMENTS,
      [0x00091001, 'OV', new Uint8Array(24)],
      [0x00091002, 'SV', new Uint8Array(8)],
      [0x00091003, 'UV', [1, 2, 3]],
    );
    expect(await files.scan(dicomFile(elements))).toEqual([{ ...CT_ROW, path }]);
  });

  it('steps over padding at the end of a header, and behind the pixel data', async () => {
    const padded = changed(CT_ELEMENTS, [0xfffcfffc, 'OB', new Uint8Array(130)]);
    expect(await files.scan(dicomFile(padded))).toEqual([{ ...CT_ROW, path }]);
    const { outcome } = await files.read(dicomFile(changed(padded, [0x7fe00010, null])));
    expect(outcome).toBe('no-pixel-data');
  });

  it('reads float and double float pixel data without their contents', async () => {
    for (const [tag, vr, bits] of [
      [0x7fe00008, 'OF', 32],
      [0x7fe00009, 'OD', 64],
    ] as const) {
      const elements = changed(
        CT_ELEMENTS,
        [0x7fe00010, null],
        [0x00280100, 'US', bits],
        [tag, vr, new Uint8Array((4 * bits) / 8)],
      );
      const row = { ...CT_ROW, path, bitsAllocated: bits, bitsStored: bits };
      expect(await files.scan(dicomFile(elements))).toEqual([row]);
      const { outcome } = await files.read(dicomFile(elements).subarray(0, -4));
      expect(outcome).toBe('truncated-pixels');
    }
  });

  it('reads values padded in every way, and takes an empty one for absent', async () => {
    const elements = changed(
      CT_ELEMENTS,
      [0x00080060, 'CS', Buffer.from('CT \0')],
      [0x00180050, 'DS', ' 2.5  '],
      [0x00200011, 'IS', '+4\0\0'],
      [0x00281052, 'DS', '-1.024E3'],
      [0x0008103e, 'LO', ''],
      [0x00180022, 'CS', ''],
      [0x00281050, 'DS', '40'],
      [0x00281051, 'DS', ''],
      [0x00200013, 'IS', 'abc '],
    );
    expect(await files.scan(dicomFile(elements))).toEqual([
      {
        ...CT_ROW,
        path,
        seriesDescription: null,
        scanOptions: null,
        windowCenter: 40,
        windowWidth: null,
        instanceNumber: null,
      },
    ]);
  });

  it('reads a frame of encapsulated pixel data, and says when a fragment is cut off', async () => {
    const bytes = Buffer.concat([
      dicomFile(CT_ELEMENTS.slice(0, -1), { syntax: '1.2.840.10008.1.2.4.70' }),
      encapsulated(0x7fe00010, Uint8Array.of(0xff, 0xd8, 0xff, 0xd9)),
    ]);
    expect(await files.scan(bytes)).toEqual([
      { ...CT_ROW, path, transferSyntaxUid: '1.2.840.10008.1.2.4.70' },
    ]);
    const { outcome } = await files.read(bytes.subarray(0, -10));
    expect(outcome).toBe('truncated-pixels');
  });
});

describe('What is odd is left to dicom-parser', () => {
  const plain = dicomFile(CT_ELEMENTS);
  const withInserted = (bytes: Buffer): Buffer => {
    const at = plain.indexOf(Buffer.from([0x18, 0, 0x10, 0, 0x4c, 0x4f]));
    return Buffer.concat([plain.subarray(0, at), bytes, plain.subarray(at)]);
  };

  it.each([
    ['an unknown VR', withBytes(plain, plain.indexOf('LO', 0, 'latin1'), 'Z9')],
    [
      'a tag twice',
      withInserted(
        dataSetBytes([
          [0x0008103e, 'LO', 'other'],
          [0x0008103e, 'LO', 'one'],
        ]),
      ),
    ],
    ['tags out of order', withInserted(dataSetBytes([[0x00080020, 'DA', '20200101']]))],
    ['an item where no sequence is', withInserted(mark(0xfffee000, 4))],
    [
      'a delimiter with a length',
      withInserted(Buffer.concat([head(0x00091001, 'SQ', 0xffffffff), mark(0xfffee0dd, 4000)])),
    ],
    [
      'a value longer than any of its kind',
      dicomFile(changed(CT_ELEMENTS, [0x0008103e, 'UT', new Uint8Array(70_000).fill(65)])),
    ],
  ])('and %s gives a row all the same', async (_, bytes) => {
    const { byScanner, outcome } = await files.read(bytes);
    expect(byScanner).toBe(false);
    expect(outcome).toMatchObject([{ rows: 2, modality: 'CT', sopInstanceUid: '2.25.13' }]);
  });

  it.each([
    ['a length beyond the file', head(0x00091001, 'OB', 0x7fffffff)],
    ['a length without end in a VR that has one', head(0x00091001, 'UT', 0xffffffff)],
    ['a sequence without items', Buffer.concat([head(0x00091001, 'SQ', 0xffffffff), Buffer.alloc(64, 1)])],
    [
      'an item longer than its sequence',
      Buffer.concat([head(0x00091001, 'SQ', 16), mark(0xfffee000, 4000), Buffer.alloc(8)]),
    ],
    [
      'a value longer than its item, in a sequence that a row takes nothing from',
      Buffer.concat([
        head(0x00091001, 'SQ', 20),
        mark(0xfffee000, 12),
        head(0x00091002, 'LO', 6000),
        Buffer.alloc(4),
      ]),
    ],
  ])('and %s gives no row', async (_, odd) => {
    const { byScanner, outcome } = await files.read(withInserted(odd));
    expect(byScanner).toBe(false);
    expect(outcome).toMatch(/^(?:cut-off-header|no-pixel-data|bad-header)$/);
  });
});

function withBytes(bytes: Buffer, at: number, text: string): Buffer {
  const copy = Buffer.from(bytes);
  copy.write(text, at, 'latin1');
  return copy;
}
