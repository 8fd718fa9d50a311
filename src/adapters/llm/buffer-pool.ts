/** Sizes are rounded up to this, so that images of about the same size fit into each other's memory. */
const GRAIN = 65_536;

/**
 * Memory for the images of calls, used again and again: for files of 100 kB and more, fresh pages and their collection cost
 * many times what reading does.
 */
export class BufferPool {
  readonly #free: Buffer[] = [];
  #freeBytes = 0;

  /** @param keptBytes - of buffers that are free; more are let go */
  constructor(private readonly keptBytes: number) {}

  /** A buffer of at least so many bytes, with anything in it. */
  take(length: number): Buffer {
    const place = this.#free.findIndex(
      (buffer) => buffer.length >= length && buffer.length <= 2 * length + GRAIN,
    );
    if (place < 0) return Buffer.allocUnsafeSlow(Math.max(1, Math.ceil(length / GRAIN)) * GRAIN);
    const [buffer] = this.#free.splice(place, 1);
    this.#freeBytes -= buffer!.length;
    return buffer!;
  }

  /** Takes back what {@link take} gave, once; nobody may look at it any more. */
  give(buffer: Buffer): void {
    if (this.#freeBytes + buffer.length > this.keptBytes) return;
    this.#free.push(buffer);
    this.#freeBytes += buffer.length;
  }
}
