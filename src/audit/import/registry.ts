import { EXIT, GroundmarkError } from '../../domain/error.js';
import { nearest } from '../../util/text.js';
import { arc } from './arc.js';
import type { FieldMap, Importer, SourceFile } from './importer.js';
import { mappedCsv, mappedJsonl } from './mapped.js';
import { medqa } from './medqa.js';
import { mmlu } from './mmlu.js';
import { own } from './own.js';

/** Every layout that can be read, in the order in which they are tried. */
export const IMPORTERS: readonly Importer[] = [own, medqa, arc, mmlu, mappedCsv, mappedJsonl];

/**
 * The importer for a file: by `--format`, by `--map` and the file's name, or by what the file looks like.
 *
 * @throws {GroundmarkError} `unknown-format` listing the formats
 */
export function importerFor(
  file: SourceFile,
  { format, map }: { readonly format: string | null; readonly map: FieldMap | null },
): Importer {
  if (format !== null) return importerNamed(format);
  if (map !== null) return /\.(csv|tsv)$/iu.test(file.name) ? mappedCsv : mappedJsonl;
  const found = IMPORTERS.find((importer) => importer.detect(file));
  if (found) return found;
  throw new GroundmarkError(
    'unknown-format',
    `${file.name}: its layout is not known. Name it with --format, or name its fields with --map. Formats: ` +
      `${IMPORTERS.map(({ name, layout }) => `${name} (${layout})`).join('; ')}.`,
    { file: file.name },
  );
}

function importerNamed(name: string): Importer {
  const found = IMPORTERS.find((importer) => importer.name === name);
  if (found) return found;
  const names = IMPORTERS.map((importer) => importer.name);
  const near = nearest(name, names);
  throw new GroundmarkError(
    'unknown-format',
    `--format ${name} is not known${near === null ? '.' : `; did you mean ${near}?`} Formats: ${names.join(', ')}.`,
    { format: name },
    { exit: EXIT.usage },
  );
}
