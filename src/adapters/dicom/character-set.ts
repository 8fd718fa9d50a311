/**
 * Defined terms of SpecificCharacterSet and the WHATWG encodings that decode them (PS3.3 C.12.1.1.2). ISO 8859-1 is
 * decoded as windows-1252, which agrees with it on every character that DICOM allows.
 */
const ENCODINGS: Readonly<Record<string, string>> = {
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
  'ISO_IR 87': 'iso-2022-jp',
  'ISO_IR 159': 'iso-2022-jp',
  'ISO_IR 149': 'euc-kr',
  'ISO_IR 58': 'gb18030',
  'ISO_IR 192': 'utf-8',
  GB18030: 'gb18030',
  GBK: 'gb18030',
};

// Multi-byte sets are tried first: they decode the single-byte text beside them as well.
const MULTI_BYTE = ['iso-2022-jp', 'euc-kr', 'gb18030', 'shift_jis', 'utf-8'];

/** Decodes the text values of one data set. */
export interface TextReader {
  /** Text of a value without padding; null when nothing is left. */
  decode(bytes: Uint8Array): string | null;
}

/**
 * The reader for a SpecificCharacterSet.
 *
 * @param specificCharacterSet - the value as stored, `\`-separated; null or unknown terms read as Latin-1
 */
export function textReader(specificCharacterSet: string | null): TextReader {
  const encodings = (specificCharacterSet ?? '')
    .split('\\')
    .map((term) =>
      term
        .trim()
        .toUpperCase()
        .replace(/^ISO[ _]2022[ _]IR[ _]/u, 'ISO_IR ')
        .replace(/^ISO IR /u, 'ISO_IR '),
    )
    .map((term) => ENCODINGS[term] ?? 'windows-1252');
  const encoding = encodings.find((name) => MULTI_BYTE.includes(name)) ?? encodings[0]!;
  const decoder = new TextDecoder(encoding);
  return {
    decode(bytes) {
      const plain = encoding === 'iso-2022-jp' ? bytes : withoutEscapes(bytes);
      const text = decoder.decode(plain).replace(/\0/gu, '').trim();
      return text === '' ? null : text;
    },
  };
}

/** ISO 2022 escapes taken out: the encodings above tell G0 from G1 by the high bit. */
function withoutEscapes(bytes: Uint8Array): Uint8Array {
  if (!bytes.includes(0x1b)) return bytes;
  const kept: number[] = [];
  for (let i = 0; i < bytes.length; i++) {
    if (bytes[i] !== 0x1b) kept.push(bytes[i]!);
    // ESC, intermediates 0x20-0x2F, one final byte.
    else while (bytes[i + 1] !== undefined && i++ < bytes.length && bytes[i]! >= 0x20 && bytes[i]! <= 0x2f);
  }
  return Uint8Array.from(kept);
}
