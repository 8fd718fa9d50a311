import type { TextReader } from '../character-set.js';
import type { Element } from './element-tree.js';
import type { FileParts } from './file-parts.js';
import type { HeaderView } from './header-view.js';
import { foldedWords } from './clean-text.js';

/** Words that name the persons of a file, looked for in what the profile lets stay. */
export interface OwnWords {
  /** Folded, as `foldedWords` gives them. */
  readonly words: ReadonlySet<string>;
  /** The same as bytes, in every writing that a comment inside pixel data may have. */
  readonly bytes: readonly Buffer[];
}

/** Identifiers of the patient and the order that are no person names. PS3.3 C.7.1.1, C.7.2.1. */
const NUMBERS: ReadonlySet<string> = new Set(['00100020', '00101000', '00100050', '00080050']);
/** Of names; shorter ones are ordinary words too often. */
const MIN_LETTERS = 4;
/** In pixel data by chance: once in 10^14 bytes. */
const MIN_BYTES = 6;
const MIN_DISTINCT = 4;
/** Scripts that need two letters for a name, and no space around it. */
const DENSE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

/** The words of all person names of a file, at any level, and its patient and order numbers. */
export function ownWords({ head }: FileParts, { reader }: HeaderView): OwnWords {
  const words = new Set<string>();
  const bytes = new Map<string, Buffer>();
  const add = (value: Buffer, isName: boolean): void => {
    for (const word of foldedWords([reader.decode(value) ?? ''])) {
      if (word.length >= (DENSE.test(word) ? 2 : MIN_LETTERS)) words.add(word);
    }
    for (const writing of writings(value, reader, isName)) bytes.set(writing.toString('latin1'), writing);
  };
  const visit = (elements: readonly Element[]): void => {
    for (const { tag, vr, items, valueStart, valueEnd } of elements) {
      for (const item of items ?? []) visit(item.elements);
      const isName = vr === 'PN';
      if (isName || NUMBERS.has(tag)) add(head.buffer.subarray(valueStart, valueEnd), isName);
    }
  };
  visit(head.elements);
  return { words, bytes: [...bytes.values()].filter(isTelling) };
}

function writings(value: Buffer, reader: TextReader, isName: boolean): Buffer[] {
  const split = isName ? /[\^=\\\0 ]+/u : /[\\\0 ]+/u;
  const text = (reader.decode(value) ?? '').split(split);
  const stored = value.toString('latin1').split(split);
  return [
    ...stored.map((part) => Buffer.from(part, 'latin1')),
    ...text.flatMap((part) => {
      const wide = Buffer.from(part, 'utf16le');
      return [Buffer.from(part, 'utf8'), wide, Buffer.from(wide).swap16()];
    }),
  ];
}

/** Whether bytes are more than a ramp or a flat place of a picture may hold: `123456`, `000000`. */
function isTelling(bytes: Buffer): boolean {
  // Of UTF-16 every second byte says nothing.
  const letters = bytes.filter((byte) => byte !== 0);
  const steps = new Set(letters.subarray(1).map((byte, i) => byte - letters[i]!));
  return letters.length >= MIN_BYTES && new Set(letters).size >= MIN_DISTINCT && steps.size > 1;
}

/** Whether bytes hold one of the words, in any writing and case of its own. */
export function holdsOwnWord(value: Buffer, { bytes }: OwnWords): boolean {
  return bytes.some((word) => value.includes(word));
}
