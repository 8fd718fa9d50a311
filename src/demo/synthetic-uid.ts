import { sha256 } from '../util/hash.js';

/** A UID out of a name: `2.25.` and a 128-bit number (PS3.5 B.2), the same for the same labels. */
export function syntheticUid(...labels: readonly (string | number)[]): string {
  return `2.25.${BigInt('0x' + sha256(JSON.stringify(labels)).slice(0, 32)).toString(10)}`;
}
