import { encodeGreyPng } from '../../adapters/image/index.js';
import { sha256 } from '../../util/hash.js';

/** A uniform picture as a file. */
export interface BlankImage {
  readonly bytes: Uint8Array;
  readonly sha256: string;
}

/** Neither black, which looks like the air around a patient, nor white. */
const GREY = 128;

/** Uniform grey PNGs, one of each size. */
export class BlankImages {
  readonly #made = new Map<string, Promise<BlankImage>>();

  /** @param width - pixels @param height - pixels */
  get(width: number, height: number): Promise<BlankImage> {
    const size = `${width}x${height}`;
    const known = this.#made.get(size);
    if (known) return known;
    const making = makeBlank(width, height);
    this.#made.set(size, making);
    return making;
  }
}

async function makeBlank(width: number, height: number): Promise<BlankImage> {
  const bytes = await encodeGreyPng({ pixels: new Uint8Array(width * height).fill(GREY), width, height });
  return { bytes, sha256: sha256(bytes) };
}
