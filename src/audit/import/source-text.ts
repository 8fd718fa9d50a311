import { GroundmarkError } from '../../domain/error.js';

const LFS_POINTER = 'version https://git-lfs.github.com/spec/v1';

/**
 * The text of a source file: UTF-8, or Windows-1252 where that fails; without its byte-order mark.
 *
 * @throws {GroundmarkError} `lfs-pointer`, `binary-file` or `empty-file`
 */
export function sourceText(bytes: Uint8Array, name: string): string {
  const text = decode(bytes);
  if (text.startsWith(LFS_POINTER)) {
    throw new GroundmarkError(
      'lfs-pointer',
      `${name} is a Git LFS pointer, not the data. Run \`git lfs pull\` where it came from.`,
      { file: name },
    );
  }
  if (text.includes('\u0000')) {
    throw new GroundmarkError(
      'binary-file',
      `${name} is not a text file. CSV, TSV and JSONL can be audited.`,
      { file: name },
    );
  }
  if (text.trim() === '') {
    throw new GroundmarkError('empty-file', `${name} is empty. Name a file that holds items.`, {
      file: name,
    });
  }
  return text;
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return decodeWindows1252(bytes);
  }
}

/** 0x80 to 0x9F; the five unassigned bytes stay control characters, as the Encoding Standard has them. */
const WINDOWS_1252 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

// Not TextDecoder('windows-1252'): Node 20 decodes that as ISO-8859-1 and turns quotes into control characters
// (nodejs/node#56542). Drop this when Node 20 is no longer supported.
function decodeWindows1252(bytes: Uint8Array): string {
  return Buffer.from(bytes)
    .toString('latin1')
    .replace(/[\u0080-\u009f]/gu, (control) => WINDOWS_1252[control.charCodeAt(0) - 0x80]!);
}
