/** A generator of whole numbers below n (mulberry32): the same seed gives the same mutations. */
export function random(seed) {
  let state = (seed ^ 0x9e3779b9) >>> 0;
  return (n) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 2 ** 32) * n);
  };
}

/** A broken copy: one to three faults, mostly in the header. */
export function mutate(source, next) {
  let bytes = Buffer.from(source);
  for (let faults = 1 + next(3); faults > 0; faults--) bytes = FAULTS[next(FAULTS.length)](bytes, next);
  return bytes;
}

/** A place in the file; four times out of five in its first 4 KB behind the preamble. */
function place(bytes, next) {
  if (bytes.length < 2) return 0;
  return next(5) > 0 ? Math.min(bytes.length - 1, 128 + next(4096)) : next(bytes.length);
}

const FAULTS = [
  // Some bits flipped.
  (bytes, next) => {
    for (let i = 1 + next(8); i > 0 && bytes.length > 0; i--) bytes[place(bytes, next)] ^= 1 << next(8);
    return bytes;
  },
  // Cut off.
  (bytes, next) => bytes.subarray(0, place(bytes, next)),
  // A length, or what happens to lie there, made huge, odd, zero or undefined.
  (bytes, next) => {
    const at = place(bytes, next);
    const value = [
      0xffffffff,
      0x7fffffff,
      0x80000000,
      0,
      1,
      bytes.length,
      bytes.length * 2,
      next(0xffffffff),
    ][next(8)];
    if (at + 4 <= bytes.length) bytes.writeUInt32LE(value >>> 0, at);
    return bytes;
  },
  (bytes, next) => {
    const at = place(bytes, next);
    if (at + 2 <= bytes.length) bytes.writeUInt16LE([0xffff, 0, 1, 0xfffe, next(65536)][next(5)], at);
    return bytes;
  },
  // Two blocks change places.
  (bytes, next) => {
    const length = 1 + next(64);
    const [a, b] = [place(bytes, next), place(bytes, next)];
    if (Math.max(a, b) + length > bytes.length) return bytes;
    const kept = Buffer.from(bytes.subarray(a, a + length));
    bytes.copyWithin(a, b, b + length);
    kept.copy(bytes, b);
    return bytes;
  },
  // A run of zeros, or of ones.
  (bytes, next) => {
    const at = place(bytes, next);
    bytes.fill([0, 0xff][next(2)], at, Math.min(bytes.length, at + 1 + next(200)));
    return bytes;
  },
  // Bytes put in, or taken out.
  (bytes, next) => {
    const at = place(bytes, next);
    const some = Buffer.from(Array.from({ length: 1 + next(16) }, () => next(256)));
    return Buffer.concat([bytes.subarray(0, at), some, bytes.subarray(at)]);
  },
  (bytes, next) => {
    const at = place(bytes, next);
    return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1 + next(16))]);
  },
];
