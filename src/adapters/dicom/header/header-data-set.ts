/** Where an element's value lies in its data set's `byteArray`. */
export interface HeaderElement {
  readonly dataOffset: number;
  readonly length: number;
  readonly items?: readonly { readonly dataSet?: HeaderDataSet }[];
}

/**
 * A data set as the readers of headers see it, by tags such as `x00280010`: of the scanner, which keeps only what an
 * index row is made of, or of dicom-parser, which keeps everything.
 */
export interface HeaderDataSet {
  readonly byteArray: Uint8Array;
  readonly elements: Readonly<Record<string, HeaderElement | undefined>>;
  uint16(tag: string, index?: number): number | undefined;
  uint32(tag: string, index?: number): number | undefined;
  float(tag: string, index?: number): number | undefined;
  double(tag: string, index?: number): number | undefined;
}

/** The values that the scanner kept of one data set. */
export class ScannedDataSet implements HeaderDataSet {
  constructor(
    private readonly values: { readonly bytes: Buffer },
    readonly elements: Record<string, HeaderElement | undefined>,
    private readonly bigEndian: boolean,
  ) {}

  get byteArray(): Buffer {
    return this.values.bytes;
  }

  uint16(tag: string, index = 0): number | undefined {
    const at = this.offsetOf(tag, index, 2);
    if (at === undefined) return undefined;
    return this.bigEndian ? this.byteArray.readUInt16BE(at) : this.byteArray.readUInt16LE(at);
  }

  uint32(tag: string, index = 0): number | undefined {
    const at = this.offsetOf(tag, index, 4);
    if (at === undefined) return undefined;
    return this.bigEndian ? this.byteArray.readUInt32BE(at) : this.byteArray.readUInt32LE(at);
  }

  float(tag: string, index = 0): number | undefined {
    const at = this.offsetOf(tag, index, 4);
    if (at === undefined) return undefined;
    return this.bigEndian ? this.byteArray.readFloatBE(at) : this.byteArray.readFloatLE(at);
  }

  double(tag: string, index = 0): number | undefined {
    const at = this.offsetOf(tag, index, 8);
    if (at === undefined) return undefined;
    return this.bigEndian ? this.byteArray.readDoubleBE(at) : this.byteArray.readDoubleLE(at);
  }

  private offsetOf(tag: string, index: number, size: number): number | undefined {
    const element = this.elements[tag];
    if (!element || element.length < (index + 1) * size) return undefined;
    return element.dataOffset + index * size;
  }
}
