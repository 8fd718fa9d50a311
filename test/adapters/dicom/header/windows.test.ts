import { afterAll, describe, expect, it } from 'vitest';
import { dataSetBytes, dicomFile, EXPLICIT, IMPLICIT, type Element } from '../../../helpers/dicom-bytes.js';
import { CT_ELEMENTS, CT_ROW, changed, headerFiles } from '../../../helpers/header-files.js';

const files = headerFiles();
const path = files.file;
afterAll(() => files.remove());

/** The scanner reads a file's first 8 KB, then on in growing pieces. */
const FIRST_READ = 8192;

describe('A header longer than one read', () => {
  it.each([9_000, 300_000, 3_000_000])('is read when it has %i bytes in one value', async (length) => {
    const long: Element = [0x00091001, 'OB', new Uint8Array(length).fill(7)];
    expect(await files.scan(dicomFile(changed(CT_ELEMENTS, long)))).toEqual([{ ...CT_ROW, path }]);
  });

  it.each([9_000, 300_000])('is read when it has %i bytes in many values', async (length) => {
    for (const syntax of [EXPLICIT, IMPLICIT]) {
      const many = Array.from({ length: length / 40 }, (_, i): Element => [
        0x00210100 + i,
        'LO',
        'thirty two bytes to a private one',
      ]);
      expect(await files.scan(dicomFile(changed(CT_ELEMENTS, ...many), { syntax }))).toEqual([
        { ...CT_ROW, path, transferSyntaxUid: syntax },
      ]);
    }
  });

  // A wanted value, its head, the pixel data's head and a skipped value each come to lie across the end of the read.
  const inFront = (tag: number): number => {
    const index = CT_ELEMENTS.findIndex(([own]) => own === tag);
    return dicomFile(CT_ELEMENTS.slice(0, index)).length + 12;
  };
  it.each([
    ['ImagePositionPatient', 0x00200032],
    ['Rows', 0x00280010],
    ['RescaleType', 0x00281054],
    ['PixelData', 0x7fe00010],
  ])('is read with %s anywhere across the end of a read', async (_, tag) => {
    for (let shift = -24; shift <= 30; shift++) {
      const filler = new Uint8Array(FIRST_READ - inFront(tag) - shift);
      const elements = changed(CT_ELEMENTS, [0x00091001, 'OB', filler]);
      expect(await files.scan(dicomFile(elements)), `shift ${shift}`).toEqual([{ ...CT_ROW, path }]);
    }
  });

  it('is read with the end of its functional groups anywhere across the end of a read', async () => {
    for (let shift = -12; shift <= 12; shift++) {
      const filler = new Uint8Array(FIRST_READ - inFront(0x7fe00010) - 12 - shift);
      const groups: Element = [0x00400275, 'SQ', { items: [[]], openSequence: true, openItems: true }];
      const elements = changed(CT_ELEMENTS, [0x00091001, 'OB', filler], groups);
      expect(await files.scan(dicomFile(elements)), `shift ${shift}`).toEqual([{ ...CT_ROW, path }]);
    }
  });

  it('is not taken for whole when it ends with the first read', async () => {
    const filler = new Uint8Array(FIRST_READ - inFront(0x7fe00010));
    const bytes = dicomFile(changed(CT_ELEMENTS, [0x00091001, 'OB', filler]));
    expect(bytes.length).toBe(FIRST_READ + 12 + 8);
    expect((await files.read(bytes.subarray(0, FIRST_READ))).outcome).toBe('no-pixel-data');
    expect((await files.read(bytes.subarray(0, FIRST_READ + 4))).outcome).toBe('cut-off-header');
    expect((await files.read(bytes.subarray(0, FIRST_READ + 12))).outcome).toBe('truncated-pixels');
  });
});

describe('A header that is cut off', () => {
  const REFUSALS = /^(?:not-dicom|cut-off-header|no-pixel-data|truncated-pixels)$/;

  it.each([
    ['explicit', EXPLICIT],
    ['implicit', IMPLICIT],
  ])('gives no row wherever it is cut, in %s VR', async (_, syntax) => {
    const encoding = { implicit: syntax === IMPLICIT, bigEndian: false };
    let at = dicomFile([], { syntax }).length + 34;
    const elements = changed(CT_ELEMENTS, [
      0x00081140,
      'SQ',
      { items: [[[0x00081150, 'UI', '1.2']], []], openSequence: true, openItems: true },
    ]);
    const whole = dicomFile(elements, { syntax });
    at = whole.length - dataSetBytes(elements, encoding).length;
    for (const element of elements) {
      const { length } = dataSetBytes([element], encoding);
      for (const cut of new Set([1, 2, 5, 8, 9, 12, length >> 1, length - 1])) {
        if (cut >= length) continue;
        const { outcome } = await files.read(whole.subarray(0, at + cut));
        const pixels = element[0] === 0x7fe00010;
        const expected =
          pixels && cut >= (encoding.implicit ? 8 : 12) ? 'truncated-pixels' : 'cut-off-header';
        expect(outcome, `${element[0].toString(16)} cut after ${cut} bytes`).toBe(expected);
      }
      // Between two elements nothing is missing but the pixel data.
      if (element[0] === 0x7fe00010) continue;
      at += length;
      expect((await files.read(whole.subarray(0, at))).outcome).toMatch(REFUSALS);
    }
  });

  it('gives no row wherever its deflated data set is cut', async () => {
    const whole = dicomFile(CT_ELEMENTS, { syntax: '1.2.840.10008.1.2.1.99' });
    for (let length = 300; length < whole.length; length += 7) {
      expect((await files.read(whole.subarray(0, length))).outcome).toMatch(REFUSALS);
    }
  });

  it('gives no row when it goes on in zeros', async () => {
    const whole = dicomFile(CT_ELEMENTS);
    for (const length of [200, 400, 500, 700]) {
      expect(length).toBeLessThan(whole.length - 20);
      const zeros = Buffer.concat([whole.subarray(0, length), Buffer.alloc(3_000_000)]);
      expect((await files.read(zeros)).outcome).toMatch(REFUSALS);
    }
  });

  it('says that there is no pixel data when a whole header has none', async () => {
    expect((await files.read(dicomFile(CT_ELEMENTS.slice(0, -1)))).outcome).toBe('no-pixel-data');
    expect((await files.read(dicomFile([]))).outcome).toBe('no-pixel-data');
  });
});

describe('A small file that announces a great deal', () => {
  it('is refused when it announces more frames than a file may have', async () => {
    const pixels = new Uint8Array(140_000);
    const elements = changed(
      CT_ELEMENTS,
      [0x00280008, 'IS', '140000'],
      [0x00280010, 'US', 1],
      [0x00280011, 'US', 1],
      [0x00280100, 'US', 8],
      [0x00280101, 'US', 8],
      [0x00280102, 'US', 7],
      [0x7fe00010, 'OW', pixels],
    );
    expect((await files.read(dicomFile(elements))).outcome).toBe('too-many-frames');
  });

  it('is refused when it inflates to more than any data set', async () => {
    const elements = changed(CT_ELEMENTS, [0x7fe00010, 'OW', new Uint8Array(68_000_000)]);
    const bytes = dicomFile(elements, { syntax: '1.2.840.10008.1.2.1.99' });
    expect(bytes.length).toBeLessThan(200_000);
    expect((await files.read(bytes)).outcome).toBe('cut-off-header');
  });
});
