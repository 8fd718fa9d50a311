import { LONG_VRS, type Encoding } from './element-tree.js';

const UNDEFINED = 0xffffffff;

/**
 * One element as bytes, padded to an even length.
 *
 * @param vr - written in an explicit encoding only
 * @param value - bytes in the encoding's byte order; a list is a sequence's items
 */
export function encodeElement(tag: string, vr: string, value: Uint8Array, encoding: Encoding): Buffer {
  const odd = value.length % 2 === 1;
  const padding = odd ? [Buffer.from([vr === 'UI' || vr === 'OB' || vr === 'UN' ? 0 : 0x20])] : [];
  return Buffer.concat([elementHead(tag, vr, value.length + (odd ? 1 : 0), encoding), value, ...padding]);
}

/** Tag, VR and length; `null` writes an undefined length. */
export function elementHead(tag: string, vr: string, length: number | null, encoding: Encoding): Buffer {
  const long = !encoding.implicit && LONG_VRS.has(vr);
  const head = Buffer.alloc(long ? 12 : 8);
  writeTag(head, tag, encoding);
  if (encoding.implicit) writeUInt32(head, length ?? UNDEFINED, 4, encoding);
  else {
    head.write(vr, 4, 'latin1');
    if (long) writeUInt32(head, length ?? UNDEFINED, 8, encoding);
    else if (encoding.bigEndian) head.writeUInt16BE(length ?? 0, 6);
    else head.writeUInt16LE(length ?? 0, 6);
  }
  return head;
}

/** An item (`fffee000`) or delimiter (`fffee00d`, `fffee0dd`) with its length; `null` for undefined. */
export function itemHead(tag: string, length: number | null, encoding: Encoding): Buffer {
  const head = Buffer.alloc(8);
  writeTag(head, tag, encoding);
  writeUInt32(head, length ?? UNDEFINED, 4, encoding);
  return head;
}

function writeTag(head: Buffer, tag: string, { bigEndian }: Encoding): void {
  const group = Number.parseInt(tag.slice(0, 4), 16);
  const element = Number.parseInt(tag.slice(4), 16);
  if (bigEndian) {
    head.writeUInt16BE(group, 0);
    head.writeUInt16BE(element, 2);
  } else {
    head.writeUInt16LE(group, 0);
    head.writeUInt16LE(element, 2);
  }
}

function writeUInt32(head: Buffer, value: number, at: number, { bigEndian }: Encoding): void {
  if (bigEndian) head.writeUInt32BE(value, at);
  else head.writeUInt32LE(value, at);
}
