import { createHmac } from 'node:crypto';

/** Largest move of a patient's dates, days either way. */
export const MAX_SHIFT_DAYS = 730;

/** What a pseudonym looks like. */
export const PSEUDONYM = /^GM-[0-9A-F]{16}$/u;

/**
 * New identifiers for old ones. The same key and the same old identifier give the same new one in every file and run;
 * without the key no new one leads back to an old one.
 */
export interface KeyedNames {
  /** `2.25.` and a 128-bit number (PS3.5 B.2). UIDs that the standard itself gives out, and classes, stay. */
  uid(uid: string): string;
  /** `GM-` and 16 hexadecimal digits. */
  pseudonym(patient: string): string;
  /** Days to move the dates of a patient: −730 to 730, never 0. */
  shiftDays(patient: string): number;
}

/** @param key - the secret; at least 16 bytes */
export function keyedNames(key: Uint8Array): KeyedNames {
  const digest = (kind: string, name: string): Buffer =>
    createHmac('sha256', key).update(`groundmark-deid\0${kind}\0${name}`).digest();
  const uids = new Map<string, string>();
  return {
    uid(uid) {
      const known = uids.get(uid);
      if (known !== undefined) return known;
      const fresh = `2.25.${BigInt(`0x${digest('uid', uid).subarray(0, 16).toString('hex')}`)}`;
      uids.set(uid, fresh);
      return fresh;
    },
    pseudonym: (patient) => `GM-${digest('patient', patient).subarray(0, 8).toString('hex').toUpperCase()}`,
    shiftDays(patient) {
      const step = digest('shift', patient).readUInt32BE(0) % (2 * MAX_SHIFT_DAYS);
      return step < MAX_SHIFT_DAYS ? step - MAX_SHIFT_DAYS : step - MAX_SHIFT_DAYS + 1;
    },
  };
}

/** UIDs of the standard, classes and code lists: they name kinds, not things. */
export function isPublicUid(uid: string, keyword: string | null): boolean {
  // What is no UID at all may be anything.
  if (!/^[\d.]+$/u.test(uid)) return false;
  return (
    uid.startsWith('1.2.840.10008.') ||
    /(?:ClassUID|TransferSyntaxUID|CodingSchemeUID|ContextUID|ContextGroupExtensionCreatorUID|MappingResourceUID)$/u.test(
      keyword ?? '',
    )
  );
}
