import { dictionaryEntry, isPrivate } from './dictionary.js';
import { optionOf, type KeepOptions } from './options.js';
import type { Profile, ProfileRow } from './profile.js';

/** What becomes of one attribute. */
export type Action =
  | 'keep'
  /** A sequence that stays; its items are looked through. */
  | 'descend'
  | 'remove'
  | 'empty'
  | 'dummy'
  | 'uid'
  | 'date'
  | 'age'
  /** Short free text: words that may identify are taken out. */
  | 'clean'
  | 'pseudonym';

/** Why an attribute is touched: the standard's table, our additions to it, or a rule on its kind. */
export type Reason = 'profile' | 'added' | 'private' | 'unknown' | 'value-kind' | 'group';

export interface Decision {
  readonly action: Action;
  readonly reason: Reason;
}

/** Patient ID and name: filled with a pseudonym, so that files of one patient stay together. */
const PSEUDONYMS: ReadonlySet<string> = new Set(['00100010', '00100020']);
/** URNCodeValue is a code, though its value is a URL. */
const CODE_URLS: ReadonlySet<string> = new Set(['00080120']);
const DATE_VRS: ReadonlySet<string> = new Set(['DA', 'DT', 'TM']);
const SHORT_TEXT_VRS: ReadonlySet<string> = new Set(['SH', 'LO']);

/**
 * What the Basic Profile with modified dates, and the options kept, make of an attribute. PS3.15 annex E.
 *
 * Where the table leaves a choice by the object's type (X/Z/D and the like), the action that keeps every object valid is
 * taken: a dummy where D is among them, else empty. Stricter than the table: attributes that the dictionary lacks, curve
 * and overlay groups, group lengths, names and addresses (URL, AE) of any attribute go; every other date is shifted too.
 *
 * @param tag - eight hexadecimal digits, lower case
 * @param vr - the attribute's value representation; for UN the dictionary's
 */
export function decideAction(tag: string, vr: string, profile: Profile, keep: KeepOptions): Decision {
  if (tag.endsWith('0000')) return { action: 'remove', reason: 'group' };
  if (isPrivate(tag)) return { action: 'remove', reason: 'private' };
  const row = profile.rowOf(tag);
  if (row) {
    const action = asStored(byRow(row, tag, vr, keep), vr);
    return { action, reason: row.source === 'added' ? 'added' : 'profile' };
  }
  if (/^(50|60|000[0-7])/u.test(tag)) return { action: 'remove', reason: 'group' };
  const known = dictionaryEntry(tag);
  if (known === null) return { action: 'remove', reason: 'unknown' };
  // A name that is stored as something else is a name still, and the other way round.
  const [stored, meant] = [byKind(tag, vr), byKind(tag, known.vr)];
  return { action: asStored(stored === 'keep' ? meant : stored, vr), reason: 'value-kind' };
}

/** What says that it is a sequence and is stored as none cannot be looked into. */
function asStored(action: Action, vr: string): Action {
  return action === 'descend' && vr !== 'SQ' ? 'remove' : action;
}

function byKind(tag: string, vr: string): Action {
  switch (vr) {
    case 'SQ':
      return 'descend';
    case 'PN':
      return 'empty';
    case 'AE':
      return 'remove';
    case 'UR':
      return CODE_URLS.has(tag) ? 'keep' : 'remove';
    case 'DA':
    case 'DT':
      return 'date';
    case 'AS':
      return 'age';
    case 'UI':
      return 'uid';
    default:
      return 'keep';
  }
}

function byRow(row: ProfileRow, tag: string, vr: string, keep: KeepOptions): Action {
  if (row.retainModifiedDates === 'C' && DATE_VRS.has(vr) && row.note !== 'public-date') {
    // Whole days are shifted, so a time of day stays what it was.
    return vr === 'TM' ? 'keep' : 'date';
  }
  const option = optionOf(row, keep);
  if (option === 'keep') return vr === 'SQ' ? 'descend' : vr === 'AS' ? 'age' : 'keep';
  if (option === 'clean' && SHORT_TEXT_VRS.has(vr)) return 'clean';
  if (PSEUDONYMS.has(tag)) return 'pseudonym';
  switch (row.basicProfile) {
    case 'X':
      return 'remove';
    case 'Z':
    case 'X/Z':
      return 'empty';
    case 'D':
    case 'X/D':
    case 'Z/D':
    case 'X/Z/D':
      return vr === 'UI' ? 'uid' : 'dummy';
    case 'U':
      return 'uid';
    case 'X/Z/U*':
      return 'descend';
  }
}
