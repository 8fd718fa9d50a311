import { link, mkdir, open, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { generateIdentity, identityToRecipient } from 'age-encryption';
import { GroundmarkError } from '../../domain/error.js';
import { fileError } from '../store/file-store.js';

export interface OwnIdentity {
  readonly identity: string;
  /** The public key that belongs to it. */
  readonly recipient: string;
  /** Whether the file was made by this call. */
  readonly made: boolean;
}

/**
 * The identities (secret keys) of an identity file in the form `age-keygen` writes: one a line, `#` for comments.
 *
 * @param read - how the file is read; the real file system when absent
 * @throws {GroundmarkError} `bad-identity` naming the file, never its content
 */
export async function readIdentities(
  file: string,
  read: (file: string) => Promise<Buffer> = (at) => readFile(at),
): Promise<string[]> {
  let text: string;
  try {
    text = (await read(file)).toString('utf8');
  } catch (cause) {
    throw fileError(cause, file, 'read');
  }
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  const identities = lines.filter((line) => line !== '' && !line.startsWith('#'));
  for (const identity of identities) await recipientOf(identity, file);
  if (identities.length === 0) throw badIdentity(file);
  return identities;
}

/**
 * The workspace's own key pair: read from its file, or made and written there, readable by its owner only (0600).
 *
 * @param make - age's own generator; tests pass a fixed identity
 */
export async function ownIdentity(
  file: string,
  make: () => Promise<string> = generateIdentity,
): Promise<OwnIdentity> {
  const identity = await make();
  const recipient = await recipientOf(identity, file);
  const temporary = `${file}.${process.pid}.tmp`;
  try {
    await mkdir(path.dirname(file), { recursive: true });
    const handle = await open(temporary, 'w', 0o600);
    try {
      await handle.writeFile(`# public key: ${recipient}\n${identity}\n`);
      await handle.sync();
    } finally {
      await handle.close();
    }
    // link, not rename: an identity that exists is never written over, and a killed run leaves no half file.
    await link(temporary, file);
    return { identity, recipient, made: true };
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw fileError(cause, file, 'write');
  } finally {
    await rm(temporary, { force: true });
  }
  const [existing] = await readIdentities(file);
  return { identity: existing!, recipient: await recipientOf(existing!, file), made: false };
}

async function recipientOf(identity: string, file: string): Promise<string> {
  try {
    return await identityToRecipient(identity);
  } catch {
    // No cause: the library's message could hold the key.
    throw badIdentity(file);
  }
}

function badIdentity(file: string): GroundmarkError {
  return new GroundmarkError(
    'bad-identity',
    `${file} holds no age identity. Expected a line that begins with AGE-SECRET-KEY-1; restore the file from a backup, or move it away to have a new key pair made.`,
    { path: file },
  );
}
