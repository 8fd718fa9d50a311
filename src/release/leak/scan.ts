import { words } from '../../util/text.js';
import { byteSearch, type BytePattern } from './byte-search.js';
import { GENERAL_PATTERNS } from './general-patterns.js';
import { jsonLeaks, pairsItemWithLetter } from './json-leaks.js';
import { needleForms } from './needle-forms.js';
import {
  ANYWHERE_MIN_LENGTH,
  fold,
  SENTENCE_MIN_WORDS,
  SHINGLE_WORDS,
  type LeakHit,
  type Needle,
} from './needle.js';
import { shinglesOf, sentencesOf, wordText } from './report-words.js';
import { textViews } from './text-views.js';
import { decodedRuns, withoutZeros } from './unwrap.js';

export interface BundleFile {
  /** Relative to the bundle, with `/`. */
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** A hit with the needle that made it; -1 for a general pattern. */
export interface ScanHit extends LeakHit {
  readonly needle: number;
}

/** Finds the needles and the general patterns in one file after another. Each kind, form and place is told once a file. */
export type LeakScanner = (file: BundleFile) => ScanHit[];

/** Every leak of a set of files, in their order. */
export function scanForLeaks(files: Iterable<BundleFile>, needles: readonly Needle[]): LeakHit[] {
  const scan = leakScanner(needles);
  return [...files].flatMap((file) => scan(file).map(({ needle: _, ...hit }) => hit));
}

/** A scanner for one set of needles. Building it costs more than a small file; keep it. */
export function leakScanner(needles: readonly Needle[]): LeakScanner {
  const long: { needle: number; form: string; pattern: BytePattern }[] = [];
  const short: { needle: number; value: string }[] = [];
  const shingles = new Map<string, number>();
  const itemIds = new Set<string>();
  const addLong = (needle: number, value: string): void => {
    for (const { form, bytes, whole } of needleForms(value)) {
      if (bytes.length >= ANYWHERE_MIN_LENGTH) long.push({ needle, form, pattern: { bytes, whole } });
    }
  };
  needles.forEach(({ kind, value }, needle) => {
    if (kind === 'item-id') itemIds.add(value);
    else if (kind === 'report') {
      for (const sentence of sentencesOf(value)) {
        if (words(sentence).length < SENTENCE_MIN_WORDS) continue;
        addLong(needle, sentence);
        long.push({
          needle,
          form: 'words',
          pattern: { bytes: Buffer.from(` ${wordText(sentence)} `), whole: false },
        });
      }
      for (const shingle of shinglesOf(value, SHINGLE_WORDS)) shingles.set(shingle, needle);
    } else if (value.length >= ANYWHERE_MIN_LENGTH) {
      addLong(needle, value);
      const folded = fold(value);
      if (folded !== value.toLowerCase() && folded.length >= ANYWHERE_MIN_LENGTH) addLong(needle, folded);
    } else if (value.trim() !== '') short.push({ needle, value: fold(value) });
  });
  const search = byteSearch(long.map(({ pattern }) => pattern));

  return ({ path, bytes }) => {
    const hits = new Map<string, ScanHit>();
    const report = (needle: number, kind: string, form: string, place: string): void => {
      const id = `${kind}\n${form}\n${place}\n${needle}`;
      if (!hits.has(id)) hits.set(id, { file: path, kind, form, place, needle });
    };
    const find = (haystack: Uint8Array, place: string, written?: string): void =>
      search(haystack, (i) => {
        const { needle, form } = long[i]!;
        report(needle, needles[needle]!.kind, written ?? form, place);
      });

    find(bytes, 'bytes');
    const dense = withoutZeros(bytes);
    if (dense !== null) find(dense.bytes, 'bytes', dense.form);
    for (const { place, shape, text, json } of textViews(path, bytes)) {
      const folded = fold(text);
      find(Buffer.from(text), place);
      find(Buffer.from(folded), place);
      find(Buffer.from(` ${wordText(text)} `), place);
      for (const { form, bytes: decoded } of decodedRuns(text)) find(decoded, place, form);
      for (const { needle, value } of short) {
        if (hasWhole(folded, value)) report(needle, needles[needle]!.kind, 'word', place);
      }
      if (shingles.size > 0) {
        for (const shingle of shinglesOf(text, SHINGLE_WORDS)) {
          const needle = shingles.get(shingle);
          if (needle !== undefined) report(needle, 'report', 'words', place);
        }
      }
      for (const { kind, pattern } of GENERAL_PATTERNS) {
        if (pattern.test(text)) report(-1, kind, 'pattern', place);
      }
      for (const value of json)
        for (const kind of jsonLeaks(value, itemIds)) report(-1, kind, 'field', place);
      if (shape === 'prose' && pairsItemWithLetter(text, itemIds)) {
        report(-1, 'answer-letter', 'pattern', place);
      }
    }
    return [...hits.values()];
  };
}

/** Whether a folded text holds a folded value with no letter or digit on either side. */
function hasWhole(text: string, value: string): boolean {
  for (let at = text.indexOf(value); at >= 0; at = text.indexOf(value, at + 1)) {
    const before = text.slice(Math.max(0, at - 2), at);
    const after = text.slice(at + value.length, at + value.length + 2);
    if (!/[\p{L}\p{N}]$/u.test(before) && !/^[\p{L}\p{N}]/u.test(after)) return true;
  }
  return false;
}
