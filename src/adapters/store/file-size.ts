import { stat } from 'node:fs/promises';
import { fileError } from './file-store.js';

/** Bytes of a file, without reading it. */
export async function fileSize(file: string): Promise<number> {
  try {
    return (await stat(file)).size;
  } catch (cause) {
    throw fileError(cause, file, 'read');
  }
}
