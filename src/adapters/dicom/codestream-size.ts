/** What a compressed picture says of itself. */
export interface CodestreamSize {
  readonly columns: number;
  /** 0 when the stream tells it only at its end (JPEG's DNL). */
  readonly rows: number;
  readonly components: number;
}

/** Boxes of a JP2 or JPEG XL file that hold the code stream. */
const CODESTREAM_BOXES = new Set(['jp2c', 'jxlc', 'jxlp']);

/**
 * The size of a JPEG, JPEG-LS, JPEG 2000 or JPEG XL picture, from its first marker segments; null when they do not
 * read. Nothing is decoded.
 */
export function codestreamSize(encoded: Buffer): CodestreamSize | null {
  try {
    const stream = withoutBoxes(encoded);
    const first = stream.readUInt16BE(0);
    if (first === 0xffd8) return jpegSize(stream);
    if (first === 0xff4f) return jpeg2000Size(stream);
    if (first === 0xff0a) return jpegXlSize(stream);
    return null;
  } catch (error) {
    // Reads past the end: the stream stops before it says its size.
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** EOI of JPEG, EOC of JPEG 2000. */
const END_MARKER = Buffer.from([0xff, 0xd9]);

/** Whether a JPEG or JPEG 2000 stream has its end marker, which cannot occur within compressed samples. */
export function hasEnd(encoded: Buffer): boolean {
  return encoded.lastIndexOf(END_MARKER) > 0;
}

/**
 * A JPEG-LS stream with an end marker behind it, put there when it has none: its decoder, out of bytes, otherwise goes on
 * for seconds before it gives up. Bytes after an end marker are not read.
 */
export function withEnd(encoded: Buffer): Buffer {
  return encoded.includes(END_MARKER, -3) ? encoded : Buffer.concat([encoded, END_MARKER]);
}

/** The code stream out of JP2 or JPEG XL boxes (ISO/IEC 15444-1 annex I); anything else as it is. */
function withoutBoxes(encoded: Buffer): Buffer {
  if (encoded.readUInt32BE(0) !== 12) return encoded;
  for (let at = 0; at + 8 <= encoded.length;) {
    const length = encoded.readUInt32BE(at);
    const type = encoded.toString('latin1', at + 4, at + 8);
    if (CODESTREAM_BOXES.has(type)) return encoded.subarray(at + (type === 'jxlp' ? 12 : 8));
    if (length < 8) break;
    at += length;
  }
  return encoded;
}

/** SOFn of ITU-T T.81 B.2.2, SOF55 of JPEG-LS. */
function jpegSize(stream: Buffer): CodestreamSize | null {
  for (let at = 2; at + 4 <= stream.length;) {
    if (stream[at] !== 0xff) return null;
    const marker = stream[at + 1]!;
    if (marker === 0xff || marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8)) {
      at += marker === 0xff ? 1 : 2;
      continue;
    }
    const frame =
      (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)) || marker === 0xf7;
    if (frame) {
      const [rows, columns] = [stream.readUInt16BE(at + 5), stream.readUInt16BE(at + 7)];
      return { rows, columns, components: stream.readUInt8(at + 9) };
    }
    if (marker === 0xda || marker === 0xd9) return null;
    at += 2 + stream.readUInt16BE(at + 2);
  }
  return null;
}

/** SIZ of ISO/IEC 15444-1 A.5.1. */
function jpeg2000Size(stream: Buffer): CodestreamSize | null {
  if (stream.readUInt16BE(2) !== 0xff51) return null;
  return {
    columns: stream.readUInt32BE(8) - stream.readUInt32BE(16),
    rows: stream.readUInt32BE(12) - stream.readUInt32BE(20),
    components: stream.readUInt16BE(40),
  };
}

/** Columns as a share of rows, by the ratio's number. ISO/IEC 18181-1 SizeHeader. */
const JXL_RATIOS = [1, 1, 12 / 10, 4 / 3, 3 / 2, 16 / 9, 5 / 4, 2] as const;

/** SizeHeader of ISO/IEC 18181-1; the number of components lies deeper and is given as 0. */
function jpegXlSize(stream: Buffer): CodestreamSize {
  let bit = 16;
  const take = (count: number): number => {
    let value = 0;
    for (let i = 0; i < count; i++, bit++) {
      if (bit >> 3 >= stream.length) throw new RangeError('the stream ends in its size');
      value += ((stream[bit >> 3]! >> (bit & 7)) & 1) * 2 ** i;
    }
    return value;
  };
  const small = take(1) === 1;
  const size = (): number => (small ? (take(5) + 1) * 8 : take([9, 13, 18, 30][take(2)]!) + 1);
  const rows = size();
  const ratio = take(3);
  return { rows, columns: ratio === 0 ? size() : Math.floor(rows * JXL_RATIOS[ratio]!), components: 0 };
}
