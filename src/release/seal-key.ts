import path from 'node:path';
import { openSealed, sealFor } from '../adapters/seal/index.js';
import type { Store } from '../adapters/store/index.js';
import { SEALED_FORMAT, sealedSchema, type SealedRecord } from '../domain/release.js';
import { sha256 } from '../util/hash.js';
import { pretty } from './bundle-texts.js';
import { readJson } from './release-folders.js';

export const SEALED_KEY = 'key.jsonl.age';
export const SEALED_SALT = 'salt.txt.age';

export interface SealContent {
  readonly key: Uint8Array;
  readonly salt: string;
  readonly commitment: string;
  /** age public keys, sorted. */
  readonly recipients: readonly string[];
}

/** Encrypts key and salt for the recipients into a new folder. The bytes differ in every run: age is not repeatable by design. */
export async function writeSealed(store: Store, folder: string, content: SealContent): Promise<void> {
  const files: { path: string; sha256: string }[] = [];
  for (const [name, data] of [
    [SEALED_KEY, content.key],
    [SEALED_SALT, Buffer.from(content.salt, 'utf8')],
  ] as const) {
    const sealed = await sealFor(content.recipients, data);
    await store.write(path.join(folder, name), sealed);
    files.push({ path: name, sha256: sha256(sealed) });
  }
  const record: SealedRecord = {
    schemaVersion: 1,
    format: SEALED_FORMAT,
    commitment: content.commitment,
    recipients: [...content.recipients],
    files,
  };
  await store.write(path.join(folder, 'sealed.json'), pretty(record));
}

/**
 * Whether a sealed folder holds this very content for these very recipients, so that it can stay.
 *
 * @param identities - our own secret keys, when we have any: then the folder is opened and compared as well
 */
export async function sealedHolds(
  store: Store,
  folder: string,
  content: SealContent,
  identities: readonly string[],
): Promise<boolean> {
  const parsed = sealedSchema.safeParse(await readJson(store, path.join(folder, 'sealed.json')));
  if (!parsed.success) return false;
  const { commitment, recipients, files } = parsed.data;
  if (commitment !== content.commitment || recipients.join() !== content.recipients.join()) return false;
  if (files.map((file) => file.path).join() !== [SEALED_KEY, SEALED_SALT].join()) return false;
  for (const file of files) {
    const at = path.join(folder, file.path);
    if (!(await store.exists(at)) || sha256(await store.read(at)) !== file.sha256) return false;
  }
  if (identities.length === 0) return true;
  const opened = await openFolder(store, folder, identities);
  return opened !== null && opened.salt === content.salt && Buffer.compare(opened.key, content.key) === 0;
}

/** Key and salt of a sealed folder; null when it is incomplete or none of the identities opens it. */
export async function openFolder(
  store: Store,
  folder: string,
  identities: readonly string[],
): Promise<{ readonly key: Uint8Array; readonly salt: string } | null> {
  const parts: Uint8Array[] = [];
  for (const name of [SEALED_KEY, SEALED_SALT]) {
    const file = path.join(folder, name);
    if (!(await store.exists(file))) return null;
    const opened = await openSealed(identities, await store.read(file));
    if (opened === null) return null;
    parts.push(opened);
  }
  return { key: parts[0]!, salt: Buffer.from(parts[1]!).toString('utf8') };
}
