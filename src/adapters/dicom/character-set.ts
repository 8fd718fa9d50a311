import { decodeIso2022 } from './iso-2022.js';
import { GENERAL_TERMS, SINGLE_BYTE } from './character-set-table.js';

/** Decodes the text values of one data set. */
export interface TextReader {
  /** Text of a whole value without padding; null when nothing is left. Its values stand divided by `\`. */
  decode(bytes: Uint8Array): string | null;
  /** The same of bytes that are given as Latin-1 text. */
  decodeRaw(raw: string): string | null;
}

/**
 * The reader for a SpecificCharacterSet. PS3.3 C.12.1.1.2, PS3.5 section 6.1.
 *
 * @param specificCharacterSet - the value as stored, `\`-separated; null or unknown terms read as Latin-1
 */
export function textReader(specificCharacterSet: string | null): TextReader {
  const key = specificCharacterSet ?? '';
  let reader = READERS.get(key);
  if (!reader) {
    // Few sets are in use at one place; a file of garbage must not fill the memory.
    if (READERS.size >= 64) READERS.clear();
    READERS.set(key, (reader = makeReader(key)));
  }
  return reader;
}

const READERS = new Map<string, TextReader>();

function makeReader(specificCharacterSet: string): TextReader {
  const terms = specificCharacterSet.split('\\').map(normalTerm);
  const toText = decoderOf(terms);
  const decodeRaw = (raw: string): string | null => {
    const text = trimmed(isPlain(raw) ? raw : toText(Buffer.from(raw, 'latin1')));
    return text === '' ? null : text;
  };
  return { decode: (bytes) => decodeRaw(latin1(bytes)), decodeRaw };
}

/** The values of an element whose text is decoded, without padding. A delimiter within a character is none. */
export function valuesOf(text: string): string[] {
  return text.includes('\\') ? text.split('\\').map((part) => part.trim()) : [text];
}

/**
 * Multi-byte sets without code extension (GB18030, GBK, UTF-8) read the value whole, so that a second byte 0x5C is part of
 * its character and no delimiter.
 */
function decoderOf(terms: readonly string[]): (bytes: Uint8Array) => string {
  // None of these may stand beside others (PS3.3 C.12.1.1.2); where one does, it is the one that was used.
  const whole = GENERAL_TERMS[terms.find((term) => term !== '') ?? ''];
  if (whole !== undefined) {
    const decoder = new TextDecoder(whole);
    return (bytes) => decoder.decode(bytes);
  }
  return (bytes) => decodeIso2022(bytes, SINGLE_BYTE[terms[0]!] ?? SINGLE_BYTE['ISO_IR 6']!, terms);
}

/** Defined terms as they should be written: `ISO 2022 IR 87` and `ISO_IR 87` name one set. */
function normalTerm(term: string): string {
  return term
    .replaceAll('\0', ' ')
    .trim()
    .toUpperCase()
    .replace(/^ISO[ _-]?2022[ _-]?IR[ _-]?/u, 'ISO_IR ')
    .replace(/^ISO[ _-]?IR[ _-]?/u, 'ISO_IR ');
}

/** Only ASCII and no escape sequence: every set reads it alike (but for ISO IR 13, see there). */
function isPlain(raw: string): boolean {
  for (let i = 0; i < raw.length; i++) {
    const byte = raw.charCodeAt(i);
    if (byte >= 0x80 || byte === 0x1b) return false;
  }
  return true;
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
}

function trimmed(text: string): string {
  return (text.includes('\0') ? text.replaceAll('\0', '') : text).trim();
}
