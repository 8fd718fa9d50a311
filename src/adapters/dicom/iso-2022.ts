import { ESCAPES, MULTI_BYTE_G1, type CodeElement } from './character-set-table.js';

const ESC = 0x1b;
/** Delimiters at which the sets fall back to the first: values, name components, name groups, lines. PS3.5 6.1.2.5.3. */
const RESETS = new Set([0x5c, 0x5e, 0x3d, 0x0a, 0x0c, 0x0d, 0x09]);

type Decoder = InstanceType<typeof TextDecoder>;
const decoders = new Map<string, Decoder>();

/**
 * Text with ISO 2022 code extensions: an escape sequence changes what the lower (G0) or the upper half (G1) of the
 * bytes means until the next one or a delimiter. PS3.5 section 6.1.2.5; PS3.3 tables C.12-3, C.12-4.
 *
 * @param initial - WHATWG encoding of the first character set
 * @param terms - SpecificCharacterSet, with the first value first
 */
export function decodeIso2022(bytes: Uint8Array, initial: string, terms: readonly string[]): string {
  const firstG1: CodeElement = MULTI_BYTE_G1[terms.find((term) => term in MULTI_BYTE_G1) ?? ''] ?? {
    kind: 'g1',
    encoding: initial,
  };
  let g0: CodeElement = { kind: 'ascii' };
  let g1: CodeElement = terms.length > 1 ? { kind: 'g1', encoding: initial } : firstG1;
  let text = '';
  let run: number[] = [];
  const flush = (): void => {
    if (run.length > 0) text += decodeRun(run, g0, g1, initial);
    run = [];
  };
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i]!;
    if (byte === ESC) {
      flush();
      const name = escapeAt(bytes, i + 1);
      const element = ESCAPES[name];
      if (element?.kind === 'ascii' || element?.kind === 'jis-g0') g0 = element;
      else if (element) g1 = element;
      i += name.length;
    } else if (RESETS.has(byte) && g0.kind === 'ascii') {
      flush();
      text += String.fromCharCode(byte);
      g1 = terms.length > 1 ? { kind: 'g1', encoding: initial } : firstG1;
    } else run.push(byte);
  }
  flush();
  return text;
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

function decodeRun(run: readonly number[], g0: CodeElement, g1: CodeElement, initial: string): string {
  if (g0.kind === 'jis-g0') return decoder('euc-jp').decode(eucJp(run, g0.prefix));
  const encoding = g1.kind === 'g1' || g1.kind === 'double-g1' ? g1.encoding : initial;
  return decoder(encoding).decode(Uint8Array.from(run));
}

/** Two-byte JIS characters as EUC-JP, which has JIS X 0208 with the high bits set and JIS X 0212 so behind 0x8F. */
function eucJp(run: readonly number[], prefix: readonly number[]): Uint8Array {
  const bytes: number[] = [];
  for (let i = 0; i + 1 < run.length; i += 2) bytes.push(...prefix, run[i]! | 0x80, run[i + 1]! | 0x80);
  return Uint8Array.from(bytes);
}

function decoder(encoding: string): Decoder {
  let found = decoders.get(encoding);
  if (!found) decoders.set(encoding, (found = new TextDecoder(encoding)));
  return found;
}
