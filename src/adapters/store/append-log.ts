import { open } from 'node:fs/promises';
import path from 'node:path';
import { fileError } from './file-store.js';
import { makeFolder } from './make-folder.js';

/**
 * Adds text to the end of a file and returns once it is on the disk, so that a finished reply survives a power cut.
 * A kill in the middle leaves at most one torn last line: see {@link splitTornTail}.
 */
export async function appendDurably(file: string, text: string): Promise<void> {
  if (text === '') return;
  try {
    await makeFolder(path.dirname(file));
    const handle = await open(file, 'a');
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch (cause) {
    throw fileError(cause, file, 'write');
  }
}

/** An append-only text divided into its whole lines and what a killed writer left after the last line feed. */
export function splitTornTail(text: string): { readonly whole: string; readonly torn: string } {
  const end = text.lastIndexOf('\n') + 1;
  return { whole: text.slice(0, end), torn: text.slice(end) };
}
