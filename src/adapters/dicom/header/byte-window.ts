import { readSync } from 'node:fs';

/** A header that the scanner does not trust itself with: dicom-parser decides about it. */
export class OddHeader extends Error {
  override readonly name = 'OddHeader';
}

// Pixel data begins at 2-17 KB in most CT and MR files: one read is enough for the smaller half of them.
const FIRST_READ = 8192;
const LARGEST_READ = 262_144;

// One buffer a thread serves every file: a scan never gives up its thread half-way.
let buffer = Buffer.allocUnsafe(FIRST_READ);

/** A window on a file (or on bytes in memory) that moves forward as a scan asks for more. */
export class ByteWindow {
  /** The bytes at hand; the byte at file offset `base + i` is `bytes[i]`. */
  bytes: Buffer;
  /** A copy of the bytes from the file's start, made when the window first moved on; null while it has not. */
  first: Buffer | null = null;
  private base = 0;
  private filled: number;
  private nextRead = FIRST_READ;

  /**
   * @param source - an open file, or the whole content
   * @param size - bytes of the file or content
   */
  constructor(
    private readonly source: number | Buffer,
    readonly size: number,
  ) {
    if (typeof source === 'number') {
      this.bytes = buffer;
      this.filled = 0;
      this.fill(0, Math.min(FIRST_READ, size));
    } else {
      this.bytes = source;
      this.filled = size;
    }
  }

  /** Number of bytes at hand from the start of the file; only before the window has moved. */
  get head(): number {
    return this.filled;
  }

  /**
   * The index into `bytes` of the byte at a file offset, with `length` bytes from there at hand.
   *
   * @throws {OddHeader} when the file ends before
   */
  at(offset: number, length: number): number {
    const index = offset - this.base;
    if (index >= 0 && index + length <= this.filled) return index;
    if (offset + length > this.size) throw new OddHeader('the file ends inside an element');
    this.first ??= this.copy();
    // A long header is read in growing pieces; behind a skipped value, a small one will do.
    const skipped = index > this.filled;
    this.nextRead = skipped ? FIRST_READ : Math.min(this.nextRead * 2, LARGEST_READ);
    this.fill(offset, Math.min(Math.max(length, this.nextRead), this.size - offset));
    if (this.filled < length) throw new OddHeader('the file is shorter than its size says');
    return 0;
  }

  /** A copy of the bytes at hand. */
  copy(): Buffer {
    return Buffer.from(this.bytes.subarray(0, this.filled));
  }

  private fill(offset: number, length: number): void {
    if (buffer.length < length) buffer = Buffer.allocUnsafe(length);
    this.bytes = buffer;
    this.base = offset;
    this.filled = 0;
    while (this.filled < length) {
      const count = readSync(
        this.source as number,
        buffer,
        this.filled,
        length - this.filled,
        offset + this.filled,
      );
      if (count === 0) break;
      this.filled += count;
    }
  }
}
