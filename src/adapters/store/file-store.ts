import { open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { GroundmarkError } from '../../domain/error.js';
import { makeFolder } from './make-folder.js';
import type { Store } from './store.js';

/** Names of files that are being written, or were when the process was killed. */
export const TEMPORARY = /\.\d+-\d+\.tmp$/;

/** The real file system. */
export function fileStore(): Store {
  let counter = 0;
  return {
    async read(file) {
      try {
        return await readFile(file);
      } catch (cause) {
        throw fileError(cause, file, 'read');
      }
    },
    async write(file, data) {
      const temporary = `${file}.${process.pid}-${counter++}.tmp`;
      try {
        await makeFolder(path.dirname(file));
        const handle = await open(temporary, 'w');
        try {
          if (typeof data === 'string' || data instanceof Uint8Array) await handle.writeFile(data);
          else for (const piece of data.pieces) await handle.writeFile(piece);
          await handle.sync();
        } finally {
          await handle.close();
        }
        await rename(temporary, file);
      } catch (cause) {
        await rm(temporary, { force: true }).catch(() => undefined);
        throw fileError(cause, file, 'write');
      }
    },
    async exists(file) {
      return stat(file).then(
        () => true,
        () => false,
      );
    },
    async list(folder) {
      const found: string[] = [];
      const walk = async (relative: string): Promise<void> => {
        const entries = await readdir(path.join(folder, relative), { withFileTypes: true });
        for (const entry of entries) {
          const name = relative === '' ? entry.name : `${relative}/${entry.name}`;
          if (entry.isDirectory()) await walk(name);
          else found.push(name);
        }
      };
      try {
        await walk('');
      } catch (cause) {
        if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return [];
        throw fileError(cause, folder, 'list');
      }
      return found.sort(byCodeUnit);
    },
    async remove(file) {
      try {
        await rm(file, { recursive: true, force: true });
      } catch (cause) {
        throw fileError(cause, file, 'write');
      }
    },
  };
}

/** Plain order of UTF-16 units: the same on every machine and in every locale. */
export function byCodeUnit(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

const REMEDIES: Record<string, readonly [code: string, what: string, remedy: string]> = {
  ENOENT: ['not-found', 'does not exist', 'Check the path.'],
  EACCES: [
    'no-permission',
    'may not be used by this user',
    'Change its permissions or choose another folder.',
  ],
  EPERM: [
    'no-permission',
    'may not be used by this user',
    'Change its permissions or choose another folder.',
  ],
  EROFS: ['read-only', 'lies on a read-only file system', 'Choose a folder that can be written.'],
  ENOSPC: [
    'disk-full',
    'could not be written: the disk is full',
    'Free some space and run the same command again; finished stages are kept.',
  ],
  EDQUOT: [
    'disk-full',
    'could not be written: the disk quota is used up',
    'Free some space and run the same command again; finished stages are kept.',
  ],
  ENOTDIR: ['not-a-folder', 'has a file where a folder is needed', 'Check the path.'],
  EISDIR: ['not-a-file', 'is a folder where a file is needed', 'Name a file.'],
  EEXIST: ['not-a-folder', 'has a file where a folder is needed', 'Check the path.'],
  EMFILE: ['too-many-files', 'could not be opened: too many files are open', 'Use fewer --workers.'],
};

/** A file-system error as one a user can act on. */
export function fileError(cause: unknown, file: string, action: 'read' | 'write' | 'list'): GroundmarkError {
  if (cause instanceof GroundmarkError) return cause;
  const errno = (cause as NodeJS.ErrnoException).code ?? '';
  const [code, what, remedy] = REMEDIES[errno] ?? [
    `cannot-${action}`,
    `could not be used (${errno || String(cause)})`,
    'Check the disk and the path.',
  ];
  return new GroundmarkError(code, `${file} ${what}. ${remedy}`, { path: file, action, errno }, { cause });
}
