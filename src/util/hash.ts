import { createHash, createHmac } from 'node:crypto';
import { canonicalJson } from './canonical-json.js';

/** Lower-case hexadecimal SHA-256. */
export function sha256(data: string | Uint8Array): string {
  return createHash('sha256').update(data).digest('hex');
}

/** SHA-256 of the canonical JSON of a value. */
export function hashValue(value: unknown): string {
  return sha256(canonicalJson(value));
}

/** An id that says nothing to whoever lacks the secret: the first `length` hexadecimal digits of an HMAC-SHA-256. */
export function opaqueId(secret: string, kind: string, name: string, length = 10): string {
  return createHmac('sha256', secret).update(`${kind}\u0000${name}`).digest('hex').slice(0, length);
}

/** 32-bit FNV-1a of the UTF-8 bytes. */
export function fnv1a32(text: string): number {
  let hash = 2166136261;
  for (const byte of new TextEncoder().encode(text)) {
    hash ^= byte;
    hash = Math.imul(hash, 16777619) >>> 0;
  }
  return hash;
}
