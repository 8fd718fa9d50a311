/** What a multipart body holds, in order: a part's headers (names in lower case), its bytes in pieces, its end. */
export type MultipartEvent =
  | { readonly kind: 'part'; readonly headers: ReadonlyMap<string, string> }
  | { readonly kind: 'data'; readonly bytes: Buffer }
  | { readonly kind: 'end' };

/** A body that is not multipart (`malformed`), or ends inside a part (`truncated`). */
export class MultipartError extends Error {
  constructor(
    readonly kind: 'malformed' | 'truncated',
    message: string,
  ) {
    super(message);
    this.name = 'MultipartError';
  }
}

const EMPTY: Buffer = Buffer.alloc(0);
const [LF, CR, DASH] = [0x0a, 0x0d, 0x2d];
/** Headers longer than this are not headers. */
const MOST_HEADER_BYTES = 16_384;
/** Blanks that may stand between a boundary and its line end (RFC 2046 §5.1.1 "transport-padding"). */
const MOST_PADDING = 256;

/**
 * A streaming parser of multipart bodies (RFC 2046 §5.1): bytes in, events out, never more held than a delimiter.
 *
 * Takes line ends of LF alone, text before the first boundary, and a last boundary without its two dashes. A part
 * counts as whole when a boundary follows it, or when its own Content-Length has been reached; everything else is an
 * error, never a short part. Inside an announced length, bytes that look like the boundary are data.
 */
export class MultipartParser {
  private readonly marker: Buffer;
  private state: 'preamble' | 'headers' | 'data' | 'epilogue' = 'preamble';
  private held = EMPTY;
  private atStart = true;
  private headerBytes = 0;
  private headers = new Map<string, string>();
  private lastHeader = '';
  /** The part's Content-Length; null when it gives none. */
  private length: number | null = null;
  private received = 0;
  /** Whether this body ends its lines with LF alone: then a CR before it is data. */
  private lineFeedOnly = false;

  constructor(boundary: string) {
    this.marker = Buffer.from(`--${boundary}`, 'latin1');
  }

  *push(bytes: Uint8Array): Generator<MultipartEvent> {
    const chunk = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.held = this.held.length === 0 ? chunk : Buffer.concat([this.held, chunk]);
    yield* this.run(false);
  }

  /** @throws {MultipartError} when the body ended too early */
  *finish(): Generator<MultipartEvent> {
    yield* this.run(true);
    if (this.state === 'preamble') throw new MultipartError('malformed', 'no boundary was found');
    if (this.state === 'headers') {
      // A last boundary without its dashes: the part before it was whole.
      if (this.headerBytes === 0 && this.held.toString('latin1').trim() === '') return;
      throw new MultipartError('truncated', 'the body ends inside the headers of a part');
    }
    if (this.state === 'data') yield* this.finishData();
  }

  private *run(final: boolean): Generator<MultipartEvent> {
    for (;;) {
      const before = this.state;
      if (before === 'epilogue') {
        this.held = EMPTY;
        return;
      }
      if (before === 'headers') {
        if (!this.readHeaders()) return;
        yield { kind: 'part', headers: this.headers };
      } else if (before === 'preamble') {
        if (!this.skipPreamble(final)) return;
      } else {
        const found = this.findDelimiter(final);
        if (found.dataEnd > 0) yield this.take(found.dataEnd);
        if (found.next === null) return;
        this.held = this.held.subarray(found.next.skip - found.dataEnd);
        if (this.length !== null && this.received !== this.length) {
          throw new MultipartError(
            'malformed',
            `a part holds ${this.received} bytes and announced ${this.length}`,
          );
        }
        this.enter(found.next.closes);
        yield { kind: 'end' };
      }
    }
  }

  private take(count: number): MultipartEvent {
    const bytes = this.held.subarray(0, count);
    this.held = this.held.subarray(count);
    this.received += count;
    return { kind: 'data', bytes };
  }

  private enter(closes: boolean): void {
    this.state = closes ? 'epilogue' : 'headers';
    this.headers = new Map();
    this.headerBytes = 0;
    this.lastHeader = '';
  }

  private skipPreamble(final: boolean): boolean {
    let index = this.held.indexOf(this.marker);
    while (index >= 0) {
      if (index === 0 ? this.atStart : this.held[index - 1] === LF) {
        const line = this.delimiterLine(index, final);
        if (line === 'wait') return false;
        if (line !== 'none') {
          this.lineFeedOnly = !line.closes && this.held[line.skip - 2] !== CR;
          this.held = this.held.subarray(line.skip);
          this.enter(line.closes);
          return true;
        }
      }
      index = this.held.indexOf(this.marker, index + 1);
    }
    const keep = this.marker.length + MOST_PADDING;
    if (this.held.length > keep) {
      this.held = this.held.subarray(this.held.length - keep);
      this.atStart = false;
    }
    return false;
  }

  /** What follows the marker at `index`: the end of a delimiter line, something else, or not enough to tell. */
  private delimiterLine(
    index: number,
    final: boolean,
  ): 'none' | 'wait' | { readonly skip: number; readonly closes: boolean } {
    const { held } = this;
    let at = index + this.marker.length;
    if (held[at] === DASH && held[at + 1] === DASH) return { skip: at + 2, closes: true };
    const start = at;
    while (at - start < MOST_PADDING && (held[at] === 0x20 || held[at] === 0x09)) at++;
    if (held[at] === LF) return { skip: at + 1, closes: false };
    if (held[at] === CR && held[at + 1] === LF) return { skip: at + 2, closes: false };
    const cut = at >= held.length || ((held[at] === CR || held[at] === DASH) && at + 1 >= held.length);
    if (!cut) return 'none';
    return final ? { skip: held.length, closes: false } : 'wait';
  }

  /** Reads header lines; true when the blank line after them was reached. */
  private readHeaders(): boolean {
    for (;;) {
      const end = this.held.indexOf(LF);
      if ((end < 0 ? this.held.length : end) + this.headerBytes > MOST_HEADER_BYTES) {
        throw new MultipartError('malformed', 'the headers of a part do not end');
      }
      if (end < 0) return false;
      const line = this.held.subarray(0, end).toString('latin1').replace(/\r$/u, '');
      this.held = this.held.subarray(end + 1);
      this.headerBytes += end + 1;
      if (line === '') break;
      const [, name, value] = /^([^\s:]+)[ \t]*:[ \t]*(.*)$/su.exec(line) ?? [];
      if (name !== undefined) {
        this.lastHeader = name.toLowerCase();
        this.headers.set(this.lastHeader, value!.trim());
      } else if (/^[ \t]/u.test(line) && this.lastHeader !== '') {
        this.headers.set(this.lastHeader, `${this.headers.get(this.lastHeader)!} ${line.trim()}`);
      } else throw new MultipartError('malformed', 'a header line of a part has no colon');
    }
    const length = this.headers.get('content-length');
    this.length = length !== undefined && /^\d{1,15}$/u.test(length) ? Number(length) : null;
    this.received = 0;
    this.state = 'data';
    return true;
  }

  /** How many held bytes are data for certain, and the delimiter after them if it is all there. */
  private findDelimiter(final: boolean): {
    readonly dataEnd: number;
    readonly next: { readonly skip: number; readonly closes: boolean } | null;
  } {
    const { held, marker } = this;
    for (let index = held.indexOf(marker); index >= 0; index = held.indexOf(marker, index + 1)) {
      const dataEnd = this.dataEndBefore(index);
      if (dataEnd === null) continue;
      const line = this.delimiterLine(index, final);
      if (line === 'none') continue;
      return line === 'wait' ? { dataEnd: Math.max(0, index - 2), next: null } : { dataEnd, next: line };
    }
    return { dataEnd: final ? 0 : Math.max(0, held.length - marker.length - 2), next: null };
  }

  /** Where the data end if a delimiter stands at `index`, or null when none can stand there. */
  private dataEndBefore(index: number): number | null {
    const { held, length, received } = this;
    // An empty part: the line end before the delimiter is that of the headers.
    if (index === 0) return received === 0 && (length ?? 0) === 0 ? 0 : null;
    if (held[index - 1] !== LF) return null;
    const short = index >= 2 && held[index - 2] === CR ? index - 2 : index - 1;
    if (length === null) return this.lineFeedOnly ? index - 1 : short;
    for (const end of [short, index - 1]) if (received + end === length) return end;
    return received + index - 1 < length ? null : short;
  }

  /** The end of the body inside a part: whole only when its announced length is there. */
  private *finishData(): Generator<MultipartEvent> {
    const missing = this.length === null ? Infinity : this.length - this.received;
    const rest = this.held.length - missing;
    if (missing < 0 || rest < 0 || this.held.subarray(missing).toString('latin1').trim() !== '') {
      throw new MultipartError('truncated', 'the body ends inside a part, without a boundary after it');
    }
    if (missing > 0) yield this.take(missing);
    this.state = 'epilogue';
    yield { kind: 'end' };
  }
}
