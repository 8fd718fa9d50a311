import path from 'node:path';
import type { Case } from '../../domain/config.js';
import type { IndexRow } from '../../domain/index-row.js';
import type { KeyEntry } from '../../domain/item.js';
import { isCommonValue } from './common-words.js';
import { fold, type Needle } from './needle.js';
import { leakScanner } from './scan.js';

export interface NeedleSources {
  /** The workspace's own folder. */
  readonly root: string;
  readonly cases: readonly Case[];
  readonly index: readonly IndexRow[];
  readonly key: readonly KeyEntry[];
  readonly reports: readonly string[];
  /** From DICOM headers. */
  readonly patient: readonly Needle[];
}

/**
 * Everything private that a workspace knows, each value once and in a defined order.
 *
 * @param publicTexts - our own fixed texts: a value of letters and digits that stands in them is a plain word and is left
 *   out. One of several words is kept; our own wording is not searched for it (`variable-parts.ts`).
 */
export function collectNeedles(
  sources: NeedleSources,
  publicTexts: readonly string[],
): { readonly needles: Needle[]; readonly tooCommon: number } {
  const all: Needle[] = [];
  const add = (kind: Needle['kind'], ...values: readonly (string | null | undefined)[]): void => {
    for (const value of values) {
      if (value !== null && value !== undefined && value.trim() !== '')
        all.push({ kind, value: value.trim() });
    }
  };
  add('path', sources.root);
  for (const { caseId, patientId, imagePath, imageUrl, reportPath } of sources.cases) {
    add('case-id', caseId);
    add('patient', patientId);
    add('path', imagePath, imageUrl, reportPath);
  }
  for (const row of sources.index) {
    add('uid', row.studyInstanceUid, row.seriesInstanceUid, row.sopInstanceUid);
    add('path', row.path, ...fileNames(row.path));
  }
  for (const { id, caseGroup, images } of sources.key) {
    add('item-id', id);
    add('key-id', caseGroup, ...images.map(({ series }) => series));
  }
  all.push(...sources.patient);
  add('report', ...sources.reports);

  const unique = new Map<string, Needle>();
  for (const needle of all) {
    const id = needle.kind === 'item-id' ? `item-id\n${needle.value}` : needle.value;
    if (!unique.has(id)) unique.set(id, needle);
  }
  const candidates = [...unique.values()];
  const searchable = candidates.filter(
    ({ kind, value }) => kind === 'item-id' || kind === 'report' || !isCommonValue(fold(value)),
  );
  const needles = withoutPublicWords(searchable, publicTexts);
  return { needles, tooCommon: candidates.length - needles.length };
}

/** The file's own name and its folder with the name; not a name such as the bundle itself uses. */
function fileNames(file: string): string[] {
  const parts = file.split(/[\\/]/).filter((part) => part !== '');
  const name = parts.at(-1) ?? '';
  const tail = parts.length > 2 ? [parts.slice(-2).join('/')] : [];
  return /^img\d\d\.png$/i.test(name) || name.length < 8 ? tail : [name, ...tail];
}

/** Only single free words can be plain words; a report that shares a phrase with our texts is still looked for. */
function withoutPublicWords(needles: readonly Needle[], publicTexts: readonly string[]): Needle[] {
  const free = needles.filter(
    ({ kind, value }) => (kind === 'patient' || kind === 'case-id') && /^[\p{L}\p{N}]+$/u.test(value),
  );
  const scan = leakScanner(free);
  const common = new Set<Needle>();
  for (const text of publicTexts) {
    for (const { needle } of scan({ path: 'text.md', bytes: Buffer.from(text) })) {
      if (needle >= 0) common.add(free[needle]!);
    }
  }
  return needles.filter((needle) => !common.has(needle));
}

/** The first file of every series, in the index's order: one header a series is read for names and dates. */
export function firstFilesOfSeries(index: readonly IndexRow[]): string[] {
  const first = new Map<string, string>();
  for (const { seriesInstanceUid, path: file } of index) {
    const series = seriesInstanceUid ?? path.dirname(file);
    if (!first.has(series)) first.set(series, file);
  }
  return [...first.values()];
}
