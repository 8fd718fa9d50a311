import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { crc32, inflateSync } from 'node:zlib';
import dicomParser from 'dicom-parser';
import { csvRows, filesBelow, jsonLines } from '../helpers/e2e.js';
import type { Key } from './protocol.js';

/** A search of a public bundle for what must not be in it. Shares no code with the product's own leak scan. */

export interface Secret {
  readonly kind:
    | 'name'
    | 'patient-id'
    | 'birth-date'
    | 'institution'
    | 'accession'
    | 'uid'
    | 'sentence'
    | 'shingle'
    | 'case-id'
    | 'series'
    | 'case-group';
  readonly text: string;
}

/** `kind` of a secret, or `field:NAME` for a private JSON field. */
export interface Hit {
  readonly file: string;
  readonly kind: string;
}

/** Words of a report in a row that count as a copy. */
const SHINGLE = 6;
/** Shorter texts come up by chance in compressed and pixel bytes, so they are looked for in texts only. */
const BINARY_LEAST = 7;
const PRIVATE_FIELDS = new Set(['role', 'answer', 'position', 'series', 'caseGroup']);
/** UIDs of the standard itself: SOP classes, transfer syntaxes. PS3.6 annex A. */
const STANDARD_UID = /^1\.2\.840\.10008\./u;

/** Everything private of a workspace: DICOM headers, reports, cases.csv, key. */
export async function secretsOf(workspace: string): Promise<Secret[]> {
  const found = new Map<string, Secret>();
  const add = (kind: Secret['kind'], text: string | undefined): void => {
    if (text !== undefined && text.trim() !== '') found.set(`${kind} ${text}`, { kind, text: text.trim() });
  };
  for (const row of await csvRows(path.join(workspace, 'cases.csv'))) {
    add('case-id', row['case_id']);
    add('patient-id', row['patient_id']);
  }
  for (const file of await filesBelow(path.join(workspace, 'cases'))) {
    const bytes = await readFile(path.join(workspace, 'cases', file));
    if (file.endsWith('.dcm')) addHeader(bytes, add);
    else for (const secret of reportSecrets(bytes.toString('utf8'))) add(secret.kind, secret.text);
  }
  for (const { caseGroup, images } of await jsonLines<Key>(workspace, 'mcq/key.jsonl')) {
    add('case-group', caseGroup);
    for (const { series } of images) add('series', series);
  }
  return [...found.values()];
}

function addHeader(bytes: Uint8Array, add: (kind: Secret['kind'], text: string | undefined) => void): void {
  const dataSet = dicomParser.parseDicom(bytes, { untilTag: 'x7fe00010' });
  const text = (tag: string): string | undefined => dataSet.string(tag);
  for (const tag of ['x00100010', 'x00080090']) {
    add('name', text(tag));
    for (const part of text(tag)?.split('^') ?? []) add('name', part);
  }
  add('patient-id', text('x00100020'));
  add('birth-date', text('x00100030'));
  add('institution', text('x00080080'));
  add('accession', text('x00080050'));
  for (const { tag, vr, length } of Object.values(dataSet.elements)) {
    if (vr !== 'UI' || length === 0 || tag === 'x00020012') continue;
    const uid = dataSet.string(tag)!;
    if (!STANDARD_UID.test(uid)) add('uid', uid);
  }
}

function reportSecrets(report: string): Secret[] {
  const flat = report.replace(/\s+/gu, ' ').trim();
  const sentences = flat.split(/(?<=[.:!?])\s+/u).filter((sentence) => sentence.split(' ').length >= 3);
  const words = wordsOf(report);
  const shingles = words.slice(SHINGLE - 1).map((_, i) => words.slice(i, i + SHINGLE).join(' '));
  return [
    ...sentences.map((text): Secret => ({ kind: 'sentence', text })),
    ...shingles.map((text): Secret => ({ kind: 'shingle', text })),
  ];
}

/** Lower-case words without punctuation. */
function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

/**
 * Where secrets stand in files: in names, in text and its values unescaped, and in PNGs also inside every chunk,
 * decompressed where it can be.
 *
 * @param files - bytes by relative path
 */
export function search(files: ReadonlyMap<string, Uint8Array>, secrets: readonly Secret[]): Hit[] {
  const hits: Hit[] = [];
  const binary = byteSearch(
    secrets.filter(({ kind, text }) => kind !== 'shingle' && text.length >= BINARY_LEAST),
  );
  const texts = textSearch(secrets);
  for (const [file, data] of files) {
    const bytes = Buffer.from(data);
    const isPng = bytes.subarray(1, 4).toString('latin1') === 'PNG';
    const kinds = new Set<string>(texts(file));
    for (const part of isPng ? [bytes, ...pngParts(bytes)] : [bytes])
      for (const kind of binary(part)) kinds.add(kind);
    for (const text of isPng ? pngTexts(bytes) : [bytes.toString('utf8')])
      for (const kind of texts(text)) kinds.add(kind);
    if (/\.jsonl?$/u.test(file))
      for (const name of privateFields(bytes.toString('utf8'))) kinds.add(`field:${name}`);
    for (const kind of kinds) hits.push({ file, kind });
  }
  return hits;
}

/** Kinds that stand in a text, as whole words, whatever the case, spacing and (for shingles) punctuation. */
function textSearch(secrets: readonly Secret[]): (text: string) => string[] {
  const shingles = new Set(secrets.filter(({ kind }) => kind === 'shingle').map(({ text }) => text));
  const plain = secrets
    .filter(({ kind }) => kind !== 'shingle')
    .map(({ kind, text }) => ({ kind, text: flatten(text) }));
  return (text) => {
    // What JSON escapes, and what is not escaped.
    const flat = flatten(
      `${text}\n${text.replace(/\\u([0-9a-f]{4})/giu, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)))}`,
    );
    const found = plain.filter((secret) => standsAlone(flat, secret.text)).map(({ kind }) => kind as string);
    const words = wordsOf(flat);
    const copied = words.some((_, i) => shingles.has(words.slice(i, i + SHINGLE).join(' ')));
    return copied ? [...found, 'shingle'] : found;
  };
}

function flatten(text: string): string {
  return text
    .toLowerCase()
    .replace(/\\[nrt]/gu, ' ')
    .replace(/\s+/gu, ' ');
}

function standsAlone(text: string, part: string): boolean {
  const isWord = (char: string | undefined): boolean => char !== undefined && /[\p{L}\p{N}]/u.test(char);
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1)) {
    if (!isWord(text[at - 1]) && !isWord(text[at + part.length])) return true;
  }
  return false;
}

/** Kinds that stand anywhere in bytes, letters in any case, one or two bytes a character. */
function byteSearch(secrets: readonly Secret[]): (bytes: Uint8Array) => Set<string> {
  const starts = new Map<number, { readonly kind: string; readonly bytes: Buffer }[]>();
  const first = new Uint8Array(1 << 16);
  for (const { kind, text } of secrets) {
    for (const encoding of ['latin1', 'utf16le'] as const) {
      const needle = Buffer.from(text.toLowerCase(), encoding);
      const start = needle.readUInt32LE(0);
      first[start & 0xffff] = 1;
      starts.set(start, [...(starts.get(start) ?? []), { kind, bytes: needle }]);
    }
  }
  return (data) => {
    const lower = Buffer.from(data.map((byte) => (byte >= 0x41 && byte <= 0x5a ? byte + 32 : byte)));
    const found = new Set<string>();
    for (let at = 0; at + 4 <= lower.length; at++) {
      if (first[lower[at]! | (lower[at + 1]! << 8)] === 0) continue;
      for (const { kind, bytes } of starts.get(lower.readUInt32LE(at)) ?? []) {
        if (lower.subarray(at, at + bytes.length).equals(bytes)) found.add(kind);
      }
    }
    return found;
  };
}

export interface Chunk {
  readonly type: string;
  readonly data: Buffer;
}

/** Chunks of a PNG: length, type, data, CRC. PNG 3rd ed. §5.3. */
export function chunksOf(png: Buffer): Chunk[] {
  const chunks: Chunk[] = [];
  for (let at = 8; at + 12 <= png.length;) {
    const length = png.readUInt32BE(at);
    chunks.push({
      type: png.toString('latin1', at + 4, at + 8),
      data: png.subarray(at + 8, at + 8 + length),
    });
    at += 12 + length;
  }
  return chunks;
}

/** A PNG out of chunks. */
export function pngOf(chunks: readonly Chunk[]): Buffer {
  const parts = chunks.map(({ type, data }) => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
    const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    check.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, check]);
  });
  return Buffer.concat([Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]), ...parts]);
}

/** The picture's rows, and whatever other chunks hold compressed. */
function pngParts(png: Buffer): Buffer[] {
  const chunks = chunksOf(png);
  const picture = Buffer.concat(chunks.filter(({ type }) => type === 'IDAT').map(({ data }) => data));
  return [inflateSync(picture), ...compressedTexts(chunks)];
}

function pngTexts(png: Buffer): string[] {
  const chunks = chunksOf(png).filter(({ type }) => type !== 'IDAT');
  return [...chunks.map(({ data }) => data), ...compressedTexts(chunks)].map((data) => data.toString('utf8'));
}

/** Of zTXt, iTXt and any chunk: whatever inflates from any place in it. */
function compressedTexts(chunks: readonly Chunk[]): Buffer[] {
  return chunks
    .filter(({ type, data }) => type !== 'IDAT' && data.some((byte) => byte !== 0))
    .flatMap(({ data }) =>
      [...data.keys()].flatMap((at) => {
        // A zlib stream starts with 0x78. RFC 1950.
        if (data[at] !== 0x78) return [];
        try {
          return [inflateSync(data.subarray(at))];
        } catch {
          return [];
        }
      }),
    );
}

/** Private field names that any JSON object of a document has. */
function privateFields(text: string): string[] {
  const found = new Set<string>();
  const walk = (value: unknown): void => {
    if (value === null || typeof value !== 'object') return;
    for (const [name, inner] of Object.entries(value)) {
      if (!Array.isArray(value) && PRIVATE_FIELDS.has(name)) found.add(name);
      walk(inner);
    }
  };
  let documents: unknown[];
  try {
    documents = [JSON.parse(text)];
  } catch {
    documents = text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as unknown);
  }
  documents.forEach(walk);
  return [...found];
}
