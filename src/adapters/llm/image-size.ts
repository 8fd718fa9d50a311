/** Pixels. */
export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

/**
 * Width and height from the header of a PNG (IHDR: W3C PNG section 11.2.1) or a JPEG (frame header: ITU T.81 B.2.2);
 * null when the bytes are neither.
 */
export function imageSize(bytes: Uint8Array): ImageSize | null {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return pngSize(view) ?? jpegSize(view);
}

const PNG_START = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');

function pngSize(view: Buffer): ImageSize | null {
  if (view.length < 24 || !view.subarray(0, 16).equals(PNG_START)) return null;
  return { width: view.readUInt32BE(16), height: view.readUInt32BE(20) };
}

/** Markers of frame headers: SOF0 to SOF15 without DHT (C4), JPG (C8) and DAC (CC). */
function isFrameHeader(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
}

function jpegSize(view: Buffer): ImageSize | null {
  if (view.length < 4 || view.readUInt16BE(0) !== 0xffd8) return null;
  let at = 2;
  while (at + 9 <= view.length && view[at] === 0xff) {
    const marker = view[at + 1]!;
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    if (isFrameHeader(marker)) return { width: view.readUInt16BE(at + 7), height: view.readUInt16BE(at + 5) };
    at += 2 + view.readUInt16BE(at + 2);
  }
  return null;
}
