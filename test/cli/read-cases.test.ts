import { describe, expect, it } from 'vitest';
import { readCases } from '../../src/cli/read-cases.js';
import { GroundmarkError } from '../../src/domain/error.js';

const FILE = '/data/study/cases.csv';
const HEADER = 'case_id,patient_id,dicom_path,report_path';

function refusal(text: string): GroundmarkError {
  try {
    readCases(text, FILE);
  } catch (error) {
    expect(error).toBeInstanceOf(GroundmarkError);
    return error as GroundmarkError;
  }
  throw new Error('the text was taken');
}

describe('readCases', () => {
  it('gives cases in file order, paths from the file’s folder', () => {
    const text = `${HEADER}\nb,P-2,scans/b,reports/b.txt\na,P-1,/abs/a,../a.txt\n`;
    expect(readCases(text, FILE)).toEqual([
      {
        caseId: 'b',
        patientId: 'P-2',
        imagePath: '/data/study/scans/b',
        reportPath: '/data/study/reports/b.txt',
      },
      { caseId: 'a', patientId: 'P-1', imagePath: '/abs/a', reportPath: '/data/a.txt' },
    ]);
  });

  it.each([
    ['no column for it', 'case_id,patient_id\na,P', null, null],
    ['empty values', `${HEADER}\na,P,,`, null, null],
    ['image_path alone', 'case_id,patient_id,image_path\na,P,x', '/data/study/x', null],
    [
      'image_path where dicom_path is empty',
      'case_id,patient_id,dicom_path,image_path\na,P,,x',
      '/data/study/x',
      null,
    ],
    [
      'dicom_path before image_path',
      'case_id,patient_id,dicom_path,image_path\na,P,d,x',
      '/data/study/d',
      null,
    ],
  ])('takes %s', (_what, text, imagePath, reportPath) => {
    expect(readCases(text, FILE)).toEqual([{ caseId: 'a', patientId: 'P', imagePath, reportPath }]);
  });

  it.each([
    ['a byte order mark', `\uFEFF${HEADER}\na,P,d,r\n`],
    ['CR LF', `${HEADER}\r\na,P,d,r\r\n`],
    ['quotes', `"case_id","patient_id","dicom_path","report_path"\n"a","P","d","r"\n`],
    ['spaces around values', `case_id , patient_id,dicom_path, report_path\n a, P ,d,r \n`],
    ['blank lines', `${HEADER}\n\na,P,d,r\n\n`],
    [
      'columns in another order and more of them',
      'note,report_path,patient_id,case_id,dicom_path\nx,r,P,a,d\n',
    ],
  ])('reads a file with %s', (_what, text) => {
    expect(readCases(text, FILE)).toEqual([
      { caseId: 'a', patientId: 'P', imagePath: '/data/study/d', reportPath: '/data/study/r' },
    ]);
  });

  it('keeps commas and quotes inside quoted values', () => {
    expect(readCases(`${HEADER}\n"a,1","P ""x""",d,r\n`, FILE)[0]).toMatchObject({
      caseId: 'a,1',
      patientId: 'P "x"',
    });
  });

  it.each([
    ['nothing', '', 'no-cases', 'lists no case'],
    ['a header alone', `${HEADER}\n`, 'no-cases', 'one line for each case'],
    ['no patient_id column', 'case_id,dicom_path\na,d\n', 'bad-cases', 'line 2: column patient_id is missing or empty'],
    ['an empty case_id', `${HEADER}\na,P,d,r\n,P,d,r\n`, 'bad-cases', 'line 3: column case_id is missing or empty'],
    ['an empty value after blank lines', `${HEADER}\n\n\na,,d,r\n`, 'bad-cases', 'line 4: column patient_id'],
    ['the same case_id twice', `${HEADER}\na,P,d,r\n\nb,P,d,r\na,Q,d,r\n`, 'duplicate-case', 'line 5: case_id a stands twice'],
    ['the same case_id twice but for spaces', `${HEADER}\na,P,d,r\na ,Q,d,r\n`, 'duplicate-case', 'line 3'],
    ['a line with too few values', `${HEADER}\na,P,d\n`, 'bad-cases', 'not readable as CSV'],
    ['a line with too many values', `${HEADER}\na,P,d,r,x\n`, 'bad-cases', 'line 2'],
    ['a quote that does not close', `${HEADER}\n"a,P,d,r\n`, 'bad-cases', 'not readable as CSV'],
  ])('refuses %s, naming file and place', (_what, text, code, says) => {
    const error = refusal(text);
    expect([error.code, error.exit]).toEqual([code, 3]);
    expect(error.message).toContain(FILE);
    expect(error.message).toContain(says);
    expect(error.context['file']).toBe(FILE);
  }); // prettier-ignore

  it('does not repeat patient ids', () => {
    expect(refusal(`${HEADER}\na,SECRET-1,d,r\na,SECRET-1,d,r\n`).message).not.toContain('SECRET');
    expect(refusal(`${HEADER}\na,SECRET-1,d,r,SECRET-2\n`).message).not.toContain('SECRET');
    expect(refusal(`${HEADER}\na,"SECRET-1"x,d,r\n`).message).not.toContain('SECRET');
  });
});
