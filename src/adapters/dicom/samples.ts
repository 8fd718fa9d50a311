import type { PixelLayout } from './pixel-layout.js';

export type Samples =
  Uint8Array | Int8Array | Uint16Array | Int16Array | Uint32Array | Int32Array | Float32Array | Float64Array;

/** What reading samples needs to know of their layout. */
export type SampleLayout = Pick<PixelLayout, 'bitsAllocated' | 'bitsStored' | 'highBit' | 'signed' | 'float'>;

/**
 * Stored values out of little- or big-endian bytes, interleaved, masked to BitsStored and sign-extended.
 *
 * @param bytes - samples of BitsAllocated bits; 1-bit samples begin at `firstBit` of the first byte, lowest bit first
 * @param count - number of samples
 * @param options - `mayKeep`: the bytes are nobody else's, so that the samples may lie in them
 */
export function samplesOf(
  bytes: Uint8Array,
  layout: SampleLayout,
  count: number,
  options: { bigEndian?: boolean; firstBit?: number; mayKeep?: boolean } = {},
): Samples {
  if (layout.bitsAllocated === 1) return unpackBits(bytes, count, options.firstBit ?? 0);
  const size = layout.bitsAllocated / 8;
  const own = ownBytes(bytes, count * size, options.mayKeep === true && bytes.byteOffset % size === 0);
  if (options.bigEndian && size === 2) own.swap16();
  if (options.bigEndian && size === 4) own.swap32();
  if (options.bigEndian && size === 8) own.swap64();
  return masked(typed(own, layout), layout);
}

/** A copy, as the view must be aligned and swapping must not touch the caller's bytes; or the bytes that may be kept. */
function ownBytes(bytes: Uint8Array, length: number, keep: boolean): Buffer {
  if (keep) return Buffer.from(bytes.buffer, bytes.byteOffset, length);
  const own = Buffer.from(new ArrayBuffer(length));
  own.set(bytes.subarray(0, length));
  return own;
}

function typed(own: Buffer, { bitsAllocated, signed, float }: SampleLayout): Samples {
  const { buffer, byteOffset, length } = own;
  const count = length / (bitsAllocated / 8);
  if (float) {
    return bitsAllocated === 64
      ? new Float64Array(buffer, byteOffset, count)
      : new Float32Array(buffer, byteOffset, count);
  }
  if (bitsAllocated === 8) {
    return signed ? new Int8Array(buffer, byteOffset, count) : new Uint8Array(buffer, byteOffset, count);
  }
  if (bitsAllocated === 16) {
    return signed ? new Int16Array(buffer, byteOffset, count) : new Uint16Array(buffer, byteOffset, count);
  }
  return signed ? new Int32Array(buffer, byteOffset, count) : new Uint32Array(buffer, byteOffset, count);
}

/** Bits outside BitsStored (old overlays, garbage) are not part of the value. PS3.5 section 8.1.1. */
function masked(
  samples: Samples,
  { bitsAllocated, bitsStored, highBit, signed, float }: SampleLayout,
): Samples {
  if (float || bitsStored === bitsAllocated || isClean(samples, bitsStored, highBit, signed)) return samples;
  const left = 31 - highBit;
  const right = 32 - bitsStored;
  for (let i = 0; i < samples.length; i++) {
    const shifted = samples[i]! << left;
    samples[i] = signed ? shifted >> right : shifted >>> right;
  }
  return samples;
}

/** Whether unsigned samples have no bit outside BitsStored: most have none. */
function isClean(samples: Samples, bitsStored: number, highBit: number, signed: boolean): boolean {
  if (signed || highBit !== bitsStored - 1) return false;
  let bits = 0;
  for (let i = 0; i < samples.length; i++) bits |= samples[i]!;
  return bits >>> bitsStored === 0;
}

function unpackBits(bytes: Uint8Array, count: number, firstBit: number): Uint8Array {
  const out = new Uint8Array(count);
  for (let i = 0; i < count; i++) {
    const bit = firstBit + i;
    out[i] = (bytes[bit >> 3]! >> (bit & 7)) & 1;
  }
  return out;
}

/** Planes (all red, all green, all blue) as interleaved samples. PS3.3 C.7.6.3.1.3. */
export function interleave<T extends Samples>(planes: T, samplesPerPixel: number): T {
  const pixels = planes.length / samplesPerPixel;
  const out = planes.slice() as T;
  for (let i = 0; i < pixels; i++) {
    for (let s = 0; s < samplesPerPixel; s++) out[i * samplesPerPixel + s] = planes[s * pixels + i]!;
  }
  return out;
}

/** YBR_FULL_422 as YBR_FULL: each stored Y Y Cb Cr gives two pixels that share the chrominance. PS3.3 C.7.6.3.1.2. */
export function upsample422(stored: Samples): Samples {
  const pairs = stored.length / 4;
  const out = new (stored.constructor as new (length: number) => Samples)(pairs * 6);
  for (let i = 0; i < pairs; i++) {
    const [y1, y2, cb, cr] = [stored[i * 4]!, stored[i * 4 + 1]!, stored[i * 4 + 2]!, stored[i * 4 + 3]!];
    out.set([y1, cb, cr, y2, cb, cr], i * 6);
  }
  return out;
}
