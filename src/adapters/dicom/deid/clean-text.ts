import { DUMMY_TEXT } from './dummy-values.js';

/** Titles: the word after one is a name. */
const TITLES = /\b(?:dr|doctor|prof|professor|mr|mrs|ms|miss|herr|frau|mme|sig|sra?)\b\.?\s+[\p{L}'-]+/giu;
/** Dates, times, numbers of five digits or more, e-mail and web addresses. */
const PATTERNS = [
  TITLES,
  /\b\d{1,4}[./-]\d{1,2}[./-]\d{1,4}\b/gu,
  /\b\d{1,2}:\d{2}(?::\d{2})?\b/gu,
  /\S+@\S+|\bhttps?:\S+|\bwww\.\S+/giu,
  /[\p{L}\d-]*\d{5,}[\p{L}\d-]*/gu,
];

/**
 * A short text (series or study description) without what may tell who or where: words that stand in the file's own
 * identifying values, names after a title, dates, long numbers, addresses.
 *
 * A rule cannot know every name: what is left was not read by a person.
 *
 * @param identifying - the file's identifying values, in any writing
 */
export function cleanText(text: string, identifying: ReadonlySet<string>): string {
  let clean = text;
  for (const pattern of PATTERNS) clean = clean.replace(pattern, ' ');
  const words = clean
    .split(/\s+/u)
    .filter((word) => word !== '')
    .filter((word) => !partsOf(word).some((part) => identifying.has(part)));
  const joined = words.join(' ');
  return /[\p{L}\d]/u.test(joined) ? joined : DUMMY_TEXT;
}

/** Identifying values as folded words of two letters or more (of names) or the whole (of numbers). */
export function identifyingWords(values: Iterable<string>): Set<string> {
  const words = new Set<string>();
  for (const value of values) {
    for (const part of partsOf(value)) if (part.length >= 2) words.add(part);
  }
  return words;
}

function partsOf(value: string): string[] {
  return value
    .normalize('NFC')
    .toLowerCase()
    .split(/[^\p{L}\d]+/u)
    .filter((part) => part !== '');
}
