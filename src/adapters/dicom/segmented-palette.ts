/** Bytes of a segment's numbers: 8-bit tables keep them in bytes, 16-bit ones in words. */
type ReadNumber = (index: number) => number;

const DISCRETE = 0;
const LINEAR = 1;
const INDIRECT = 2;

/**
 * The entries that a segmented palette stands for. PS3.3 C.7.9.2.
 *
 * @param numbers - the segments' numbers, one an element (bytes for 8-bit tables, words for 16-bit ones)
 * @param count - entries that the descriptor announces; expansion ends there
 * @returns at most `count` entries: fewer when the segments end early or are damaged
 */
export function expandSegments(numbers: ArrayLike<number>, wordBytes: 1 | 2, count: number): Uint16Array {
  const out = new Uint16Array(count);
  const at: ReadNumber = (index) => numbers[index] ?? 0;
  let filled = 0;
  // Segments of no entries, repeated by indirect ones, would go on for long.
  let left = numbers.length + count;

  /** Expands up to `segments` segments from `position`; only direct ones may stand inside an indirect one. */
  const expand = (position: number, segments: number, nested: boolean): void => {
    for (let done = 0; done < segments && filled < count && position + 1 < numbers.length; done++) {
      if (left-- <= 0) return;
      const kind = at(position);
      const length = at(position + 1);
      if (kind === DISCRETE) {
        for (let i = 0; i < length && filled < count; i++) out[filled++] = at(position + 2 + i);
        position += 2 + length;
      } else if (kind === LINEAR && filled > 0) {
        const from = out[filled - 1]!;
        const step = (at(position + 2) - from) / length;
        for (let i = 1; i <= length && filled < count; i++) out[filled++] = Math.round(from + step * i);
        position += 3;
      } else if (kind === INDIRECT && !nested) {
        expand(offsetOf(at, position + 2, wordBytes), length, true);
        position += 2 + 4 / wordBytes;
      } else return;
    }
  };
  expand(0, Infinity, false);
  return out.subarray(0, filled);
}

/** Byte offset of an indirect segment's target, least significant part first, as an index into the numbers. */
function offsetOf(at: ReadNumber, position: number, wordBytes: 1 | 2): number {
  const parts = 4 / wordBytes;
  let bytes = 0;
  for (let i = parts - 1; i >= 0; i--) bytes = bytes * 2 ** (8 * wordBytes) + at(position + i);
  return Math.floor(bytes / wordBytes);
}
