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
    .filter((word) => !holdsWord(word, identifying));
  // Commas and dashes that stood beside what went.
  const joined = words.join(' ') === text ? text : words.join(' ').replace(/^[\s,;:-]+|[\s,;:-]+$/gu, '');
  return /[\p{L}\d]/u.test(joined) ? joined : DUMMY_TEXT;
}

/** Words of this many letters are found inside longer ones too: names are joined to other words, `smithj`, `DOEjane_1`. */
const INNER = 5;
/** Scripts without spaces between words. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u;

/** Whether a text holds one of the words, folded alike. */
export function holdsWord(text: string, words: ReadonlySet<string>): boolean {
  const parts = partsOf(text);
  if (parts.some((part) => words.has(part))) return true;
  for (const word of words) {
    if (word.length < INNER && !UNSPACED.test(word)) continue;
    if (parts.some((part) => part.includes(word))) return true;
  }
  return false;
}

/**
 * Values as folded words of two letters or more, without accents and case; of names in a script without spaces the family
 * and given name together too.
 */
export function foldedWords(values: Iterable<string>): Set<string> {
  const words = new Set<string>();
  for (const value of values) {
    for (const part of partsOf(value)) if (part.length >= 2) words.add(part);
    for (const group of UNSPACED.test(value) ? value.split('=') : []) {
      const whole = partsOf(group).join('');
      if (UNSPACED.test(whole) && whole.length >= 2) words.add(whole);
    }
  }
  return words;
}

function partsOf(value: string): string[] {
  return value
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .split(/[^\p{L}\d]+/u)
    .filter((part) => part !== '');
}
