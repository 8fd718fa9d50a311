import { opaqueId, sha256 } from '../../util/hash.js';

/**
 * The salt of a key's commitment: a line of 64 hexadecimal digits. It depends on the workspace's secret, so nobody can
 * try keys against the commitment, and on the key, so that the same workspace gives the same bundle.
 */
export function commitmentSalt(secret: string, key: Uint8Array): string {
  return `${opaqueId(secret, 'commitment-salt', sha256(key), 64)}\n`;
}

/**
 * What binds a bundle to its key: SHA-256 of the salt's bytes followed by those of manifest.json. Anyone can encrypt for
 * a public key, so the plain hash could be sealed anew; this one takes the salt.
 */
export function bundleSeal(salt: string, manifest: Uint8Array): string {
  return sha256(Buffer.concat([Buffer.from(salt, 'utf8'), manifest]));
}

/** SHA-256 of the salt's bytes followed by the key's: what `cat salt.txt key.jsonl | sha256sum` prints. */
export function commitTo(salt: string, key: Uint8Array): string {
  return sha256(Buffer.concat([Buffer.from(salt, 'utf8'), key]));
}
