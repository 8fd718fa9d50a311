import { ESCAPES, MULTI_BYTE_G1, type CodeElement } from './character-set-table.js';

const ESC = 0x1b;
const FIRST_PRINTABLE = 0x21;
/** Delimiters at which the sets fall back to the first: of values, name components and name groups. PS3.5 6.1.2.5.3. */
const DELIMITERS = new Set([0x5c, 0x5e, 0x3d]);

type Decoder = InstanceType<typeof TextDecoder>;
const decoders = new Map<string, Decoder>();

/**
 * Text with ISO 2022 code extensions: an escape sequence changes what the lower (G0) or the upper half (G1) of the
 * bytes means until the next one, a delimiter or a control character. PS3.5 section 6.1.2.5; PS3.3 tables C.12-3, C.12-4.
 *
 * The delimiters of names count in every text: VRs are not known here.
 *
 * @param initial - WHATWG encoding of the first character set
 * @param terms - SpecificCharacterSet, with the first value first
 */
export function decodeIso2022(bytes: Uint8Array, initial: string, terms: readonly string[]): string {
  const text = new Runs();
  const first = initialG1(initial, terms);
  let g0: CodeElement = { kind: 'ascii' };
  let g1 = first ?? initial;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i]!;
    if (byte === ESC) {
      const name = escapeAt(bytes, i + 1);
      const element = ESCAPES[name];
      if (element?.kind === 'ascii' || element?.kind === 'jis-g0') g0 = element;
      else if (element) g1 = element.encoding;
      i += name.length;
    } else if (byte >= 0x80) {
      text.add(g1, byte);
      if (isLead(g1, byte) && isTrail(bytes[i + 1])) text.add(g1, bytes[++i]!);
    } else if (g0.kind === 'jis-g0' && byte >= FIRST_PRINTABLE) {
      // A half of a character is left out.
      const second = bytes[i + 1] ?? 0;
      if (second >= FIRST_PRINTABLE && second < 0x80) {
        text.add('euc-jp', ...g0.prefix, byte | 0x80, second | 0x80);
        i++;
      }
    } else {
      text.addAscii(byte);
      if (byte < 0x20) g0 = { kind: 'ascii' };
      if (byte < 0x20 || DELIMITERS.has(byte)) g1 = first ?? g1;
    }
  }
  return text.end();
}

/**
 * The encoding of G1 before any escape sequence. Null when ASCII is the first set: it has no upper half to fall back to, so
 * what writers leave out behind a delimiter is read as what came before.
 */
function initialG1(initial: string, terms: readonly string[]): string | null {
  const multiByte = MULTI_BYTE_G1[terms[0]!];
  if (multiByte) return multiByte;
  const isAscii = terms.length > 1 && (terms[0] === '' || terms[0] === 'ISO_IR 6');
  return isAscii ? null : initial;
}

/** Text from bytes of several encodings. */
class Runs {
  private text = '';
  private run: number[] = [];
  private encoding: string | null = null;

  add(encoding: string, ...bytes: number[]): void {
    if (this.encoding !== null && this.encoding !== encoding) this.flush();
    this.encoding = encoding;
    this.run.push(...bytes);
  }

  /** Every encoding here reads it alike. */
  addAscii(byte: number): void {
    this.run.push(byte);
  }

  end(): string {
    this.flush();
    return this.text;
  }

  private flush(): void {
    if (this.run.length > 0) this.text += decoder(this.encoding ?? 'utf-8').decode(Uint8Array.from(this.run));
    this.run = [];
    this.encoding = null;
  }
}

/** The bytes of an escape sequence behind ESC: intermediates 0x20-0x2F, one final byte. ISO/IEC 2022. */
function escapeAt(bytes: Uint8Array, at: number): string {
  let name = '';
  for (let i = at; i < bytes.length; i++) {
    name += String.fromCharCode(bytes[i]!);
    // A `$` of the older form stands before an intermediate or a final byte.
    if (bytes[i]! > 0x2f) break;
  }
  return name;
}

/**
 * Whether a byte begins a character of two. Those that the standard's sets have end on 0x80 or more, but vendors write
 * Shift JIS and GBK under their names, where the second byte may be a backslash.
 */
function isLead(encoding: string, byte: number): boolean {
  if (encoding === 'shift_jis') return byte <= 0x9f || byte >= 0xe0;
  return encoding === 'gb18030' || encoding === 'euc-kr';
}

/** Second bytes below 0x40 exist in no character of two bytes. */
function isTrail(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x40;
}

function decoder(encoding: string): Decoder {
  let found = decoders.get(encoding);
  if (!found) decoders.set(encoding, (found = new TextDecoder(encoding)));
  return found;
}
