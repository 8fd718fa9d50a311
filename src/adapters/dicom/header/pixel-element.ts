/** The pixel data element: where its value lies, and how long it says it is. */
export interface PixelElement {
  readonly tag: PixelTag;
  /** Null in implicit VR. */
  readonly vr: string | null;
  /** Byte offset of the value, for `HeaderSource.read`. */
  readonly offset: number;
  /** Bytes; null when the length is undefined (encapsulated). */
  readonly length: number | null;
}

/** Pixel Data, Float Pixel Data and Double Float Pixel Data. PS3.3 C.7.6.24. */
export type PixelTag = 'x7fe00010' | 'x7fe00008' | 'x7fe00009';

/** Name of a tag that pixel data may have; undefined for any other. */
export function pixelTagOf(tag: number): PixelTag | undefined {
  return tag < 0x7fe00008 ? undefined : NAMES.get(tag);
}

const NAMES: ReadonlyMap<number, PixelTag> = new Map([
  [0x7fe00008, 'x7fe00008'],
  [0x7fe00009, 'x7fe00009'],
  [0x7fe00010, 'x7fe00010'],
]);
