/**
 * Single-byte sets by defined term, and the WHATWG encodings that decode them. PS3.3 table C.12-2. ISO 8859-1 is decoded
 * as windows-1252, which agrees with it on every character that DICOM allows. In ISO IR 13 the byte 0x5C is a yen sign;
 * it is kept as the backslash that divides values, as the standard's other readers do.
 */
export const SINGLE_BYTE: Readonly<Record<string, string>> = {
  'ISO_IR 6': 'windows-1252',
  'ISO_IR 100': 'windows-1252',
  'ISO_IR 101': 'iso-8859-2',
  'ISO_IR 109': 'iso-8859-3',
  'ISO_IR 110': 'iso-8859-4',
  'ISO_IR 144': 'iso-8859-5',
  'ISO_IR 127': 'iso-8859-6',
  'ISO_IR 126': 'iso-8859-7',
  'ISO_IR 138': 'iso-8859-8',
  'ISO_IR 148': 'windows-1254',
  'ISO_IR 203': 'iso-8859-15',
  'ISO_IR 166': 'windows-874',
  'ISO_IR 13': 'shift_jis',
};

/** Sets that need no code extension and read a value whole. PS3.3 table C.12-5; GB2312 stands for itself in old files. */
export const GENERAL_TERMS: Readonly<Record<string, string>> = {
  'ISO_IR 192': 'utf-8',
  GB18030: 'gb18030',
  GBK: 'gb18030',
  GB2312: 'gb18030',
};

/** What an escape sequence calls for. */
export type CodeElement =
  | { readonly kind: 'ascii' }
  /** One byte a character, in the upper half (G1), or for the half-width katakana of JIS X 0201 there too. */
  | { readonly kind: 'g1'; readonly encoding: string }
  /** Two 7-bit bytes a character in the lower half (G0): JIS X 0208 and 0212; `prefix` is what EUC-JP puts before. */
  | { readonly kind: 'jis-g0'; readonly prefix: readonly number[] }
  /** Two 8-bit bytes a character in the upper half (G1). */
  | { readonly kind: 'double-g1'; readonly encoding: string };

/** Escape sequences (the bytes behind ESC, as text) of PS3.3 tables C.12-3 and C.12-4. */
export const ESCAPES: Readonly<Record<string, CodeElement>> = {
  '(B': { kind: 'ascii' },
  '(J': { kind: 'ascii' },
  ')I': { kind: 'g1', encoding: 'shift_jis' },
  '-A': { kind: 'g1', encoding: 'windows-1252' },
  '-B': { kind: 'g1', encoding: 'iso-8859-2' },
  '-C': { kind: 'g1', encoding: 'iso-8859-3' },
  '-D': { kind: 'g1', encoding: 'iso-8859-4' },
  '-L': { kind: 'g1', encoding: 'iso-8859-5' },
  '-G': { kind: 'g1', encoding: 'iso-8859-6' },
  '-F': { kind: 'g1', encoding: 'iso-8859-7' },
  '-H': { kind: 'g1', encoding: 'iso-8859-8' },
  '-M': { kind: 'g1', encoding: 'windows-1254' },
  '-b': { kind: 'g1', encoding: 'iso-8859-15' },
  '-T': { kind: 'g1', encoding: 'windows-874' },
  $B: { kind: 'jis-g0', prefix: [] },
  '$@': { kind: 'jis-g0', prefix: [] },
  '$(D': { kind: 'jis-g0', prefix: [0x8f] },
  '$)C': { kind: 'double-g1', encoding: 'euc-kr' },
  '$)A': { kind: 'double-g1', encoding: 'gb18030' },
};

/** Encoding of the G1 half before any escape, when the first term of SpecificCharacterSet names a multi-byte set. */
export const MULTI_BYTE_G1: Readonly<Record<string, string>> = {
  'ISO_IR 149': 'euc-kr',
  'ISO_IR 58': 'gb18030',
};
