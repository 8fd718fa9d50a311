import { GroundmarkError, EXIT } from '../../../domain/error.js';
import type { ProfileRow } from './profile.js';

/** What `--keep` may name. */
export const KEEP_NAMES = ['patient-characteristics', 'device', 'descriptors'] as const;
export type KeepName = (typeof KEEP_NAMES)[number];

/** Options of PS3.15 annex E.3 that are applied beside the Basic Profile and modified dates, which always are. */
export type KeepOptions = ReadonlySet<KeepName>;

const COLUMNS: Readonly<Record<KeepName, keyof ProfileRow>> = {
  'patient-characteristics': 'retainPatientCharacteristics',
  device: 'retainDeviceIdentity',
  descriptors: 'cleanDescriptors',
};

/** What the options make of a row: `keep`, `clean`, or null when only the Basic Profile speaks. */
export function optionOf(row: ProfileRow, keep: KeepOptions): 'keep' | 'clean' | null {
  for (const name of KEEP_NAMES) {
    if (!keep.has(name)) continue;
    const letter = row[COLUMNS[name]];
    if (letter === 'K') return 'keep';
    if (letter === 'C' && name === 'descriptors') return 'clean';
  }
  return null;
}

/** A code of CID 7050: how a file was de-identified. PS3.16. */
export interface MethodCode {
  readonly value: string;
  readonly meaning: string;
}

const BASIC: MethodCode = { value: '113100', meaning: 'Basic Application Confidentiality Profile' };
const MODIFIED_DATES: MethodCode = {
  value: '113107',
  meaning: 'Retain Longitudinal Temporal Information Modified Dates Option',
};
const KEEP_CODES: Readonly<Record<KeepName, MethodCode>> = {
  descriptors: { value: '113105', meaning: 'Clean Descriptors Option' },
  'patient-characteristics': { value: '113108', meaning: 'Retain Patient Characteristics Option' },
  device: { value: '113109', meaning: 'Retain Device Identity Option' },
};

/** The codes that the output carries, ascending. */
export function methodCodes(keep: KeepOptions): MethodCode[] {
  const kept = KEEP_NAMES.filter((name) => keep.has(name)).map((name) => KEEP_CODES[name]);
  return [BASIC, MODIFIED_DATES, ...kept].sort((a, b) => Number(a.value) - Number(b.value));
}

/** The options that a file says were applied to it, by its codes; null when it was not de-identified by the profile. */
export function keptByCodes(codes: readonly string[]): KeepOptions | null {
  if (!codes.includes(BASIC.value)) return null;
  return new Set(KEEP_NAMES.filter((name) => codes.includes(KEEP_CODES[name].value)));
}

/**
 * `--keep` as options.
 *
 * @throws {GroundmarkError} `bad-option` naming the word and the known ones
 */
export function parseKeep(text: string | undefined): KeepOptions {
  const words = (text ?? '').split(',').flatMap((word) => (word.trim() === '' ? [] : [word.trim()]));
  const unknown = words.find((word) => !KEEP_NAMES.includes(word as KeepName));
  if (unknown === undefined) return new Set(words as KeepName[]);
  throw new GroundmarkError(
    'bad-option',
    `--keep ${unknown} is not known. Give one or more of ${KEEP_NAMES.join(', ')}, separated by commas.`,
    { option: 'keep' },
    { exit: EXIT.usage },
  );
}
