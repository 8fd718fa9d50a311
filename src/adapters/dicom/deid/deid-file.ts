import type { Element, Encoding } from './element-tree.js';
import { foldedWords } from './clean-text.js';
import { elementHead, encodeElement, itemHead } from './encode-element.js';
import type { FileParts } from './file-parts.js';
import type { HeaderView } from './header-view.js';
import { isPublicUid, type KeyedNames } from './keyed-names.js';
import type { OwnWords } from './own-words.js';
import { methodCodes, type KeepOptions } from './options.js';
import { PROFILE_EDITION, type Profile } from './profile.js';
import { rewriteElements, type RewriteContext } from './rewrite-elements.js';

const META: Encoding = { implicit: false, bigEndian: false };
const IMPLEMENTATION_CLASS_UID = '2.25.302618217905438216911264150943327702185';

/** New identifiers of one file. */
export interface NewIds {
  readonly study: string;
  readonly series: string;
  readonly instance: string;
}

/** What a file's copy is made of, besides its pixel data. */
export interface Copy {
  /** Preamble, file meta information and the data set before the pixel data. */
  readonly before: Buffer;
  /** The data set after the pixel data. */
  readonly after: Buffer;
}

/** Who a file is of: PatientID; else name and birth date; else the study. Folded, so that padding and case do not split. */
export function patientIdentity(header: HeaderView): string {
  const id = header.text('00100020');
  if (id !== null) return `id\0${id.normalize('NFC').toUpperCase()}`;
  const name = header.text('00100010');
  if (name !== null) {
    return `name\0${name.normalize('NFC').toUpperCase()}\0${header.text('00100030') ?? ''}`;
  }
  return `study\0${header.text('0020000d') ?? ''}`;
}

/** The file's new identifiers; null when it has no SOP Instance UID, so that no copy could be named. */
export function newIds(header: HeaderView, names: KeyedNames): NewIds | null {
  const instance = header.text('00080018');
  if (instance === null) return null;
  return {
    study: names.uid(header.text('0020000d') ?? `study of ${instance}`),
    series: names.uid(header.text('0020000e') ?? `series of ${instance}`),
    instance: names.uid(instance),
  };
}

/** The de-identified header and trailer of a file; the pixel data between them is copied as it is. */
export function deidentify(
  parts: FileParts,
  header: HeaderView,
  names: KeyedNames,
  profile: Profile,
  keep: KeepOptions,
  own: OwnWords,
): Copy {
  const patient = patientIdentity(header);
  const context: RewriteContext = {
    profile,
    keep,
    names,
    pseudonym: names.pseudonym(patient),
    shiftDays: names.shiftDays(patient),
    reader: header.reader,
    own,
    identifying: new Set([
      ...own.words,
      ...(keep.has('descriptors') ? foldedWords(identifyingValues(parts, header, profile)) : []),
    ]),
  };
  const { head, tail, encoding } = parts;
  return {
    before: Buffer.concat([
      metaInformation(parts, header, names),
      ...stamped(head.buffer, head.elements, encoding, context),
    ]),
    after: Buffer.concat(rewriteElements(tail.buffer, tail.elements, encoding, context)),
  };
}

/** Values that tell a person or a place, at any level; not those of a device, whose short names are ordinary words. */
function identifyingValues({ head }: FileParts, { reader }: HeaderView, profile: Profile): string[] {
  const values: string[] = [];
  const visit = (elements: readonly Element[]): void => {
    for (const { tag, vr, items, valueStart, valueEnd } of elements) {
      for (const item of items ?? []) visit(item.elements);
      if (!['PN', 'LO', 'SH', 'ST', 'UC'].includes(vr)) continue;
      const row = profile.rowOf(tag);
      if (vr !== 'PN' && (!row || row.cleanDescriptors !== '' || row.retainDeviceIdentity !== '')) continue;
      const text = reader.decode(head.buffer.subarray(valueStart, valueEnd));
      if (text !== null) values.push(text);
    }
  };
  visit(head.elements);
  return values;
}

/** Zero preamble, `DICM` and file meta information written anew: it names no sender and no other software. PS3.10 7.1. */
function metaInformation(parts: FileParts, header: HeaderView, names: KeyedNames): Buffer {
  const text = (tag: string, vr: string, value: string): Buffer =>
    encodeElement(tag, vr, Buffer.from(value, 'latin1'), META);
  const stored = header.text('00080016') ?? metaText(parts, '00020002') ?? '';
  const sopClass = stored === '' || isPublicUid(stored, 'SOPClassUID') ? stored : names.uid(stored);
  const group = Buffer.concat([
    encodeElement('00020001', 'OB', Buffer.from([0, 1]), META),
    text('00020002', 'UI', sopClass),
    text('00020003', 'UI', newIds(header, names)?.instance ?? ''),
    text('00020010', 'UI', parts.transferSyntax.uid),
    text('00020012', 'UI', IMPLEMENTATION_CLASS_UID),
    text('00020013', 'SH', 'GROUNDMARK'),
  ]);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(group.length);
  return Buffer.concat([
    Buffer.alloc(128),
    Buffer.from('DICM', 'latin1'),
    encodeElement('00020000', 'UL', length, META),
    group,
  ]);
}

function metaText({ meta }: FileParts, tag: string): string | null {
  const element = meta.elements.find((candidate) => candidate.tag === tag);
  if (!element) return null;
  return meta.buffer.toString('latin1', element.valueStart, element.valueEnd).replace(/[\0 ]+$/u, '') || null;
}

/** The rewritten top-level elements with what says that, and how, the file was de-identified. PS3.15 E.1.1. */
function stamped(
  buffer: Buffer,
  elements: readonly Element[],
  encoding: Encoding,
  context: RewriteContext,
): Buffer[] {
  const stamps = stampElements(encoding, context.keep);
  const replaced = new Set(stamps.map(({ tag }) => tag));
  const out: Buffer[] = [];
  for (const element of elements) {
    if (replaced.has(element.tag)) continue;
    while (stamps[0] && stamps[0].tag < element.tag) out.push(stamps.shift()!.bytes);
    out.push(...rewriteElements(buffer, [element], encoding, context));
  }
  return [...out, ...stamps.map(({ bytes }) => bytes)];
}

/** In words; each of its values has 64 characters at most. */
function methodText(keep: KeepOptions): string {
  const basic = `Groundmark: PS3.15 ${PROFILE_EDITION} Basic Profile, dates shifted`;
  return keep.has('descriptors') ? `${basic}\\Descriptors cleaned by rule, not read by a person` : basic;
}

function stampElements(encoding: Encoding, keep: KeepOptions): { tag: string; bytes: Buffer }[] {
  const text = (tag: string, vr: string, value: string) => ({
    tag,
    bytes: encodeElement(tag, vr, Buffer.from(value, 'latin1'), encoding),
  });
  const items = methodCodes(keep).map(({ value, meaning }) => {
    const content = Buffer.concat(
      [text('00080100', 'SH', value), text('00080102', 'SH', 'DCM'), text('00080104', 'LO', meaning)].map(
        ({ bytes }) => bytes,
      ),
    );
    return Buffer.concat([itemHead('fffee000', content.length, encoding), content]);
  });
  const sequence = Buffer.concat(items);
  return [
    text('00120062', 'CS', 'YES'),
    text('00120063', 'LO', methodText(keep)),
    {
      tag: '00120064',
      bytes: Buffer.concat([elementHead('00120064', 'SQ', sequence.length, encoding), sequence]),
    },
    text('00280303', 'CS', 'MODIFIED'),
  ];
}
