import { randomBytes } from 'node:crypto';
import type { ChatRequest } from './chat-model.js';

/** The images of one call while it lasts. */
export interface HeldImages {
  /** A stand-in for every image of the request, null where a text stands. */
  readonly encoded: readonly (string | null)[];
  /** The bytes behind a stand-in; null for any other text. */
  readonly bytesOf: (standIn: string) => Uint8Array | null;
  readonly release: () => void;
}

/**
 * Takes the place of the images while a request goes through an SDK, and puts them into the body that goes out.
 *
 * As base64 in the SDK's parameters an image would be copied four times (string, data URL, JSON, UTF-8), which for
 * requests of megabytes costs more than all the rest. Here each is turned into base64 once, where it is sent.
 */
export class WireImages {
  readonly #images = new Map<string, Uint8Array>();
  readonly #pattern: RegExp;
  readonly #mark = `groundmark-image-${randomBytes(8).toString('hex')}`;
  #next = 0;

  constructor(private readonly inner: typeof globalThis.fetch = globalThis.fetch) {
    this.#pattern = new RegExp(`${this.#mark}-\\d+;`, 'gu');
  }

  /** Reads the images of a request, one after another, and gives each its stand-in. */
  async hold(request: ChatRequest): Promise<HeldImages> {
    const mine: string[] = [];
    const release = (): void => mine.forEach((standIn) => this.#images.delete(standIn));
    const encoded: (string | null)[] = [];
    try {
      for (const part of request.parts) {
        if (part.type === 'text') {
          encoded.push(null);
          continue;
        }
        const standIn = `${this.#mark}-${this.#next++};`;
        this.#images.set(standIn, await part.bytes());
        mine.push(standIn);
        encoded.push(standIn);
      }
    } catch (error) {
      release();
      throw error;
    }
    const own = new Set(mine);
    return { encoded, bytesOf: (text) => (own.has(text) ? (this.#images.get(text) ?? null) : null), release };
  }

  /** A fetch that sends the images where their stand-ins are. */
  readonly fetch: typeof globalThis.fetch = (input, init) => {
    if (typeof init?.body !== 'string' || !init.body.includes(this.#mark)) return this.inner(input, init);
    return this.inner(input, { ...init, body: this.fill(init.body) });
  };

  /** A body with base64 in place of the stand-ins, as UTF-8. */
  fill(body: string): Buffer<ArrayBuffer> {
    const pieces: (string | Uint8Array)[] = [];
    let at = 0;
    let bytes = 0;
    for (const found of body.matchAll(this.#pattern)) {
      const image = this.#images.get(found[0]);
      if (!image) continue;
      const text = body.slice(at, found.index);
      pieces.push(text, image);
      bytes += Buffer.byteLength(text) + 4 * Math.ceil(image.length / 3);
      at = found.index + found[0].length;
    }
    pieces.push(body.slice(at));
    // Not zeroed: every byte is written below.
    const filled = Buffer.allocUnsafe(bytes + Buffer.byteLength(body.slice(at)));
    let end = 0;
    for (const piece of pieces) {
      end += typeof piece === 'string' ? filled.write(piece, end) : writeBase64(filled, piece, end);
    }
    if (end !== filled.length) throw new RangeError('wire body: length and content differ');
    return filled;
  }
}

/** Bytes encoded at a time, a multiple of 3. Strings that outgrow V8's young space make base64 fifty times slower. */
const STEP = 24_576;

function writeBase64(target: Buffer, bytes: Uint8Array, start: number): number {
  const source = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let end = start;
  for (let at = 0; at < source.length; at += STEP) {
    end += target.write(source.toString('base64', at, Math.min(source.length, at + STEP)), end, 'latin1');
  }
  return end - start;
}
