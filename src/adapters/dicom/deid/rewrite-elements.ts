import type { TextReader } from '../character-set.js';
import { cleanText, holdsWord } from './clean-text.js';
import { decideAction } from './decide-action.js';
import { dictionaryEntry } from './dictionary.js';
import { dummyValue } from './dummy-values.js';
import type { Element, Encoding, Item } from './element-tree.js';
import { elementHead, encodeElement, itemHead } from './encode-element.js';
import { isPublicUid, type KeyedNames } from './keyed-names.js';
import type { KeepOptions } from './options.js';
import { holdsOwnWord, type OwnWords } from './own-words.js';
import type { Profile } from './profile.js';
import { capAge, shiftDates } from './shift-dates.js';

/** What a rewrite needs beside the elements. */
export interface RewriteContext {
  readonly profile: Profile;
  readonly keep: KeepOptions;
  readonly names: KeyedNames;
  readonly pseudonym: string;
  readonly shiftDays: number;
  readonly reader: TextReader;
  /** Words that name the file's persons: where they stand in an attribute that stays, it is cleaned of them, or goes. */
  readonly own: OwnWords;
  /** These and, for descriptors that are kept, other identifying values, as folded words. */
  readonly identifying: ReadonlySet<string>;
}

/**
 * The elements after de-identification, as bytes in their own encoding. An element that nothing happens to keeps its
 * bytes; a sequence is written again only when something in it changed, with its kind of length kept.
 *
 * @param dummies - inside a sequence that is replaced whole: every value becomes a dummy
 */
export function rewriteElements(
  buffer: Buffer,
  elements: readonly Element[],
  encoding: Encoding,
  context: RewriteContext,
  dummies = false,
): Buffer[] {
  return elements.flatMap((element) => {
    const written = rewriteElement(buffer, element, encoding, context, dummies);
    return written === null ? [] : [written];
  });
}

function rewriteElement(
  buffer: Buffer,
  element: Element,
  encoding: Encoding,
  context: RewriteContext,
  dummies: boolean,
): Buffer | null {
  const { tag, vr } = element;
  const { action } = decideAction(tag, vr, context.profile, context.keep);
  if (action === 'remove') return null;
  const raw = buffer.subarray(element.start, element.end);
  const put = (value: Uint8Array): Buffer => encodeElement(tag, element.storedVr ?? vr, value, encoding);
  if (vr === 'SQ') {
    if (action === 'empty') return put(Buffer.alloc(0));
    // What cannot be looked into is not passed on.
    if (element.items === null) return null;
    const whole = dummies || action === 'dummy';
    const items = whole ? element.items.slice(0, 1) : element.items;
    return rewriteSequence(buffer, { ...element, items }, raw, encoding, context, whole);
  }
  const value = buffer.subarray(element.valueStart, element.valueEnd);
  if (action === 'keep') {
    const found = ownWordIn(value, vr, context);
    if (found === 'bytes') return null;
    if (found === 'text') {
      const clean = dummies ? dummyValue(vr) : cleaned(value, context);
      return clean === null ? raw : put(clean);
    }
  }
  // Codes and other defined words stay in a sequence of dummies, so that it keeps its form.
  if (dummies && action === 'keep') return vr === 'CS' || value.length === 0 ? raw : put(dummyValue(vr));
  const changed = newValue(action, value, element, context, dummies);
  return changed === null ? raw : put(changed);
}

const FREE_TEXT: ReadonlySet<string> = new Set('LO LT SH ST UC UT'.split(' '));
const BYTES: ReadonlySet<string> = new Set('OB OW UN'.split(' '));
/** What the values of a kind may be written with: a name there was put in by hand. PS3.5 table 6.2-1. */
const WRITTEN: Readonly<Record<string, RegExp>> = {
  CS: /^[A-Z\d _\\]*$/u,
  DS: /^[\d+\-.eE \\]*$/u,
  IS: /^[\d+\- \\]*$/u,
  TM: /^[\d.:\- \\]*$/u,
};

/**
 * Whether an attribute that the profile lets stay holds a word of the file's own names: text that somebody typed a name
 * into, or bytes with text in them (colour profiles, comments).
 */
function ownWordIn(value: Buffer, vr: string, { own, reader }: RewriteContext): 'text' | 'bytes' | null {
  if (value.length === 0 || own.words.size === 0) return null;
  if (FREE_TEXT.has(vr)) return holdsWord(reader.decode(value) ?? '', own.words) ? 'text' : null;
  const written = WRITTEN[vr];
  if (written) {
    const text = reader.decode(value) ?? '';
    return !written.test(text) && holdsWord(text, own.words) ? 'bytes' : null;
  }
  return BYTES.has(vr) && holdsOwnWord(value, own) ? 'bytes' : null;
}

/** The value after an action; null when it stays as it is. */
function newValue(
  action: ReturnType<typeof decideAction>['action'],
  value: Buffer,
  { tag, vr }: Element,
  context: RewriteContext,
  dummies: boolean,
): Uint8Array | null {
  const ascii = (text: string): Buffer => Buffer.from(text, 'latin1');
  const text = (): string => value.toString('latin1').replace(/[\0 ]+$/u, '');
  switch (action) {
    case 'keep':
    case 'descend':
    case 'remove':
      return null;
    case 'empty':
      return value.length === 0 ? null : Buffer.alloc(0);
    case 'dummy':
      return value.length === 0 ? null : dummyValue(vr);
    case 'pseudonym':
      return ascii(context.pseudonym);
    case 'age':
      return changedText(text(), capAge(text()));
    case 'date': {
      if (dummies) return value.length === 0 ? null : dummyValue(vr);
      const moved = shiftDates(text(), context.shiftDays);
      return moved === null ? Buffer.alloc(0) : changedText(text(), moved);
    }
    case 'uid':
      return changedText(text(), mappedUids(text(), tag, context.names));
    case 'clean':
      return cleaned(value, context);
  }
}

function changedText(before: string, after: string): Buffer | null {
  return before === after ? null : Buffer.from(after, 'latin1');
}

function mappedUids(text: string, tag: string, names: KeyedNames): string {
  const keyword = dictionaryEntry(tag)?.keyword ?? null;
  return text
    .split('\\')
    .map((uid) => uid.trim())
    .map((uid) => (uid === '' || isPublicUid(uid, keyword) ? uid : names.uid(uid)))
    .join('\\');
}

function cleaned(value: Buffer, { reader, identifying }: RewriteContext): Buffer | null {
  const text = reader.decode(value);
  if (text === null) return null;
  const clean = cleanText(text, identifying);
  if (clean === text) return null;
  // Letters beyond ASCII would have to be written in the file's own character set; dropping them is safe.
  return Buffer.from(clean.replace(/[^\x20-\x7e]/gu, ''), 'latin1');
}

function rewriteSequence(
  buffer: Buffer,
  element: Element,
  raw: Buffer,
  encoding: Encoding,
  context: RewriteContext,
  dummies: boolean,
): Buffer {
  const inner = element.encoding;
  const items = element.items!.map((item) => rewriteItem(buffer, item, inner, context, dummies));
  const content = Buffer.concat(items);
  const stored = element.undefinedLength ? null : content.length;
  const rewritten = Buffer.concat([
    elementHead(element.tag, element.storedVr ?? 'SQ', stored, encoding),
    content,
    ...(element.undefinedLength ? [itemHead('fffee0dd', 0, inner)] : []),
  ]);
  return rewritten.equals(raw) ? raw : rewritten;
}

function rewriteItem(
  buffer: Buffer,
  item: Item,
  encoding: Encoding,
  context: RewriteContext,
  dummies: boolean,
): Buffer {
  const content = Buffer.concat(rewriteElements(buffer, item.elements, encoding, context, dummies));
  return Buffer.concat([
    itemHead('fffee000', item.undefinedLength ? null : content.length, encoding),
    content,
    ...(item.undefinedLength ? [itemHead('fffee00d', 0, encoding)] : []),
  ]);
}
