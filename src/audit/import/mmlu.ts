import path from 'node:path';
import { csvRows } from './csv-rows.js';
import type { Importer, SourceFile } from './importer.js';
import { letterIndex, makeItem } from './make-item.js';

/** Question, four options, the key's letter. */
const COLUMNS = 6;

/** MMLU (hendrycks/test): CSV without a header, one file a subject, the subject in the file's name. */
export const mmlu: Importer = {
  name: 'mmlu',
  layout: 'CSV without header: question, four options, letter of the key',
  detect: (file) => /\.csv$/iu.test(file.name) && looksLikeMmlu(file),
  read: (file) => {
    const subject = path.basename(file.path).replace(/(_(test|val|dev))?\.csv$/iu, '');
    return csvRows(file).map((row, i) =>
      row.length === COLUMNS
        ? makeItem({
            where: `${file.name}, record ${i + 1}`,
            id: `${subject}/${i}`,
            stem: row[0],
            options: row.slice(1, 5),
            answer: letterIndex(row[5]),
            slice: { subject },
          })
        : { status: 'skipped', where: `${file.name}, record ${i + 1}`, reason: 'missing-field' },
    );
  },
};

/** Whether every record has six fields and a letter A to D last: a header would not. */
function looksLikeMmlu(file: SourceFile): boolean {
  let rows: string[][];
  try {
    rows = csvRows(file);
  } catch {
    return false;
  }
  return rows.length > 0 && rows.every((row) => row.length === COLUMNS && /^[A-D]$/u.test(row[5]!.trim()));
}
