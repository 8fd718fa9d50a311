import 'dicom-parser';

/** What dicom-parser exports and its own types leave out. */
declare module 'dicom-parser' {
  export const DataSet: new (
    parser: ByteArrayParser,
    bytes: ByteArray,
    elements: Record<string, Element>,
  ) => DataSet;
  export const littleEndianByteArrayParser: ByteArrayParser;
}
