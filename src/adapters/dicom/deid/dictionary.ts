import dcmjs from 'dcmjs';

dcmjs.log.disableAll();
const { dictionary } = dcmjs.data.DicomMetaDictionary;

export interface DictionaryEntry {
  readonly keyword: string;
  /** The first one where the dictionary allows several. */
  readonly vr: string;
}

const known = new Map<string, DictionaryEntry | null>();

/**
 * What PS3.6 says of a standard attribute; null for a private one and for one that this version of the dictionary lacks.
 *
 * @param tag - eight hexadecimal digits, lower case: `00100010`
 */
export function dictionaryEntry(tag: string): DictionaryEntry | null {
  const cached = known.get(tag);
  if (cached !== undefined) return cached;
  const entry = isPrivate(tag) ? undefined : dictionary[shownTag(tag)];
  const found =
    entry && entry.version !== 'PrivateTag'
      ? { keyword: entry.name.replace(/^RETIRED_/u, ''), vr: firstVr(entry.vr) }
      : null;
  known.set(tag, found);
  return found;
}

/** Whether the group is odd. PS3.5 section 7.8. */
export function isPrivate(tag: string): boolean {
  return (Number.parseInt(tag.slice(0, 4), 16) & 1) === 1;
}

/** `00100010` as `(0010,0010)`. */
export function shownTag(tag: string): string {
  return `(${tag.slice(0, 4)},${tag.slice(4)})`.toUpperCase();
}

/** The dictionary's own letters for "one of several": pixel words, signed or not, table entries, pointers, items. */
const SEVERAL: Readonly<Record<string, string>> = { ox: 'OW', xs: 'US', lt: 'OW', up: 'UL', na: 'UN' };

function firstVr(vr: string): string {
  return SEVERAL[vr] ?? vr;
}
