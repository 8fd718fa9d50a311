import type { PixelRule } from '../../../domain/pixel-rules.js';
import { open, rename, rm, stat, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { deflateRawSync } from 'node:zlib';
import { fileError, makeFolder } from '../../store/index.js';
import { forEachFrame } from '../read-frame-pixels.js';
import { deidentify, newIds, patientIdentity } from './deid-file.js';
import { detectBurnedInText } from './detect-burned-in-text.js';
import { withFileParts, type FileParts } from './file-parts.js';
import { headerView } from './header-view.js';
import type { KeyedNames } from './keyed-names.js';
import type { KeepOptions } from './options.js';
import { loadPixelRules, pixelFlags } from './pixel-rules.js';
import { loadProfile } from './profile.js';

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
 * kept.
 *
 * @throws {GroundmarkError} what `withFileParts` throws, and when the copy cannot be written
 */
export async function copyDeidentified(file: string, options: CopyOptions): Promise<CopyResult> {
  const [profile, rules] = await Promise.all([loadProfile(), loadPixelRules()]);
  return withFileParts(file, async (parts) => {
    const header = headerView(parts);
    const ids = newIds(header, options.names);
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
    const copy = deidentify(parts, header, options.names, profile, options.keep);
    const target = path.join(options.out, ids.study, ids.series, `${ids.instance}.dcm`);
    const outcome = (await isSame(target, parts, copy)) ? 'kept' : 'written';
    if (outcome === 'written') await write(target, parts, copy);
    return { outcome, allowed: suspected, patient: options.names.pseudonym(patientIdentity(header)) };
  });
}

/** Whether any frame shows rows of letters; `unreadable` when the pixels cannot be decoded. */
async function textInPixels(file: string): Promise<boolean | 'unreadable'> {
  let found = false;
  try {
    await forEachFrame(file, ({ samples, rows, columns, samplesPerPixel }) => {
      found ||= detectBurnedInText(samples, rows, columns, samplesPerPixel).hasText;
    });
    return found;
  } catch {
    return 'unreadable';
  }
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

async function isSame(target: string, parts: FileParts, copy: Copy): Promise<boolean> {
  let handle: FileHandle;
  try {
    await stat(target);
    handle = await open(target, 'r');
  } catch {
    return false;
  }
  try {
    let at = 0;
    for await (const piece of pieces(parts, copy)) {
      const there = Buffer.alloc(piece.length);
      const { bytesRead } = await handle.read(there, 0, piece.length, at);
      if (bytesRead < piece.length || !there.equals(piece)) return false;
      at += piece.length;
    }
    return (await handle.stat()).size === at;
  } finally {
    await handle.close();
  }
}

async function write(target: string, parts: FileParts, copy: Copy): Promise<void> {
  const temporary = `${target}.${process.pid}.tmp`;
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
