/**
 * What a needle is, so that a hit can be named without its value:
 * `patient` (name, id, dates and places of a DICOM header, patient_id of cases.csv), `case-id`, `uid`, `path`,
 * `report` (a whole report: its sentences and every run of 8 words are looked for), `key-id` (opaque series and case
 * groups of the key), `item-id` (looked for only beside an answer letter).
 */
export type NeedleKind = 'patient' | 'case-id' | 'uid' | 'path' | 'report' | 'key-id' | 'item-id';

/** One private value that must not be in a bundle. */
export interface Needle {
  readonly kind: NeedleKind;
  readonly value: string;
}

/** What was found where. The value itself is never part of it. */
export interface LeakHit {
  readonly file: string;
  /** A needle's kind, or the name of a general pattern (`uid-pattern`, `key-field` …). */
  readonly kind: string;
  /** How it was written: `plain`, `utf-16`, `base64`, `hex`, `words` … */
  readonly form: string;
  /** Which part of the file: `bytes`, `text`, `name`, or a PNG chunk's name. */
  readonly place: string;
}

/** Shorter values are looked for as whole words only, longer ones as bytes anywhere. */
export const ANYWHERE_MIN_LENGTH = 8;
/** Digits and hexadecimal letters turn up inside hashes; from this length on chance no longer makes them. */
const HEX_ANYWHERE_MIN_LENGTH = 10;
/** A report sentence of fewer words can be a fair choice text ("small left pleural effusion"). */
export const SENTENCE_MIN_WORDS = 6;
export const SHINGLE_WORDS = 8;

/** Whether a value may only match where no letter or digit touches it. */
export function wholeOnly(value: string): boolean {
  return value.length < HEX_ANYWHERE_MIN_LENGTH && /^[0-9a-f]+$/i.test(value);
}

/** Compatibility letters, marks, case and white space taken away, so that equal words are equal text. */
export function fold(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replace(/\s+/gu, ' ').trim();
}
