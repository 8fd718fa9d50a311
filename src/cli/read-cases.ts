import path from 'node:path';
import { parse } from 'csv-parse/sync';
import { isDicomwebUrl, parseDicomwebUrl } from '../adapters/dicom/dicomweb/index.js';
import { caseRowSchema, type Case } from '../domain/config.js';
import { GroundmarkError } from '../domain/error.js';

/**
 * The cases of a `cases.csv`, paths made absolute from the file's folder, in file order. A DICOMweb URL in place of a
 * folder is given as `imageUrl`, with `imagePath` null.
 *
 * @throws {GroundmarkError} `bad-cases` naming file, line and column; `duplicate-case` when a case_id stands twice
 */
export function readCases(text: string, file: string): Case[] {
  let rows: { readonly record: Record<string, string>; readonly info: { readonly lines: number } }[];
  try {
    rows = parse(text, { columns: true, bom: true, trim: true, skip_empty_lines: true, info: true });
  } catch (cause) {
    // The library's message repeats the field's value, which may name a patient.
    const { code = 'not CSV', lines } = cause as { code?: string; lines?: number };
    const where = lines === undefined ? '' : `, line ${lines}`;
    throw new GroundmarkError(
      'bad-cases',
      `${file}${where}: not readable as CSV (${code}). Check its quotes and commas.`,
      {
        file,
      },
    );
  }
  if (rows.length === 0) {
    throw new GroundmarkError(
      'no-cases',
      `${file} lists no case. Under the header line (case_id,patient_id,dicom_path,report_path) write one line for each case.`,
      { file },
    );
  }
  const folder = path.dirname(path.resolve(file));
  const absolute = (value: string | undefined): string | null =>
    value === undefined || value === '' ? null : path.resolve(folder, value);
  const seen = new Set<string>();
  return rows.map(({ record: row, info: { lines: line } }) => {
    const parsed = caseRowSchema.safeParse(row);
    if (!parsed.success) {
      const column = String(parsed.error.issues[0]!.path[0] ?? '');
      throw new GroundmarkError(
        'bad-cases',
        `${file}, line ${line}: column ${column} is missing or empty. Columns: case_id, patient_id, dicom_path (or image_path), ` +
          `report_path${Object.keys(row).some((name) => /[;\t]/u.test(name)) ? ', with commas between them' : ''}.`,
        { file, line, column },
      );
    }
    const { case_id, patient_id, dicom_path, image_path, report_path } = parsed.data;
    if (seen.has(case_id)) {
      throw new GroundmarkError(
        'duplicate-case',
        `${file}, line ${line}: case_id ${case_id} stands twice. Give every case its own id.`,
        { file, line },
      );
    }
    seen.add(case_id);
    const images = dicom_path || image_path;
    const imageUrl = images !== undefined && isDicomwebUrl(images) ? images : null;
    if (imageUrl !== null) checkUrl(imageUrl, `${file}, line ${line}`);
    return {
      caseId: case_id,
      patientId: patient_id,
      imagePath: imageUrl === null ? absolute(images) : null,
      ...(imageUrl !== null && { imageUrl }),
      reportPath: absolute(report_path),
    };
  });
}

function checkUrl(url: string, where: string): void {
  try {
    parseDicomwebUrl(url);
  } catch (cause) {
    if (!(cause instanceof GroundmarkError)) throw cause;
    throw new GroundmarkError('bad-cases', `${where}: ${cause.message}`, {}, { cause });
  }
}
