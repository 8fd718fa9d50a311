import path from 'node:path';
import { bundleSeal, openSealed, sealFor } from '../adapters/seal/index.js';
import type { Store } from '../adapters/store/index.js';
import { SEALED_FORMAT, sealedSchema, type SealedRecord } from '../domain/release.js';
import { sha256 } from '../util/hash.js';
import { pretty } from './bundle-texts.js';
import { readJson } from './release-folders.js';

export const SEALED_KEY = 'key.jsonl.age';
export const SEALED_SALT = 'salt.txt.age';
/** A line with the bundle's seal (`bundleSeal`). */
export const SEALED_MANIFEST = 'manifest.sha256.age';
const SEALED_FILES = [SEALED_KEY, SEALED_SALT, SEALED_MANIFEST];

export interface SealContent {
  readonly key: Uint8Array;
  readonly salt: string;
  readonly commitment: string;
  /** The bytes of the bundle's manifest.json. */
  readonly manifest: Uint8Array;
  /** age public keys, sorted. */
  readonly recipients: readonly string[];
}

/** Encrypts key, salt and the bundle's seal for the recipients into a new folder. The bytes differ in every run: age is not repeatable by design. */
export async function writeSealed(store: Store, folder: string, content: SealContent): Promise<void> {
  const files: { path: string; sha256: string }[] = [];
  for (const [name, data] of [
    [SEALED_KEY, content.key],
    [SEALED_SALT, Buffer.from(content.salt, 'utf8')],
    [SEALED_MANIFEST, Buffer.from(sealLine(content), 'utf8')],
  ] as const) {
    const sealed = await sealFor(content.recipients, data);
    await store.write(path.join(folder, name), sealed);
    files.push({ path: name, sha256: sha256(sealed) });
  }
  const record: SealedRecord = {
    schemaVersion: 1,
    format: SEALED_FORMAT,
    commitment: content.commitment,
    manifestSha256: sha256(content.manifest),
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
  const { commitment, manifestSha256, recipients, files } = parsed.data;
  if (manifestSha256 !== sha256(content.manifest)) return false;
  if (commitment !== content.commitment || recipients.join() !== content.recipients.join()) return false;
  if (files.map((file) => file.path).join() !== SEALED_FILES.join()) return false;
  for (const file of files) {
    const at = path.join(folder, file.path);
    if (!(await store.exists(at)) || sha256(await store.read(at)) !== file.sha256) return false;
  }
  if (identities.length === 0) return true;
  const opened = await openFolder(store, folder, identities);
  return (
    opened !== null &&
    opened.salt === content.salt &&
    opened.seal === sealLine(content).trim() &&
    Buffer.compare(opened.key, content.key) === 0
  );
}

export interface OpenedFolder {
  readonly key: Uint8Array;
  readonly salt: string;
  /** The bundle's seal; null when its file is missing or does not open. */
  readonly seal: string | null;
}

/** What a sealed folder holds; null when key or salt is missing or none of the identities opens it. */
export async function openFolder(
  store: Store,
  folder: string,
  identities: readonly string[],
): Promise<OpenedFolder | null> {
  const open = async (name: string): Promise<Uint8Array | null> => {
    const file = path.join(folder, name);
    return (await store.exists(file)) ? openSealed(identities, await store.read(file)) : null;
  };
  const [key, salt, seal] = [await open(SEALED_KEY), await open(SEALED_SALT), await open(SEALED_MANIFEST)];
  if (key === null || salt === null) return null;
  const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString('utf8');
  return { key, salt: text(salt), seal: seal === null ? null : text(seal).trim() };
}

function sealLine({ salt, manifest }: SealContent): string {
  return `${bundleSeal(salt, manifest)}\n`;
}
