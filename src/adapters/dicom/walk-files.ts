import { readdirSync, realpathSync, statSync, type Dirent } from 'node:fs';
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

  // Synchronous calls: on a hundred thousand files they take a third of the time of awaited ones.
  const visit = (folder: string, relative: string, ancestors: ReadonlySet<string>): void => {
    const real = realpathSync(folder);
    if (ancestors.has(real)) return;
    const below = new Set(ancestors).add(real);
    let entries: Dirent[];
    try {
      entries = readdirSync(folder, { withFileTypes: true });
    } catch (cause) {
      // One folder that may not be read is one record, as a file is; only the root's own failure ends the walk.
      if (relative === '') throw cause;
      found.push({ path: folder, relative });
      return;
    }
    for (const entry of entries) {
      const own = `${folder}${folder.endsWith(path.sep) ? '' : path.sep}${entry.name}`;
      const name = relative === '' ? entry.name : `${relative}/${entry.name}`;
      let kind: { isDirectory(): boolean; isFile(): boolean } = entry;
      if (entry.isSymbolicLink()) {
        const target = statSync(own, { throwIfNoEntry: false });
        // A dangling link is kept: it is reported as a file that cannot be opened, not lost.
        if (target === undefined) {
          found.push({ path: own, relative: name });
          continue;
        }
        kind = target;
      }
      if (kind.isDirectory()) visit(own, name, below);
      else if (kind.isFile()) found.push({ path: own, relative: name });
    }
  };

  try {
    if (statSync(root).isFile()) return [{ path: root, relative: '' }];
    visit(root, '', new Set());
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
