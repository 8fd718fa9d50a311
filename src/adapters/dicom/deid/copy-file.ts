import type { PixelRule } from '../../../domain/pixel-rules.js';
import { open, rename, rm, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { threadId } from 'node:worker_threads';
import { deflateRawSync } from 'node:zlib';
import { fileError, makeFolder } from '../../store/index.js';
import { forEachFrame } from '../read-frame-pixels.js';
import { deidentify, newIds, patientIdentity, type NewIds } from './deid-file.js';
import { withFileParts, type FileParts } from './file-parts.js';
import { headerView } from './header-view.js';
import type { KeyedNames } from './keyed-names.js';
import type { KeepOptions } from './options.js';
import { holdsOwnWord, ownWords, type OwnWords } from './own-words.js';
import { loadPixelRules, pixelFlags } from './pixel-rules.js';
import { loadProfile } from './profile.js';
import { textInFrame } from './text-in-frame.js';

export interface CopyOptions {
  /** Gets `<study>/<series>/<instance>.dcm`, by new UIDs. */
  readonly out: string;
  readonly names: KeyedNames;
  readonly keep: KeepOptions;
  /** Write files although their pixels may show who the patient is. */
  readonly allowBurnedIn: boolean;
}

/** What became of one file. */
export type CopyResult =
  | {
      readonly outcome: 'written' | 'kept';
      /** Rules that were overridden. */
      readonly allowed: readonly PixelRule[];
      /** The patient's pseudonym. */
      readonly patient: string;
    }
  | { readonly outcome: 'refused'; readonly reason: string; readonly rules: readonly PixelRule[] };

/**
 * Writes the de-identified copy of one file; pixel data is copied byte for byte. A copy that is there already, equal, is
 * kept; another one, of other options or of a file that has changed since, is never written over: `other-copy`.
 *
 * @param taken - another file has the same SOP Instance UID and was copied: this one is a `duplicate` (its copy would be the
 *   same, byte for byte), or has other content under the `same-uid`, and is refused
 * @throws {GroundmarkError} what `withFileParts` throws, and when the copy cannot be written
 */
export async function copyDeidentified(
  file: string,
  options: CopyOptions,
  taken = false,
): Promise<CopyResult> {
  const [profile, rules] = await Promise.all([loadProfile(), loadPixelRules()]);
  return withFileParts(file, async (parts) => {
    const header = headerView(parts);
    const ids = newIds(header, options.names);
    // A directory of records would have to be made anew from the copies.
    if (header.isDirectory) return { outcome: 'refused', reason: 'dicomdir', rules: [] };
    if (ids === null) return { outcome: 'refused', reason: 'missing-uid', rules: [] };
    const suspected = pixelFlags(header, rules).flatMap(({ rule, refuse }) => (refuse ? [rule] : []));
    if (header.hasPixels) {
      const found = await textInPixels(file);
      if (found === 'unreadable' && !options.allowBurnedIn) {
        return { outcome: 'refused', reason: 'pixels-not-checked', rules: [] };
      }
      if (found === true) suspected.push('burned-in-text');
    }
    if (suspected.length > 0 && !options.allowBurnedIn) {
      return { outcome: 'refused', reason: suspected[0]!, rules: suspected };
    }
    const own = ownWords(parts, header);
    if (await pixelsHold(parts, own)) {
      return { outcome: 'refused', reason: 'identifier-in-pixel-data', rules: [] };
    }
    const copy = deidentify(parts, header, options.names, profile, options.keep, own);
    const target = path.join(options.out, copyPath(ids));
    const there = await whatIsThere(target, parts, copy);
    if (taken) return { outcome: 'refused', reason: there === 'same' ? 'duplicate' : 'same-uid', rules: [] };
    if (there === 'other') return { outcome: 'refused', reason: 'other-copy', rules: [] };
    if (there === 'nothing') await write(target, parts, copy);
    const outcome = there === 'same' ? 'kept' : 'written';
    return { outcome, allowed: suspected, patient: options.names.pseudonym(patientIdentity(header)) };
  });
}

/** Where a file's copy goes, below the folder for copies; null when the file has no identifiers to name it by. */
export async function copyTarget(file: string, names: KeyedNames): Promise<string | null> {
  return withFileParts(file, async (parts) => {
    const ids = newIds(headerView(parts), names);
    return ids === null ? null : copyPath(ids);
  });
}

function copyPath({ study, series, instance }: NewIds): string {
  return path.join(study, series, `${instance}.dcm`);
}

/** Whether any frame shows rows of letters; `unreadable` when the pixels cannot be decoded. */
async function textInPixels(file: string): Promise<boolean | 'unreadable'> {
  let found = false;
  try {
    await forEachFrame(file, (frame) => {
      found ||= textInFrame(frame);
    });
    return found;
  } catch {
    return 'unreadable';
  }
}

/** Whether the bytes of the pixel data hold a name: in a comment of the codec, or after the last pixel. */
async function pixelsHold({ pixel, source }: FileParts, own: OwnWords): Promise<boolean> {
  if (pixel === null || own.bytes.length === 0) return false;
  const overlap = Math.max(...own.bytes.map(({ length }) => length));
  for (let at = pixel.start; at < pixel.end; at += PIECE) {
    if (holdsOwnWord(await source.read(at, Math.min(PIECE + overlap, pixel.end - at)), own)) return true;
  }
  return false;
}

type Copy = ReturnType<typeof deidentify>;

/** Bytes of the pixel data are moved in pieces of this size. */
const PIECE = 4 * 1024 * 1024;

async function* pieces({ pixel, source, transferSyntax }: FileParts, copy: Copy): AsyncGenerator<Buffer> {
  if (transferSyntax.deflated) {
    // The data set is deflated as one; the file meta information before it is not. PS3.5 A.5.
    const metaEnd = 144 + copy.before.readUInt32LE(140);
    const stored = pixel ? await source.read(pixel.start, pixel.end - pixel.start) : Buffer.alloc(0);
    yield copy.before.subarray(0, metaEnd);
    yield deflateRawSync(Buffer.concat([copy.before.subarray(metaEnd), stored, copy.after]));
    return;
  }
  yield copy.before;
  for (let at = pixel?.start ?? 0; pixel && at < pixel.end; at += PIECE) {
    yield await source.read(at, Math.min(PIECE, pixel.end - at));
  }
  yield copy.after;
}

/** Whether the place of a copy holds it already, or something else. */
async function whatIsThere(
  target: string,
  parts: FileParts,
  copy: Copy,
): Promise<'nothing' | 'same' | 'other'> {
  let handle: FileHandle;
  try {
    handle = await open(target, 'r');
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return 'nothing';
    throw fileError(cause, target, 'read');
  }
  try {
    let at = 0;
    for await (const piece of pieces(parts, copy)) {
      const there = Buffer.alloc(piece.length);
      const { bytesRead } = await handle.read(there, 0, piece.length, at);
      if (bytesRead < piece.length || !there.equals(piece)) return 'other';
      at += piece.length;
    }
    return (await handle.stat()).size === at ? 'same' : 'other';
  } finally {
    await handle.close();
  }
}

async function write(target: string, parts: FileParts, copy: Copy): Promise<void> {
  const temporary = `${target}.${process.pid}-${threadId}.tmp`;
  try {
    await makeFolder(path.dirname(target));
    const handle = await open(temporary, 'w');
    try {
      for await (const piece of pieces(parts, copy)) await handle.writeFile(piece);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, target);
  } catch (cause) {
    await rm(temporary, { force: true }).catch(() => undefined);
    throw fileError(cause, target, 'write');
  }
}
