import { parse } from 'csv-parse/sync';
import { GroundmarkError } from '../../domain/error.js';
import type { SourceFile } from './importer.js';

/** Rows of a CSV (or, by its name, TSV) file as arrays of fields. */
export function csvRows(file: SourceFile): string[][] {
  try {
    return parse(file.text, {
      delimiter: file.name.toLowerCase().endsWith('.tsv') ? '\t' : ',',
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
    });
  } catch (cause) {
    throw new GroundmarkError(
      'bad-csv',
      `${file.name}: not a readable CSV file (${(cause as { code?: string }).code ?? 'unknown fault'}). ` +
        `Check its quotes and its delimiter.`,
      { file: file.name },
      { cause },
    );
  }
}
