/** How a test file is written. PS3.5 section 7.1. */
export interface Written {
  readonly implicit?: boolean;
  readonly bigEndian?: boolean;
}

const LONG = new Set(['OB', 'OW', 'SQ', 'UN', 'UT']);

/** One element of a test file: text as Latin-1, bytes as they are, padded to an even length. */
export function element(tag: number, vr: string, value: string | Buffer, written: Written = {}): Buffer {
  const raw = typeof value === 'string' ? Buffer.from(value, 'latin1') : value;
  const padding = Buffer.from(vr === 'UI' ? '\0' : ' ');
  const bytes = raw.length % 2 === 0 ? raw : Buffer.concat([raw, padding]);
  return Buffer.concat([head(tag, vr, bytes.length, written), bytes]);
}

/** A sequence of one item, all lengths undefined and delimited, or all told. */
export function sequence(
  tag: number,
  vr: string,
  content: readonly Buffer[],
  { delimited = false, ...written }: Written & { readonly delimited?: boolean } = {},
): Buffer {
  // What lies in a UN is written in implicit little endian whatever is around it. PS3.5 section 6.2.2.
  const inside = vr === 'UN' ? { implicit: true } : written;
  const body = Buffer.concat([...content]);
  if (!delimited) {
    return element(tag, vr, Buffer.concat([marker(0xfffee000, body.length, inside), body]), written);
  }
  return Buffer.concat([
    head(tag, vr, 0xffffffff, written),
    marker(0xfffee000, 0xffffffff, inside),
    body,
    marker(0xfffee00d, 0, inside),
    marker(0xfffee0dd, 0, inside),
  ]);
}

/** A Part 10 file of these elements. */
export function partTen(transferSyntaxUid: string, elements: readonly Buffer[]): Buffer {
  return Buffer.concat([
    Buffer.alloc(128),
    Buffer.from('DICM'),
    element(0x00020002, 'UI', '1.2.840.10008.5.1.4.1.1.2'),
    element(0x00020010, 'UI', transferSyntaxUid),
    ...elements,
  ]);
}

function head(tag: number, vr: string, length: number, { implicit, bigEndian }: Written): Buffer {
  if (implicit) return marker(tag, length, {});
  const bytes = Buffer.alloc(LONG.has(vr) ? 12 : 8);
  bytes.write(vr, 4, 'latin1');
  if (bigEndian) {
    bytes.writeUInt16BE(tag >>> 16, 0);
    bytes.writeUInt16BE(tag & 0xffff, 2);
    if (LONG.has(vr)) bytes.writeUInt32BE(length, 8);
    else bytes.writeUInt16BE(length, 6);
  } else {
    bytes.writeUInt16LE(tag >>> 16, 0);
    bytes.writeUInt16LE(tag & 0xffff, 2);
    if (LONG.has(vr)) bytes.writeUInt32LE(length, 8);
    else bytes.writeUInt16LE(length, 6);
  }
  return bytes;
}

function marker(tag: number, length: number, { bigEndian }: Written): Buffer {
  const bytes = Buffer.alloc(8);
  if (bigEndian) {
    bytes.writeUInt16BE(tag >>> 16, 0);
    bytes.writeUInt16BE(tag & 0xffff, 2);
    bytes.writeUInt32BE(length, 4);
  } else {
    bytes.writeUInt16LE(tag >>> 16, 0);
    bytes.writeUInt16LE(tag & 0xffff, 2);
    bytes.writeUInt32LE(length, 4);
  }
  return bytes;
}
