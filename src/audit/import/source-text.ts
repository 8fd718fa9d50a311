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
    return new TextDecoder('windows-1252').decode(bytes);
  }
}
