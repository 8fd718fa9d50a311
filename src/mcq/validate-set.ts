import { GroundmarkError } from '../domain/error.js';
import type { Target } from '../domain/finding.js';
import type { MappedSet } from './map-supported.js';
import { valuesInText } from './values-in-text.js';

export interface Validation {
  readonly validator: string;
  /** Values of the set that the report supports. */
  readonly supported: readonly string[];
  /** Whether that is the supported one alone. */
  readonly ok: boolean;
}

/** Checks the choices of a set against the private report. PROTOCOL.md §3.13. */
export interface SetValidator {
  readonly name: string;
  validate(set: MappedSet, target: Target): Promise<Validation>;
}

/** Reads the finding's place and its sentence with the five values alone, as if no others were known. */
const offlineRulesValidator: SetValidator = {
  name: 'offline/rules',
  async validate({ axis, values, supported }, { finding, sentence }) {
    const five = { ...axis, values };
    const found = new Set(
      [finding.anatomy ?? '', sentence.text].flatMap(
        (text) => valuesInText(text, five, finding.laterality).supported,
      ),
    );
    return {
      validator: offlineRulesValidator.name,
      supported: values.map(({ id }) => id).filter((id) => found.has(id)),
      ok: found.size === 1 && found.has(supported.id),
    };
  },
};

/** @throws {GroundmarkError} `unknown-validator` */
export function validatorNamed(name: string): SetValidator {
  if (name === offlineRulesValidator.name) return offlineRulesValidator;
  throw new GroundmarkError(
    'unknown-validator',
    `questions.validator names ${name}, which is not built yet. Use ${offlineRulesValidator.name}.`,
    { validator: name },
  );
}
