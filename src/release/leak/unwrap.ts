/** Bytes that a file holds in another writing. */
export interface Unwrapped {
  readonly form: 'utf-16' | 'base64' | 'hex';
  readonly bytes: Uint8Array;
}

/** The bytes without their zero bytes: ASCII and Latin-1 text in UTF-16 of either byte order becomes plain. Null when there is none. */
export function withoutZeros(bytes: Uint8Array): Unwrapped | null {
  if (!bytes.includes(0)) return null;
  const kept = new Uint8Array(bytes.length);
  let n = 0;
  for (let i = 0; i < bytes.length; i++) {
    kept[n] = bytes[i]!;
    if (bytes[i] !== 0) n++;
  }
  return { form: 'utf-16', bytes: kept.subarray(0, n) };
}

/**
 * Every run of base64 (also the URL alphabet) and hexadecimal digits in a text, decoded. White space is taken out
 * first, since such text is often broken into lines; a run can begin in the middle of a group because other text
 * touches it, so every place in the group is tried. RFC 4648 sections 4, 5 and 8.
 */
export function* decodedRuns(text: string): Generator<Unwrapped> {
  const packed = text.replace(/\s+/gu, '');
  // 11 base64 characters and 16 hexadecimal digits are 8 bytes, the shortest value that is looked for here.
  for (const [run] of packed.matchAll(/[A-Za-z0-9+/_-]{11,}/g)) {
    for (let skip = 0; skip < 4; skip++) {
      yield { form: 'base64', bytes: Buffer.from(run.slice(skip), 'base64') };
    }
  }
  for (const [run] of packed.matchAll(/[0-9A-Fa-f]{16,}/g)) {
    for (let skip = 0; skip < 2; skip++) yield { form: 'hex', bytes: Buffer.from(run.slice(skip), 'hex') };
  }
}
