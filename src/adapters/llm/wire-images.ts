import { randomBytes } from 'node:crypto';
import { sendPieces, type BodyPiece } from './body-fetch.js';
import { BufferPool } from './buffer-pool.js';
import type { ChatRequest } from './chat-model.js';

/** One for all models: 32 calls of ten images of 200 kB, all between two calls. */
const pool = new BufferPool(64_000_000);

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

  /** @param inner - absent: sent piece by piece */
  constructor(private readonly inner?: typeof globalThis.fetch) {
    this.#pattern = new RegExp(`${this.#mark}-\\d+;`, 'gu');
  }

  /** Reads the images of a request, one after another, and gives each its stand-in. */
  async hold(request: ChatRequest): Promise<HeldImages> {
    const mine: string[] = [];
    const taken: Buffer[] = [];
    const take = (length: number): Buffer => {
      const buffer = pool.take(length);
      taken.push(buffer);
      return buffer;
    };
    // Once a stand-in is gone nothing finds its bytes any more; what was sent was encoded into other memory.
    const release = (): void => {
      mine.splice(0).forEach((standIn) => this.#images.delete(standIn));
      taken.splice(0).forEach((buffer) => pool.give(buffer));
    };
    const encoded: (string | null)[] = [];
    try {
      for (const part of request.parts) {
        if (part.type === 'text') {
          encoded.push(null);
          continue;
        }
        const standIn = `${this.#mark}-${this.#next++};`;
        this.#images.set(standIn, await part.bytes(take));
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
    const inner = this.inner ?? globalThis.fetch;
    if (typeof init?.body !== 'string' || !init.body.includes(this.#mark)) return inner(input, init);
    if (this.inner || input instanceof Request) return inner(input, { ...init, body: this.fill(init.body) });
    return sendPieces(String(input), init, this.#pieces(init.body));
  };

  /** A body with base64 in place of the stand-ins, as UTF-8. */
  fill(body: string): Buffer<ArrayBuffer> {
    return Buffer.concat(
      this.#pieces(body).map((piece) =>
        typeof piece === 'string'
          ? Buffer.from(piece)
          : Buffer.from(Buffer.from(piece.base64Of).toString('base64')),
      ),
    );
  }

  #pieces(body: string): BodyPiece[] {
    const pieces: BodyPiece[] = [];
    let at = 0;
    for (const found of body.matchAll(this.#pattern)) {
      const image = this.#images.get(found[0]);
      if (!image) continue;
      pieces.push(body.slice(at, found.index), { base64Of: image });
      at = found.index + found[0].length;
    }
    pieces.push(body.slice(at));
    return pieces;
  }
}
