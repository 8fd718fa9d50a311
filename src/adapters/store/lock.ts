import { open, readFile, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { GroundmarkError } from '../../domain/error.js';
import { fileError } from './file-store.js';
import { makeFolder } from './make-folder.js';

/**
 * Locks of this process. A lock file with our own pid that is not among them was left by an earlier process: in a
 * container a program gets the same pid each time.
 */
const held = new Set<string>();

/** A lock file is empty for the moment between its making and its writing. */
const WRITING_MS = 300;

/**
 * Takes a workspace's lock and gives the function that lets it go. One writer at a time.
 *
 * A lock left by a process of this machine that no longer runs (killed, power cut) is taken over.
 *
 * @throws {GroundmarkError} `locked` naming the process that holds it
 */
export async function takeLock(file: string, since: Date): Promise<() => Promise<void>> {
  const content = JSON.stringify({ pid: process.pid, host: hostname(), since: since.toISOString() });
  for (let attempt = 0; attempt < 2; attempt++) {
    try {
      await makeFolder(path.dirname(file));
      const handle = await open(file, 'wx');
      try {
        await handle.writeFile(content);
      } finally {
        await handle.close();
      }
      held.add(file);
      return async () => {
        held.delete(file);
        await rm(file, { force: true });
      };
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw fileError(cause, file, 'write');
      const holder = (await readHolder(file)) ?? (await sleep(WRITING_MS), await readHolder(file));
      if (holder !== null && isAlive(holder, file)) {
        throw new GroundmarkError(
          'locked',
          `Another groundmark process (pid ${holder.pid} on ${holder.host}, since ${holder.since}) writes to this workspace. ` +
            `Wait for it to end; if it is gone for certain, delete ${file}.`,
          { lock: file, pid: holder.pid, host: holder.host },
        );
      }
      await rm(file, { force: true }).catch((cause: unknown) => {
        throw fileError(cause, file, 'write');
      });
    }
  }
  throw new GroundmarkError('locked', `${file} is taken and let go again and again. Try once more.`, {
    lock: file,
  });
}

/** Does some work while holding a workspace's lock. */
export async function withLock<T>(file: string, since: Date, work: () => Promise<T>): Promise<T> {
  const letGo = await takeLock(file, since);
  try {
    return await work();
  } finally {
    await letGo();
  }
}

interface Holder {
  readonly pid: number;
  readonly host: string;
  readonly since: string;
}

/** null when the file is gone or was cut off while being written. */
async function readHolder(file: string): Promise<Holder | null> {
  try {
    const value = JSON.parse(await readFile(file, 'utf8')) as Partial<Holder>;
    if (typeof value.pid !== 'number' || typeof value.host !== 'string') return null;
    return { pid: value.pid, host: value.host, since: value.since ?? 'an unknown time' };
  } catch {
    return null;
  }
}

/** A process on another machine counts as alive: it cannot be asked. */
function isAlive({ pid, host }: Holder, file: string): boolean {
  if (host !== hostname()) return true;
  if (pid === process.pid) return held.has(file);
  try {
    process.kill(pid, 0);
    return true;
  } catch (cause) {
    return (cause as NodeJS.ErrnoException).code === 'EPERM';
  }
}
