import { imageSize } from '../adapters/llm/index.js';
import { loadSharp } from '../adapters/load-packages.js';
import { sha256 } from '../util/hash.js';
import type { Blobs } from './blobs.js';
import { Rejected } from './rejected.js';
import type { SeenImage } from './types.js';

/** A picture inside a request, still as base64, or as the name that stands for it in the body. */
export interface RawImage {
  readonly mediaType: string;
  readonly base64: string;
  /** Where it stands, for the refusal. */
  readonly param: string;
}

/** Takes a data URL apart. @throws {Rejected} when it is none: the stand-in fetches nothing */
export function fromDataUrl(url: string, param: string): RawImage {
  const found = /^data:([a-z]+\/[a-z+.-]+);base64,/u.exec(url.slice(0, 64));
  if (!found) throw new Rejected(`Invalid value for '${param}': not a base64 data URL.`, param);
  return { mediaType: found[1]!, base64: url.slice(found[0].length), param };
}

/** Checks images, and decodes each different one once. */
export class ImageChecker {
  readonly #decoded = new Map<string, Promise<boolean>>();
  #scratch = Buffer.alloc(0);

  constructor(private readonly depth: 'decode' | 'header') {}

  /** @throws {Rejected} when the base64, the type or the picture is wrong */
  async check(
    { mediaType, base64, param }: RawImage,
    label: string | null,
    blobs: Blobs | null,
  ): Promise<SeenImage> {
    const bytes = blobs?.has(base64) ? this.#decodeBlob(base64, blobs, param) : decodeBase64(base64, param);
    const size = imageSize(bytes);
    if (!size) throw unreadable(param);
    if (mediaType !== typeOf(bytes)) {
      throw new Rejected(
        `Invalid value for '${param}': the image is not ${mediaType}.`,
        param,
        'invalid_image',
      );
    }
    const hash = sha256(bytes);
    if (this.depth === 'decode' && !(await this.#decodes(hash, bytes))) throw unreadable(param);
    return { sha256: hash, mediaType, ...size, bytes: bytes.length, label };
  }

  /** The bytes are good until the next blob is decoded. */
  #decodeBlob(name: string, blobs: Blobs, param: string): Buffer {
    const length = blobs.length(name);
    const wanted = (length / 4) * 3 - blobs.padding(name);
    if (this.#scratch.length < length) this.#scratch = Buffer.allocUnsafe(2 * length);
    if (blobs.decode(name, this.#scratch) !== wanted) throw notBase64(param);
    return this.#scratch.subarray(0, wanted);
  }

  #decodes(hash: string, bytes: Buffer): Promise<boolean> {
    const known = this.#decoded.get(hash);
    if (known) return known;
    const decodes = loadSharp()(Buffer.from(bytes), { failOn: 'warning' })
      .raw()
      .toBuffer()
      .then(
        () => true,
        () => false,
      );
    this.#decoded.set(hash, decodes);
    return decodes;
  }
}

function unreadable(param: string): Rejected {
  return new Rejected(`Invalid value for '${param}': no image can be read from it.`, param, 'invalid_image');
}

function typeOf(bytes: Buffer): string {
  return bytes[0] === 0xff ? 'image/jpeg' : 'image/png';
}

/** Node skips what is no base64; here it is an error, and so is a length that does not fit. */
function decodeBase64(text: string, param: string): Buffer {
  const bytes = Buffer.from(text, 'base64');
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  const whole = text.length % 4 === 0 && bytes.length === (text.length / 4) * 3 - padding;
  if (!whole || text.includes('-') || text.includes('_') || text === '') {
    throw notBase64(param);
  }
  return bytes;
}

function notBase64(param: string): Rejected {
  return new Rejected(`Invalid value for '${param}': not base64.`, param, 'invalid_base64');
}
