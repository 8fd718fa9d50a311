import dicomParser, { type DataSet, type Element } from 'dicom-parser';
import { pixelTagOf, type PixelElement } from './pixel-element.js';
import { WANTED_SEQUENCES } from './wanted-tags.js';

/** A header read by dicom-parser. */
export interface ParsedHeader {
  readonly dataSet: DataSet;
  /** Null when the bytes end before any pixel data. */
  readonly pixelElement: PixelElement | null;
}

/** A header in which more bytes will find no sense. */
export class DamagedHeader extends Error {
  override readonly name = 'DamagedHeader';
}

/** Real headers hold a few tags out of order; one of zeros or noise holds nothing else. */
const MOST_OUT_OF_ORDER = 100;

/** Group of the delimiters of items and sequences. */
const DELIMITERS = 0xfffe;

/**
 * The elements of a data set up to its pixel data.
 *
 * @param bytes - a file's, or its first ones
 * @param offset - of the first element
 * @throws {DamagedHeader}
 * @throws whatever dicom-parser throws, texts too, when the bytes end inside an element or make no sense
 */
export function parseUpToPixels(
  bytes: Buffer,
  offset: number,
  encoding: { readonly implicit: boolean; readonly bigEndian: boolean },
): ParsedHeader {
  const { implicit, bigEndian } = encoding;
  const parser = bigEndian ? dicomParser.bigEndianByteArrayParser : dicomParser.littleEndianByteArrayParser;
  const dataSet = new dicomParser.DataSet(parser, bytes, {});
  if (offset === bytes.length) return { dataSet, pixelElement: null };
  const stream = new Stream(parser, bytes, offset);
  dataSet.warnings = stream.warnings;
  let previous = -1;
  let outOfOrder = 0;
  while (stream.position < bytes.length) {
    const { position } = stream;
    const tag = parser.readUint16(bytes, position) * 65_536 + parser.readUint16(bytes, position + 2);
    if (tag <= previous && ++outOfOrder > MOST_OUT_OF_ORDER) throw new DamagedHeader('tags without order');
    previous = tag;
    const pixels = pixelTagOf(tag);
    const element = implicit
      ? dicomParser.readDicomElementImplicit(stream, pixels)
      : dicomParser.readDicomElementExplicit(stream, stream.warnings, pixels);
    dataSet.elements[element.tag] = element;
    if (pixels !== undefined) {
      const length = element.hadUndefinedLength ? null : element.length;
      return {
        dataSet: withUnknownSequences(dataSet, bigEndian),
        pixelElement: { tag: pixels, vr: element.vr ?? null, offset: element.dataOffset, length },
      };
    }
    if (stream.position > bytes.length) throw new Error('the last element is cut off');
    // dicom-parser takes all that is left where it finds no delimiter.
    const ended = !element.hadUndefinedLength || parser.readUint16(bytes, stream.position - 8) === DELIMITERS;
    if (!ended) throw new Error('a sequence is cut off');
  }
  return { dataSet: withUnknownSequences(dataSet, bigEndian), pixelElement: null };
}

/** VRs that dicom-parser 1.8.21 lacks and so gives a length of 16 bits. Drop this when it knows them. PS3.5 7.1.2. */
const LATER_VRS: ReadonlySet<string> = new Set(['OV', 'SV', 'UV']);

class Stream extends dicomParser.ByteStream {
  constructor(...options: ConstructorParameters<typeof dicomParser.ByteStream>) {
    super(...options);
    const { readFixedString } = this;
    // Only VRs are read by this. Any VR with a length of 32 bits will do.
    this.readFixedString = (length) => {
      const vr = readFixedString.call(this, length);
      return LATER_VRS.has(vr) ? 'OB' : vr;
    };
  }
}

/**
 * Goes into the sequences that a row needs where a sender who did not know them wrote UN with a length: their content is
 * implicit VR little endian (PS3.5 section 6.2.2). dicom-parser does so for UN without a length only.
 */
function withUnknownSequences(dataSet: DataSet, bigEndian: boolean): DataSet {
  if (bigEndian) return dataSet;
  for (const tag of WANTED_SEQUENCES) {
    const element = dataSet.elements[tag];
    if (!element) continue;
    if (element.vr === 'UN' && element.items === undefined) readUnknown(dataSet, element);
    for (const { dataSet: item } of element.items ?? []) if (item) withUnknownSequences(item, bigEndian);
  }
  return dataSet;
}

function readUnknown({ byteArray, byteArrayParser }: DataSet, element: Element): void {
  const end = element.dataOffset + element.length;
  const stream = new Stream(byteArrayParser, byteArray.subarray(0, end), element.dataOffset);
  dicomParser.readSequenceItemsImplicit(stream, element);
}
