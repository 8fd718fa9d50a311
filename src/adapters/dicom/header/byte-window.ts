import { readSync } from 'node:fs';

/** A header that the scanner does not trust itself with: dicom-parser decides about it. */
export class OddHeader extends Error {
  override readonly name = 'OddHeader';
}

// Pixel data begins at 2-17 KB in most CT and MR files: one read is enough for the smaller half of them.
const FIRST_READ = 8192;
const LARGEST_READ = 262_144;

// Two buffers a thread serve every file: a scan never gives up its thread half-way.
const FIRST = Buffer.allocUnsafe(FIRST_READ);
let later = Buffer.alloc(0);

/** A window on a file (or on bytes in memory) that moves forward as a scan asks for more. */
export class ByteWindow {
  /** The bytes from the source's start; of a file they are good until the next file is opened. */
  readonly first: Buffer;
  /** The bytes at hand; the byte at offset `base + i` is `bytes[i]`. */
  bytes: Buffer;
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
      this.bytes = FIRST;
      this.filled = this.read(0, Math.min(FIRST_READ, size));
      this.first = this.filled === FIRST_READ ? FIRST : FIRST.subarray(0, this.filled);
    } else {
      this.first = this.bytes = source;
      this.filled = size;
    }
  }

  /** Whether the bytes at hand are those from the start. */
  get atStart(): boolean {
    return this.base === 0;
  }

  /**
   * The index into `bytes` of the byte at an offset, with `length` bytes from there at hand.
   *
   * @throws {OddHeader} when the source ends before
   */
  at(offset: number, length: number): number {
    const index = offset - this.base;
    if (index >= 0 && index + length <= this.filled) return index;
    if (offset + length > this.size) throw new OddHeader('the file ends inside an element');
    // A long header is read in growing pieces; behind a skipped value, a small one will do.
    const skipped = index > this.filled;
    this.nextRead = skipped ? FIRST_READ : Math.min(this.nextRead * 2, LARGEST_READ);
    const wanted = Math.min(Math.max(length, this.nextRead), this.size - offset);
    if (later.length < wanted) later = Buffer.allocUnsafe(wanted);
    this.bytes = later;
    this.base = offset;
    this.filled = this.read(offset, wanted);
    if (this.filled < length) throw new OddHeader('the file is shorter than its size says');
    return 0;
  }

  /** Reads into `bytes`; gives how many there were. */
  private read(offset: number, length: number): number {
    let done = 0;
    while (done < length) {
      const count = readSync(this.source as number, this.bytes, done, length - done, offset + done);
      if (count === 0) break;
      done += count;
    }
    return done;
  }
}
