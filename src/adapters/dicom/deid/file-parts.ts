import { open, type FileHandle } from 'node:fs/promises';
import { GroundmarkError } from '../../../domain/error.js';
import { findStart } from '../file-start.js';
import { inflate, transferSyntaxOf, type TransferSyntax } from '../transfer-syntax.js';
import {
  CutOff,
  NotElements,
  parseElements,
  type Element,
  type Encoding,
  type Parsed,
  type PixelHead,
} from './element-tree.js';

/** A run of elements and the buffer they lie in. */
export interface Part {
  readonly buffer: Buffer;
  readonly elements: readonly Element[];
}

/** A Part 10 file taken apart: what comes before the pixel data, the pixel data, what comes after. */
export interface FileParts {
  readonly file: string;
  readonly transferSyntax: TransferSyntax;
  readonly encoding: Encoding;
  /** File meta information; empty when the file has none. */
  readonly meta: Part;
  readonly head: Part;
  /** Bytes of the whole pixel data element in `source`; null when there is none. */
  readonly pixel: { readonly start: number; readonly end: number } | null;
  readonly tail: Part;
  readonly source: ByteSource;
}

/** Bytes by offset: of the file, or of its inflated data set. */
export interface ByteSource {
  readonly size: number;
  read(offset: number, length: number): Promise<Buffer>;
}

const META: Encoding = { implicit: false, bigEndian: false };
const FIRST_READ = 64 * 1024;
/** A header is read whole: more than this is refused rather than held in memory. */
const MAX_HEADER = 512 * 1024 * 1024;
const ITEM = 0xfffee000;
const SEQUENCE_END = 0xfffee0dd;

/**
 * Opens a file, takes it apart and closes it after `use`. Pixel data is found, not read.
 *
 * @throws {GroundmarkError} `not-dicom`, `empty-file`, `cut-off-header`, `bad-header`, `truncated-pixels`,
 * `unreadable-file`; no message holds a value of the file
 */
export async function withFileParts<T>(file: string, use: (parts: FileParts) => Promise<T>): Promise<T> {
  let handle: FileHandle;
  try {
    handle = await open(file, 'r');
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code ?? 'error';
    throw new GroundmarkError('unreadable-file', `${file} cannot be opened (${code}).`, { file }, { cause });
  }
  try {
    return await use(await takeApart(file, await sourceOf(handle)));
  } catch (cause) {
    if (cause instanceof CutOff) {
      throw bad('cut-off-header', file, `it ends inside an element (${cause.message})`);
    }
    if (cause instanceof NotElements)
      throw bad('bad-header', file, `its header is damaged: ${cause.message}`);
    throw cause;
  } finally {
    await handle.close();
  }
}

async function sourceOf(handle: FileHandle): Promise<ByteSource> {
  const { size } = await handle.stat();
  return {
    size,
    async read(offset, length) {
      const buffer = Buffer.alloc(Math.max(0, Math.min(length, size - offset)));
      for (let done = 0; done < buffer.length;) {
        const { bytesRead } = await handle.read(buffer, done, buffer.length - done, offset + done);
        if (bytesRead === 0) return buffer.subarray(0, done);
        done += bytesRead;
      }
      return buffer;
    },
  };
}

async function takeApart(file: string, bytes: ByteSource): Promise<FileParts> {
  if (bytes.size === 0) throw bad('empty-file', file, 'it has no bytes');
  const first = await bytes.read(0, FIRST_READ);
  const start = findStart(first);
  if (!start) throw bad('not-dicom', file, 'it is not a DICOM file');
  const transferSyntax = transferSyntaxOf(start.transferSyntaxUid);
  const { implicit, bigEndian } = transferSyntax;
  const encoding = { implicit, bigEndian };
  const metaStart = first.toString('latin1', 128, 132) === 'DICM' ? 132 : 0;
  const metaBytes = first.subarray(0, start.offset);
  const meta = { buffer: metaBytes, elements: parseElements(metaBytes, metaStart, META).elements };
  const source = transferSyntax.deflated ? await inflatedSource(file, bytes, start.offset) : bytes;
  const from = transferSyntax.deflated ? 0 : start.offset;
  const { buffer, parsed } = await readUpToPixels(file, source, from, encoding);
  const head = { buffer, elements: parsed.elements };
  if (!parsed.pixel) {
    return { file, transferSyntax, encoding, meta, head, pixel: null, tail: NOTHING, source };
  }
  const shift = from;
  const end = await pixelEnd(file, source, parsed.pixel, shift, encoding);
  return {
    file,
    transferSyntax,
    encoding,
    meta,
    head,
    pixel: { start: parsed.pixel.start + shift, end },
    tail: await readTail(source, end, encoding),
    source,
  };
}

const NOTHING: Part = { buffer: Buffer.alloc(0), elements: [] };

async function inflatedSource(file: string, bytes: ByteSource, offset: number): Promise<ByteSource> {
  let content: Buffer;
  try {
    content = inflate((await bytes.read(0, bytes.size)).subarray(offset));
  } catch {
    throw bad('cut-off-header', file, 'its deflated data set is damaged or cut off');
  }
  return {
    size: content.length,
    read: async (at, length) => content.subarray(at, Math.min(content.length, at + length)),
  };
}

/** The data set up to the pixel data, read in growing pieces; offsets in it count from `from`. */
async function readUpToPixels(
  file: string,
  source: ByteSource,
  from: number,
  encoding: Encoding,
): Promise<{ buffer: Buffer; parsed: Parsed }> {
  const whole = source.size - from;
  for (let size = FIRST_READ; ; size *= 8) {
    const buffer = await source.read(from, Math.min(size, whole));
    try {
      const parsed = parseElements(buffer, 0, encoding);
      // A head that is cut between two elements looks whole: only pixel data or the end of the file says it is.
      if (parsed.pixel || buffer.length >= whole) return { buffer, parsed };
    } catch (cause) {
      if (!(cause instanceof CutOff) || buffer.length >= whole) throw cause;
    }
    if (size >= MAX_HEADER) throw bad('bad-header', file, 'its header is larger than 512 MiB');
  }
}

async function pixelEnd(
  file: string,
  source: ByteSource,
  pixel: PixelHead,
  shift: number,
  { bigEndian }: Encoding,
): Promise<number> {
  let at = pixel.valueStart + shift;
  if (pixel.length !== null) {
    if (at + pixel.length > source.size) throw bad('truncated-pixels', file, 'its pixel data is cut off');
    return at + pixel.length;
  }
  for (;;) {
    const head = await source.read(at, 8);
    // Real files lack the closing delimiter; what follows is still the pixel data's.
    if (head.length < 8) return source.size;
    const tag = bigEndian
      ? head.readUInt16BE(0) * 0x10000 + head.readUInt16BE(2)
      : head.readUInt16LE(0) * 0x10000 + head.readUInt16LE(2);
    const length = bigEndian ? head.readUInt32BE(4) : head.readUInt32LE(4);
    if (tag === SEQUENCE_END) return at + 8;
    if (tag !== ITEM || at + 8 + length > source.size) {
      throw bad('truncated-pixels', file, 'its pixel data is cut off or damaged');
    }
    at += 8 + length;
  }
}

/** Elements after the pixel data. Bytes there that are no elements are left out: nobody can say what they hold. */
async function readTail(source: ByteSource, from: number, encoding: Encoding): Promise<Part> {
  if (from >= source.size) return NOTHING;
  const buffer = await source.read(from, Math.min(source.size - from, MAX_HEADER));
  try {
    const { elements, pixel } = parseElements(buffer, 0, encoding);
    return pixel ? NOTHING : { buffer, elements };
  } catch {
    return NOTHING;
  }
}

function bad(code: string, file: string, what: string): GroundmarkError {
  return new GroundmarkError(code, `${file}: ${what}. Copy the file again or leave it out.`, { file });
}
