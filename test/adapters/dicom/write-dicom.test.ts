import dicomParser from 'dicom-parser';
import { describe, expect, it } from 'vitest';
import { decimalString, writeDicom } from '../../../src/adapters/dicom/write-dicom.js';

const attributes = {
  SOPClassUID: '1.2.840.10008.5.1.4.1.1.2',
  SOPInstanceUID: '2.25.123456789',
  PatientName: 'Testpatient^Ada',
  ImageType: ['ORIGINAL', 'PRIMARY', 'AXIAL'],
  InstanceNumber: 7,
  ImagePositionPatient: [-99.5, -0, 12.25],
  ImageOrientationPatient: [1, 0, 0, 0, Math.cos(0.3), -Math.sin(0.3)],
  RescaleSlope: 1,
  RescaleIntercept: -1024,
  Rows: 2,
  Columns: 3,
};
const pixels = new Int16Array([-32768, -1, 0, 1, 258, 32767]);

describe('writeDicom, read back with dicom-parser', () => {
  const data = dicomParser.parseDicom(writeDicom(attributes, pixels));

  it('writes a Part 10 file in Explicit VR Little Endian with signed 16-bit samples', () => {
    expect(data.string('x00020010')).toBe('1.2.840.10008.1.2.1');
    expect(data.string('x00020002')).toBe('1.2.840.10008.5.1.4.1.1.2');
    expect(data.string('x00020003')).toBe('2.25.123456789');
    expect(data.uint16('x00280100')).toBe(16);
    expect(data.uint16('x00280103')).toBe(1);
    expect(data.elements.x7fe00010?.vr).toBe('OW');
  });

  it('writes text, numbers and lists as given, and minus zero as 0', () => {
    expect(data.string('x00100010')).toBe('Testpatient^Ada');
    expect(data.string('x00080008')).toBe('ORIGINAL\\PRIMARY\\AXIAL');
    expect(data.intString('x00200013')).toBe(7);
    expect(data.string('x00200032')).toBe('-99.5\\0\\12.25');
    expect(data.floatString('x00281052')).toBe(-1024);
  });

  it('keeps every decimal string at 16 characters or fewer', () => {
    const cosines = data.string('x00200037')!.split('\\');
    expect(cosines).toHaveLength(6);
    for (const text of cosines) expect(text.length).toBeLessThanOrEqual(16);
    expect(Number(cosines[4])).toBeCloseTo(0.955336489, 9);
    expect(Number(cosines[5])).toBeCloseTo(-0.295520207, 9);
  });

  it('writes the samples low byte first, in row order', () => {
    const element = data.elements.x7fe00010!;
    expect(element.length).toBe(12);
    expect([...data.byteArray.subarray(element.dataOffset, element.dataOffset + 12)]).toEqual([
      0x00, 0x80, 0xff, 0xff, 0x00, 0x00, 0x01, 0x00, 0x02, 0x01, 0xff, 0x7f,
    ]);
  });

  it('gives the same bytes each time', () => {
    expect(
      Buffer.compare(
        Buffer.from(writeDicom(attributes, pixels)),
        Buffer.from(writeDicom(attributes, pixels)),
      ),
    ).toBe(0);
  });
});

describe('writeDicom with bad input', () => {
  it('refuses a pixel count that does not fit rows and columns', () => {
    expect(() => writeDicom(attributes, new Int16Array(5))).toThrow(/needs 6 samples, but 5/);
  });

  it('refuses a keyword that the dictionary lacks instead of dropping it', () => {
    expect(() => writeDicom({ ...attributes, PatientNickname: 'x' }, pixels)).toThrow(/PatientNickname/);
  });

  it('refuses a data set without an instance UID', () => {
    const { SOPInstanceUID: _, ...rest } = attributes;
    expect(() => writeDicom(rest, pixels)).toThrow(/SOPInstanceUID/);
  });
});

describe('decimalString', () => {
  it.each([
    { value: 1 / 3, text: '0.33333333333333' },
    { value: -1 / 3, text: '-0.3333333333333' },
    { value: 5, text: '5' },
    { value: -0, text: '0' },
    { value: 1.5e-7, text: '1.5e-7' },
    { value: '12.50', text: '12.50' },
  ])('writes $value as $text', ({ value, text }) => {
    expect(decimalString(value)).toBe(text);
  });
});
