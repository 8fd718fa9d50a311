import { readdir, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { GroundmarkError } from '../../domain/error.js';

/** A file below a root: its path, and its path relative to the root with `/`. */
export interface FoundFile {
  readonly path: string;
  /** '' when the root itself is a file. */
  readonly relative: string;
}

/**
 * Every file below a root, sorted by relative path in code-unit order. Symbolic links are followed; a folder that is
 * its own ancestor through a link is entered once.
 *
 * @throws {GroundmarkError} `no-such-folder`, `unreadable-folder`
 */
export async function walkFiles(root: string): Promise<FoundFile[]> {
  const found: FoundFile[] = [];

  const visit = async (folder: string, relative: string, ancestors: ReadonlySet<string>): Promise<void> => {
    const real = await realpath(folder);
    if (ancestors.has(real)) return;
    const below = new Set(ancestors).add(real);
    const entries = await readdir(folder, { withFileTypes: true }).catch((cause: unknown) => {
      // One folder that may not be read is one record, as a file is; only the root's own failure ends the walk.
      if (relative === '') throw cause;
      found.push({ path: folder, relative });
      return [];
    });
    for (const entry of entries) {
      const own = path.join(folder, entry.name);
      const name = relative === '' ? entry.name : `${relative}/${entry.name}`;
      let kind: { isDirectory(): boolean; isFile(): boolean } = entry;
      if (entry.isSymbolicLink()) {
        const target = await stat(own).catch(() => null);
        // A dangling link is kept: it is reported as a file that cannot be opened, not lost.
        if (target === null) {
          found.push({ path: own, relative: name });
          continue;
        }
        kind = target;
      }
      if (kind.isDirectory()) await visit(own, name, below);
      else if (kind.isFile()) found.push({ path: own, relative: name });
    }
  };

  try {
    if ((await stat(root)).isFile()) return [{ path: root, relative: '' }];
    await visit(root, '', new Set());
  } catch (cause) {
    const { code = 'error', path: where = root } = cause as NodeJS.ErrnoException;
    throw new GroundmarkError(
      code === 'ENOENT' ? 'no-such-folder' : 'unreadable-folder',
      code === 'ENOENT'
        ? `${where} does not exist. Check the path.`
        : `${where} cannot be read (${code}). Check its permissions.`,
      { path: where },
      { cause },
    );
  }
  return found.sort((a, b) => (a.relative < b.relative ? -1 : a.relative > b.relative ? 1 : 0));
}
