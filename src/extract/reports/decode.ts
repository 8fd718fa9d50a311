/** A report as text, and the encoding that its bytes turned out to have. */
export interface DecodedReport {
  readonly text: string;
  readonly encoding: 'utf-8' | 'utf-16' | 'windows-1252';
}

/**
 * The report's text: UTF-16 when it starts with that byte order mark, UTF-8 when the bytes are valid UTF-8, else
 * windows-1252, which reads any bytes (and is how
 * Latin-1 files are meant: WHATWG Encoding Standard, "latin1" label).
 *
 * A byte order mark stays in the text as U+FEFF, and line ends stay as they are, so offsets equal those of a reader
 * that opens the file as UTF-8 without newline translation. Everything later treats U+FEFF as white space.
 */
export function decodeReport(bytes: Uint8Array): DecodedReport {
  const wide = utf16Label(bytes);
  if (wide !== null) {
    return { text: new TextDecoder(wide, { ignoreBOM: true }).decode(bytes), encoding: 'utf-16' };
  }
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return { text, encoding: 'utf-8' };
  } catch {
    return { text: fromWindows1252(bytes), encoding: 'windows-1252' };
  }
}

/** UTF-16 is told by its byte order mark alone. */
function utf16Label(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : null;
}

/** What windows-1252 puts at 0x80 to 0x9F; a space marks a byte that it leaves to the control character. */
const HIGH = '€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ';

/** Own table: TextDecoder('windows-1252') of Node 20 gives Latin-1, control characters at 0x80 to 0x9F. */
function fromWindows1252(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => {
    const high = byte >= 0x80 && byte <= 0x9f ? HIGH[byte - 0x80]! : ' ';
    return high === ' ' ? String.fromCharCode(byte) : high;
  }).join('');
}
