import { randomBytes } from 'node:crypto';

/** A string of JSON longer than this may be an image. */
const LONG = 4096;
const QUOTE = 0x22;
/** Base64 characters decoded at a time, a multiple of 4. */
const STEP = 65_536;

/**
 * JSON whose long base64 strings stay where they are in the body, with short names in their place. A request of megabytes
 * is nearly all base64, and making strings of it costs many times what decoding does.
 */
export class Blobs {
  readonly #mark = `blob-${randomBytes(8).toString('hex')}-`;
  readonly #spans: { readonly start: number; readonly end: number }[] = [];

  private constructor(private readonly body: Buffer) {}

  /** @throws {SyntaxError} when the body is no JSON */
  static parse(body: Buffer): { readonly value: unknown; readonly blobs: Blobs } {
    const blobs = new Blobs(body);
    return { value: JSON.parse(blobs.#short()) as unknown, blobs };
  }

  /** Whether a text is the name of a blob. */
  has(text: string): boolean {
    return this.#span(text) !== undefined;
  }

  /** Characters of a blob's base64. */
  length(name: string): number {
    const { start, end } = this.#span(name)!;
    return end - start;
  }

  /** Decodes a blob. @returns bytes written; fewer than its length says when it is no base64 */
  decode(name: string, into: Buffer): number {
    const { start, end } = this.#span(name)!;
    let written = 0;
    for (let at = start; at < end; at += STEP) {
      written += into.write(this.body.toString('latin1', at, Math.min(end, at + STEP)), written, 'base64');
    }
    return written;
  }

  /** `=` signs at a blob's end. */
  padding(name: string): number {
    const { end } = this.#span(name)!;
    const tail = this.body.toString('latin1', end - 2, end);
    return tail === '==' ? 2 : tail.endsWith('=') ? 1 : 0;
  }

  #span(text: string): { readonly start: number; readonly end: number } | undefined {
    return text.startsWith(this.#mark) ? this.#spans[Number(text.slice(this.#mark.length))] : undefined;
  }

  #short(): string {
    const pieces: string[] = [];
    let kept = 0;
    let open = this.body.indexOf(QUOTE);
    while (open >= 0) {
      const close = this.#closing(open);
      if (close < 0) break;
      const start = close - open > LONG ? this.#base64Start(open + 1, close) : -1;
      if (start >= 0) {
        pieces.push(this.body.toString('utf8', kept, start), `${this.#mark}${this.#spans.length}`);
        this.#spans.push({ start, end: close });
        kept = close;
      }
      open = this.body.indexOf(QUOTE, close + 1);
    }
    pieces.push(this.body.toString('utf8', kept));
    return pieces.join('');
  }

  /** The quote that ends the string which begins at `open`. */
  #closing(open: number): number {
    let close = this.body.indexOf(QUOTE, open + 1);
    while (close > 0) {
      let backslashes = 0;
      while (this.body[close - 1 - backslashes] === 0x5c) backslashes += 1;
      if (backslashes % 2 === 0) return close;
      close = this.body.indexOf(QUOTE, close + 1);
    }
    return -1;
  }

  /** Where base64 begins in a string, behind the head of a data URL; -1: it is something else. */
  #base64Start(start: number, end: number): number {
    const head = this.body.toString('latin1', start, Math.min(end, start + 1024));
    const [found] = /^(?:data:[a-z]+\/[a-z+.-]+;base64,)?/u.exec(head)!;
    if (!/^[A-Za-z0-9+/]+$/u.test(head.slice(found.length))) return -1;
    return this.body.subarray(start, end).includes(0x5c) ? -1 : start + found.length;
  }
}
