import { randomBytes } from 'node:crypto';
import { open, readFile } from 'node:fs/promises';
import path from 'node:path';
import { GroundmarkError } from '../../../domain/error.js';
import { fileError, makeFolder } from '../../store/index.js';

const KEY = /^[0-9a-f]{64}$/u;

/**
 * The secret from which new UIDs, pseudonyms and date shifts come: 64 hexadecimal digits in a file. A file that is not
 * there is made, readable by its owner alone.
 *
 * @returns the key, and whether it was made now
 * @throws {GroundmarkError} `bad-key-file`; never with the file's content
 */
export async function deidKey(file: string): Promise<{ readonly key: Uint8Array; readonly made: boolean }> {
  let text: string;
  try {
    text = (await readFile(file, 'utf8')).trim();
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ENOENT') throw fileError(cause, file, 'read');
    return { key: await makeKey(file), made: true };
  }
  if (!KEY.test(text)) {
    throw new GroundmarkError(
      'bad-key-file',
      `${file} is no key of de-identification: 64 hexadecimal digits are needed. Name another file, or one that is not there yet.`,
      { file },
    );
  }
  return { key: Buffer.from(text, 'hex'), made: false };
}

async function makeKey(file: string): Promise<Uint8Array> {
  const key = randomBytes(32);
  try {
    await makeFolder(path.dirname(file));
    const handle = await open(file, 'wx', 0o600);
    try {
      await handle.writeFile(`${key.toString('hex')}\n`);
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch (cause) {
    throw fileError(cause, file, 'write');
  }
  return key;
}
