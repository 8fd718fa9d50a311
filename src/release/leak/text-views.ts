import { chunkPayload, isPng, pngChunks } from '../../adapters/image/png-chunks.js';

/** A text that a file holds. `prose` is read as lines, `strings` are the keys and values of JSON without its numbers. */
export interface TextView {
  readonly place: string;
  readonly shape: 'prose' | 'strings';
  readonly text: string;
  /** Parsed JSON values, one for a JSON file and one a line for JSONL. */
  readonly json: readonly unknown[];
}

/** Every text of a file: its name, its content decoded, and a PNG's text chunks unpacked. */
export function textViews(path: string, bytes: Uint8Array): TextView[] {
  const name: TextView = { place: 'name', shape: 'prose', text: path, json: [] };
  if (isPng(bytes)) return [name, ...pngViews(bytes)];
  const text = decodeText(bytes);
  const json = /\.(json|jsonl)$/i.test(path) ? parseJson(text, /\.jsonl$/i.test(path)) : null;
  if (json === null) return [name, { place: 'text', shape: 'prose', text, json: [] }];
  return [name, { place: 'text', shape: 'strings', text: json.flatMap(stringsOf).join('\n'), json }];
}

function pngViews(bytes: Uint8Array): TextView[] {
  let chunks;
  try {
    chunks = pngChunks(bytes);
  } catch {
    // A broken PNG may hide text between its chunks: all of it is read as text.
    return [{ place: 'text', shape: 'prose', text: Buffer.from(bytes).toString('latin1'), json: [] }];
  }
  return chunks.flatMap((chunk) => {
    const payload = chunkPayload(chunk);
    if (payload === null || payload.every((byte) => byte === 0)) return [];
    return [{ place: chunk.type, shape: 'prose' as const, text: decodeText(payload), json: [] }];
  });
}

/** UTF-8 when it is valid, UTF-16LE when marked so or full of zero bytes, else Latin-1. */
export function decodeText(bytes: Uint8Array): string {
  const marked = bytes[0] === 0xff && bytes[1] === 0xfe;
  const sample = bytes.subarray(0, 4096);
  const zeros = sample.reduce((n, byte) => n + (byte === 0 ? 1 : 0), 0);
  if (marked || (sample.length > 8 && zeros > sample.length / 4)) {
    return Buffer.from(bytes).toString('utf16le');
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return Buffer.from(bytes).toString('latin1');
  }
}

/** null when it is not JSON: then it is read as prose. */
function parseJson(text: string, lines: boolean): unknown[] | null {
  try {
    const parts = lines ? text.split('\n').filter((line) => line.trim() !== '') : [text];
    return parts.map((part) => JSON.parse(part) as unknown);
  } catch {
    return null;
  }
}

/** Keys and string values in document order. */
function stringsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(stringsOf);
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([key, inner]) => [key, ...stringsOf(inner)]);
}
