import { readDataYaml } from '../../adapters/store/index.js';
import { buildLexicon, type Lexicon } from './lexicon.js';
import {
  anatomyFileSchema,
  conceptsFileSchema,
  cuesFileSchema,
  examsFileSchema,
  sectionsFileSchema,
  statementsFileSchema,
} from './lexicon-schema.js';

/**
 * The package's own lexicons (data/lexicons).
 *
 * @throws {GroundmarkError} `bad-data-file` naming file and key
 */
export async function loadLexicon(): Promise<Lexicon> {
  const [sections, cues, statements, concepts, anatomy, exams] = await Promise.all([
    readDataYaml('lexicons/sections.yaml', sectionsFileSchema),
    readDataYaml('lexicons/cues.yaml', cuesFileSchema),
    readDataYaml('lexicons/statements.yaml', statementsFileSchema),
    readDataYaml('lexicons/concepts.yaml', conceptsFileSchema),
    readDataYaml('lexicons/anatomy.yaml', anatomyFileSchema),
    readDataYaml('lexicons/exams.yaml', examsFileSchema),
  ]);
  return buildLexicon({ sections, cues, statements, concepts, anatomy, exams });
}
