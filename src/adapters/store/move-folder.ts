import { open, rename } from 'node:fs/promises';
import path from 'node:path';
import { fileError } from './file-store.js';

/** Renames a folder in one step. The target must not exist. The parent is synced, so that a power cut keeps the order of moves. */
export async function moveFolder(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
    await syncFolder(path.dirname(to));
  } catch (cause) {
    throw fileError(cause, to, 'write');
  }
}

/** Some file systems (network shares, Windows) cannot sync a folder; the move itself has been done then. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => null);
  await handle?.sync().catch(() => undefined);
  await handle?.close();
}
