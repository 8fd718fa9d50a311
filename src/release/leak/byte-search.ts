export interface BytePattern {
  /** At least 8 bytes. */
  readonly bytes: Uint8Array;
  /** Whether it counts only where no ASCII letter or digit touches it. */
  readonly whole: boolean;
}

/** Calls back for every place where a pattern ends; the same pattern can be reported more than once. */
export type ByteSearch = (haystack: Uint8Array, onHit: (pattern: number) => void) => void;

const ANCHOR = 8;

/**
 * A search for many byte patterns at once, ASCII case ignored.
 *
 * Every pattern is filed under a hash of its last 8 bytes, its anchor; the haystack is read once and a pattern is
 * compared only where its anchor could be. Four small filters, one for each pair of anchor bytes, keep compressed image
 * data away from the large table, which no processor cache holds at a published corpus's size.
 */
export function byteSearch(patterns: readonly BytePattern[]): ByteSearch {
  const { arena, starts } = lay(patterns);
  const bits = Math.max(10, Math.ceil(Math.log2(patterns.length + 1)) + 1);
  const heads = new Int32Array(2 ** bits).fill(-1);
  const next = new Int32Array(patterns.length);
  const [p0, p1, p2, p3] = [pairFilter(), pairFilter(), pairFilter(), pairFilter()];
  for (let i = 0; i < patterns.length; i++) {
    const end = starts[i + 1]!;
    const high = word(arena, end - 8);
    const low = word(arena, end - 4);
    add(p0, high >>> 16);
    add(p1, high & 0xffff);
    add(p2, low >>> 16);
    add(p3, low & 0xffff);
    const slot = hash(high, low, bits);
    next[i] = heads[slot]!;
    heads[slot] = i;
  }

  const matches = (pattern: number, haystack: Uint8Array, end: number): boolean => {
    const from = starts[pattern]!;
    const length = starts[pattern + 1]! - from;
    const start = end - length;
    if (start < 0) return false;
    for (let k = length - 1; k >= 0; k--) {
      if (LOWER[haystack[start + k]!] !== arena[from + k]) return false;
    }
    return !patterns[pattern]!.whole || !(isWordByte(haystack[start - 1]) || isWordByte(haystack[end]));
  };

  return (haystack, onHit) => {
    if (patterns.length === 0) return;
    let high = 0;
    let low = 0;
    for (let i = 0; i < haystack.length; i++) {
      high = (high << 8) | (low >>> 24);
      low = (low << 8) | LOWER[haystack[i]!]!;
      if (!has(p3, low & 0xffff) || !has(p2, low >>> 16)) continue;
      if (!has(p1, high & 0xffff) || !has(p0, high >>> 16)) continue;
      let pattern = heads[hash(high, low, bits)]!;
      while (pattern >= 0) {
        if (matches(pattern, haystack, i + 1)) onHit(pattern);
        pattern = next[pattern]!;
      }
    }
  };
}

/** All patterns one after another in lower case, and where each begins. */
function lay(patterns: readonly BytePattern[]): {
  readonly arena: Uint8Array;
  readonly starts: Float64Array;
} {
  const starts = new Float64Array(patterns.length + 1);
  for (let i = 0; i < patterns.length; i++) {
    const { length } = patterns[i]!.bytes;
    if (length < ANCHOR) throw new RangeError(`byteSearch: pattern ${i} is shorter than ${ANCHOR} bytes`);
    starts[i + 1] = starts[i]! + length;
  }
  const arena = new Uint8Array(starts[patterns.length]!);
  for (let i = 0; i < patterns.length; i++) {
    const { bytes } = patterns[i]!;
    for (let k = 0; k < bytes.length; k++) arena[starts[i]! + k] = LOWER[bytes[k]!]!;
  }
  return { arena, starts };
}

const LOWER = Uint8Array.from({ length: 256 }, (_, byte) => (byte >= 65 && byte <= 90 ? byte + 32 : byte));

/** A set of 16-bit numbers. */
const pairFilter = (): Uint32Array => new Uint32Array(2048);

function add(filter: Uint32Array, pair: number): void {
  filter[pair >>> 5]! |= 1 << (pair & 31);
}

function has(filter: Uint32Array, pair: number): boolean {
  return ((filter[pair >>> 5]! >>> (pair & 31)) & 1) === 1;
}

function word(bytes: Uint8Array, at: number): number {
  return (bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!;
}

function hash(high: number, low: number, bits: number): number {
  return Math.imul(Math.imul(high, 0x9e3779b1) ^ low, 0x85ebca6b) >>> (32 - bits);
}

function isWordByte(byte: number | undefined): boolean {
  if (byte === undefined) return false;
  const c = LOWER[byte]!;
  return (c >= 48 && c <= 57) || (c >= 97 && c <= 122);
}
