/**
 * A map from UTF-16 offsets, which JavaScript strings have, to Unicode code points, which records hold.
 *
 * @param text - the whole report
 * @returns a function; an offset inside a surrogate pair gives the code point that the pair encodes
 */
export function codePointOffsets(text: string): (utf16: number) => number {
  // Most reports have no character beyond the basic plane: then both counts are equal.
  if (!/[\uD800-\uDBFF][\uDC00-\uDFFF]/.test(text)) return (utf16) => utf16;
  const offsets = new Uint32Array(text.length + 1);
  let points = 0;
  for (let i = 0; i < text.length;) {
    const width = text.codePointAt(i)! > 0xffff ? 2 : 1;
    offsets[i] = points;
    if (width === 2) offsets[i + 1] = points;
    i += width;
    points++;
  }
  offsets[text.length] = points;
  return (utf16) => offsets[utf16] ?? points;
}
