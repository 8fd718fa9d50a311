import type { TextReader } from '../character-set.js';
import { decideAction, type Action, type Reason } from './decide-action.js';
import { dictionaryEntry, shownTag } from './dictionary.js';
import { isDummyText } from './dummy-values.js';
import type { Element } from './element-tree.js';
import { withFileParts, type FileParts, type Part } from './file-parts.js';
import { headerView, type HeaderView } from './header-view.js';
import { isPublicUid, PSEUDONYM } from './keyed-names.js';
import { keptByCodes, type KeepOptions } from './options.js';
import { loadPixelRules, pixelFlags, type PixelFlag } from './pixel-rules.js';
import { loadProfile, type Profile } from './profile.js';
import { capAge } from './shift-dates.js';

/** An attribute that should have gone and still says something. Its value is never told. */
export interface IdentifierFinding {
  /** `(0010,0010)` */
  readonly tag: string;
  /** null for private and unknown attributes. */
  readonly keyword: string | null;
  /** Where it lies: `(0040,0275)[0].(0010,0010)`. */
  readonly path: string;
  /** What de-identification would make of it. */
  readonly action: Action;
  readonly kind: Reason | 'file-meta' | 'preamble';
}

export interface DeidScan {
  readonly findings: readonly IdentifierFinding[];
  readonly flags: readonly PixelFlag[];
  /** (0012,0062) PatientIdentityRemoved; null when absent. */
  readonly identityRemoved: boolean | null;
}

/**
 * Looks through a whole file, at every level, for attributes that PS3.15's profile says must go.
 *
 * What a file says of itself is taken at its word in three things a scan cannot see: UIDs and PatientID/PatientName are
 * fine in a file that carries code 113100, dates are fine where (0028,0303) says they were modified or removed, and
 * options named by its codes are honoured.
 *
 * @throws {GroundmarkError} what `withFileParts` throws
 */
export async function scanIdentifiers(file: string): Promise<DeidScan> {
  const [profile, rules] = await Promise.all([loadProfile(), loadPixelRules()]);
  return withFileParts(file, async (parts) => {
    const header = headerView(parts);
    return {
      findings: [
        ...metaFindings(parts),
        ...(await preambleFindings(parts)),
        ...dataSetFindings(parts, header, profile),
      ],
      flags: pixelFlags(header, rules),
      identityRemoved: removedOf(header.text('00120062')),
    };
  });
}

function removedOf(text: string | null): boolean | null {
  return text === null ? null : text.toUpperCase() === 'YES';
}

/** What a file claims to have had done. */
interface Claims {
  readonly keep: KeepOptions;
  readonly identity: boolean;
  readonly dates: boolean;
}

function dataSetFindings(parts: FileParts, header: HeaderView, profile: Profile): IdentifierFinding[] {
  const kept = keptByCodes(methodCodesOf(parts));
  const claims: Claims = {
    keep: kept ?? new Set(),
    identity: kept !== null && removedOf(header.text('00120062')) === true,
    dates: ['MODIFIED', 'REMOVED'].includes(header.text('00280303')?.toUpperCase() ?? ''),
  };
  return [parts.head, parts.tail].flatMap((part) =>
    elementFindings(part, part.elements, '', header.reader, profile, claims),
  );
}

function elementFindings(
  { buffer }: Part,
  elements: readonly Element[],
  above: string,
  reader: TextReader,
  profile: Profile,
  claims: Claims,
): IdentifierFinding[] {
  return elements.flatMap((element) => {
    const { tag, vr, items } = element;
    const { action, reason } = decideAction(tag, vr, profile, claims.keep);
    const place = above + shownTag(tag);
    const value = buffer.subarray(element.valueStart, element.valueEnd);
    const own: IdentifierFinding[] = saysSomething(action, element, value, reader, claims)
      ? [
          {
            tag: shownTag(tag),
            keyword: dictionaryEntry(tag)?.keyword ?? null,
            path: place,
            action,
            kind: reason,
          },
        ]
      : [];
    const nested = (items ?? []).flatMap((item, i) =>
      elementFindings({ buffer, elements: [] }, item.elements, `${place}[${i}].`, reader, profile, claims),
    );
    return [...own, ...nested];
  });
}

function saysSomething(
  action: Action,
  { tag, vr, items }: Element,
  value: Buffer,
  reader: TextReader,
  claims: Claims,
): boolean {
  if (value.length === 0 || tag.endsWith('0000')) return false;
  if (vr === 'SQ') {
    // A sequence that stays or is emptied of meaning is judged by what is in it.
    return action === 'remove'
      ? items === null || items.length > 0
      : action === 'empty' && (items?.length ?? 1) > 0;
  }
  const text = (): string => reader.decode(value) ?? '';
  switch (action) {
    case 'keep':
    case 'descend':
      return false;
    case 'uid':
      return !claims.identity && holdsOwnUid(text(), tag);
    case 'date':
      return !claims.dates && !isDummyText(text());
    case 'age':
      return capAge(text()) !== text();
    case 'clean':
      return false;
    case 'pseudonym':
      return !claims.identity && !PSEUDONYM.test(text()) && !isDummyText(text());
    case 'remove':
    case 'empty':
    case 'dummy':
      return isTextual(vr) ? !isDummyText(text()) : value.some((byte) => byte !== 0);
  }
}

function isTextual(vr: string): boolean {
  return !/^(?:O[BDFLVW]|UN|US|UL|UV|SS|SL|SV|FL|FD|AT)$/u.test(vr);
}

/** A UID that names a thing and was not made from a random or hashed number. */
function holdsOwnUid(text: string, tag: string): boolean {
  const keyword = dictionaryEntry(tag)?.keyword ?? null;
  return text
    .split('\\')
    .map((uid) => uid.trim())
    .some((uid) => uid !== '' && !uid.startsWith('2.25.') && !isPublicUid(uid, keyword));
}

function methodCodesOf({ head }: FileParts): string[] {
  const sequence = head.elements.find(({ tag }) => tag === '00120064');
  return (sequence?.items ?? []).flatMap(({ elements }) =>
    elements
      .filter(({ tag }) => tag === '00080100')
      .map(({ valueStart, valueEnd }) => head.buffer.toString('latin1', valueStart, valueEnd).trim()),
  );
}

/** File meta attributes that tell who sent the file, and private ones. PS3.10 section 7.1. */
const META_TAGS = new Set([
  '00020016',
  '00020017',
  '00020018',
  '00020026',
  '00020027',
  '00020028',
  '00020100',
  '00020102',
]);

function metaFindings({ meta }: FileParts): IdentifierFinding[] {
  return meta.elements
    .filter(({ tag, valueStart, valueEnd }) => {
      if (valueEnd === valueStart) return false;
      if (META_TAGS.has(tag)) return !isDummyText(meta.buffer.toString('latin1', valueStart, valueEnd));
      // Its twin in the data set is told there.
      return false;
    })
    .map(({ tag }) => ({
      tag: shownTag(tag),
      keyword: dictionaryEntry(tag)?.keyword ?? null,
      path: shownTag(tag),
      action: 'remove',
      kind: 'file-meta',
    }));
}

/** The 128 bytes before `DICM` are free to use; anything but zeros may be anything, a picture of another format even. */
async function preambleFindings({ meta }: FileParts): Promise<IdentifierFinding[]> {
  const hasPreamble = meta.buffer.toString('latin1', 128, 132) === 'DICM';
  if (!hasPreamble || meta.buffer.subarray(0, 128).every((byte) => byte === 0)) return [];
  return [{ tag: '(preamble)', keyword: null, path: '(preamble)', action: 'empty', kind: 'preamble' }];
}
