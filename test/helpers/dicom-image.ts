import { dicomFile, EXPLICIT, type Element } from './dicom-bytes.js';

/** An image's pixels and what describes them; the rest as a plain MONOCHROME2 image has it. */
export interface ImageParts {
  readonly rows: number;
  readonly columns: number;
  /** Native pixel data. */
  readonly pixels: Uint8Array;
  readonly modality?: string;
  readonly photometric?: string;
  readonly samplesPerPixel?: number;
  readonly bitsAllocated?: number;
  readonly bitsStored?: number;
  readonly highBit?: number;
  readonly signed?: boolean;
  readonly planar?: boolean;
  readonly frames?: number;
  /** In any order; one with a tag of the image's own replaces it. */
  readonly more?: readonly Element[];
  readonly syntax?: string;
  readonly pixelTag?: number;
  readonly pixelVr?: string;
}

/** The bytes of a Part 10 file with one native image. */
export function imageFile({ syntax = EXPLICIT, ...parts }: ImageParts): Buffer {
  return dicomFile(imageElements(parts), { syntax });
}

/** The elements of an image in order of their tags. */
export function imageElements(parts: Omit<ImageParts, 'syntax'>): Element[] {
  const { rows, columns, pixels, modality = 'OT', photometric = 'MONOCHROME2', more = [] } = parts;
  const { samplesPerPixel = 1, bitsAllocated = 16, bitsStored = bitsAllocated, signed = false } = parts;
  const { highBit = bitsStored - 1, planar = false, frames = 1 } = parts;
  const { pixelTag = 0x7fe00010, pixelVr = bitsAllocated > 8 ? 'OW' : 'OB' } = parts;
  const own: Element[] = [
    [0x00080016, 'UI', '1.2.840.10008.5.1.4.1.1.7'],
    [0x00080018, 'UI', '1.2.3.3'],
    [0x00080060, 'CS', modality],
    [0x0020000d, 'UI', '1.2.3.1'],
    [0x0020000e, 'UI', '1.2.3.2'],
    [0x00280002, 'US', samplesPerPixel],
    [0x00280004, 'CS', photometric],
    ...(samplesPerPixel > 1 ? [[0x00280006, 'US', planar ? 1 : 0] as const] : []),
    ...(frames > 1 ? [[0x00280008, 'IS', String(frames)] as const] : []),
    [0x00280010, 'US', rows],
    [0x00280011, 'US', columns],
    [0x00280100, 'US', bitsAllocated],
    ...(pixelTag === 0x7fe00010
      ? ([
          [0x00280101, 'US', bitsStored],
          [0x00280102, 'US', highBit],
          [0x00280103, 'US', signed ? 1 : 0],
        ] as const)
      : []),
    [pixelTag, pixelVr, pixels],
  ];
  const replaced = new Set(more.map(([tag]) => tag));
  return [...own.filter(([tag]) => !replaced.has(tag)), ...more].sort(([a], [b]) => a - b);
}

/** 16-bit words, low byte first. */
export function words(...values: number[]): Uint8Array {
  const bytes = Buffer.alloc(values.length * 2);
  values.forEach((value, i) => bytes.writeUInt16LE(value & 0xffff, i * 2));
  return bytes;
}

/** 16-bit words, high byte first. */
export function bigWords(...values: number[]): Uint8Array {
  return Buffer.from(words(...values)).swap16();
}
