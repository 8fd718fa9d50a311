/** The values of one Siemens CSA header by name; a name without a value is left out. */
export type CsaValues = ReadonlyMap<string, readonly string[]>;

/** A header has about 100 elements; more than this is not a header. */
const MOST_ELEMENTS = 1000;
/** Bytes of an element before its items: name 64, VM 4, VR 4, SyngoDT 4, item count 4, marker 4. */
const ELEMENT_BYTES = 84;
const ITEM_BYTES = 16;

/**
 * The values of a Siemens CSA header, (0029,1010) or (0029,1020), in either form: `SV10`, which begins with these
 * letters and gives each item's length as its second word, and the older one without them, whose items give it as the
 * first word less the item count of the header's first element.
 *
 * What a cut or broken header still holds is returned: reading stops at the first thing that does not fit.
 */
export function readCsaHeader(bytes: Uint8Array): CsaValues {
  const found = new Map<string, string[]>();
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const newer = text(bytes, 0, 4) === 'SV10';
  let at = newer ? 8 : 0;
  if (at + 8 > bytes.length) return found;
  const elements = view.getUint32(at, true);
  if (elements > MOST_ELEMENTS) return found;
  at += 8;
  let firstItems: number | null = null;
  for (let element = 0; element < elements; element++) {
    if (at + ELEMENT_BYTES > bytes.length) return found;
    const name = text(bytes, at, 64);
    const items = view.getUint32(at + 76, true);
    firstItems ??= items;
    at += ELEMENT_BYTES;
    const values: string[] = [];
    for (let item = 0; item < items; item++) {
      if (at + ITEM_BYTES > bytes.length) return found;
      const length = newer ? view.getUint32(at + 4, true) : view.getUint32(at, true) - firstItems;
      at += ITEM_BYTES;
      if (length < 0 || at + length > bytes.length) return found;
      const value = text(bytes, at, length).trim();
      if (value !== '') values.push(value);
      at += Math.ceil(length / 4) * 4;
    }
    if (values.length > 0 && !found.has(name)) found.set(name, values);
  }
  return found;
}

/** Numbers of one name; null when it is absent, not all are numbers or there are fewer than `count`. */
export function csaNumbers(values: CsaValues, name: string, count: number): number[] | null {
  const numbers = values.get(name)?.slice(0, count).map(Number);
  return numbers?.length === count && numbers.every(Number.isFinite) ? numbers : null;
}

/** Latin-1 text up to the first NUL. */
function text(bytes: Uint8Array, at: number, length: number): string {
  let out = '';
  for (let i = at; i < at + length && i < bytes.length && bytes[i] !== 0; i++) {
    out += String.fromCharCode(bytes[i]!);
  }
  return out;
}
