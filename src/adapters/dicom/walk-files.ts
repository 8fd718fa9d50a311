import { readdirSync, realpathSync, statSync, type Dirent, type Stats } from 'node:fs';
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
  const visit = (folder: string, relative: string, real: string, ancestors: ReadonlySet<string>): void => {
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
      // Only a link leads anywhere else than its name says.
      const target = entry.isSymbolicLink()
        ? targetOf(own)
        : { kind: entry, real: path.join(real, entry.name) };
      // A dangling link is kept: it is reported as a file that cannot be opened, not lost.
      if (target === null || target.kind.isFile()) found.push({ path: own, relative: name });
      else if (target.kind.isDirectory()) visit(own, name, target.real, below);
    }
  };

  try {
    if (statSync(root).isFile()) return [{ path: root, relative: '' }];
    visit(root, '', realpathSync(root), new Set());
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

/** What a link leads to; null when it leads nowhere, round in a circle, or where one may not look. */
function targetOf(link: string): { readonly kind: Stats; readonly real: string } | null {
  try {
    return { kind: statSync(link), real: realpathSync(link) };
  } catch {
    return null;
  }
}
