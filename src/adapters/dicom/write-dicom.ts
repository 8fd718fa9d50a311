import dcmjs from 'dcmjs';
import { GroundmarkError } from '../../domain/error.js';

// dcmjs tells every odd value on the console; a worker's console is the user's.
dcmjs.log.disableAll();

const { DicomDict, DicomMetaDictionary } = dcmjs.data;

/** PS3.5 A.2. */
const EXPLICIT_VR_LITTLE_ENDIAN = '1.2.840.10008.1.2.1';
const IMPLEMENTATION_CLASS_UID = '2.25.302618217905438216911264150943327702185';
const IMPLEMENTATION_VERSION_NAME = 'GROUNDMARK';

/** A decimal string holds at most 16 characters. PS3.5 6.2. */
const DECIMAL_STRING_LENGTH = 16;

/** A data set by attribute keyword, as PS3.6 spells it. Text, numbers, or lists of them. */
export interface DicomAttributes {
  readonly [keyword: string]: DicomValue;
}
export type DicomValue = string | number | readonly string[] | readonly number[] | readonly DicomAttributes[];

/** Attributes that describe signed 16-bit samples; `writeDicom` writes them itself. PS3.3 C.7.6.3. */
const PIXEL_ATTRIBUTES = {
  SamplesPerPixel: 1,
  PhotometricInterpretation: 'MONOCHROME2',
  BitsAllocated: 16,
  BitsStored: 16,
  HighBit: 15,
  PixelRepresentation: 1,
};

/**
 * The bytes of a Part 10 file, Explicit VR Little Endian, with one frame of signed 16-bit samples. The same attributes
 * and pixels give the same bytes.
 *
 * @param attributes - must hold SOPClassUID, SOPInstanceUID, Rows and Columns
 * @param pixels - rows × columns, row-major, stored values (before the rescale)
 * @throws {GroundmarkError} `unknown-attribute` for a keyword that the dictionary lacks, `missing-attribute`, or
 *   `bad-pixel-count`
 */
export function writeDicom(attributes: DicomAttributes, pixels: Int16Array): Uint8Array {
  const sopClassUid = required(attributes, 'SOPClassUID');
  const sopInstanceUid = required(attributes, 'SOPInstanceUID');
  const rows = Number(required(attributes, 'Rows'));
  const columns = Number(required(attributes, 'Columns'));
  if (pixels.length !== rows * columns) {
    throw new GroundmarkError(
      'bad-pixel-count',
      `An image of ${rows} rows and ${columns} columns needs ${rows * columns} samples, but ${pixels.length} were given. ` +
        'Give one frame, one sample a pixel.',
      { rows, columns, samples: pixels.length },
    );
  }
  const file = new DicomDict(
    DicomMetaDictionary.denaturalizeDataset({
      FileMetaInformationVersion: new Uint8Array([0, 1]).buffer,
      MediaStorageSOPClassUID: sopClassUid,
      MediaStorageSOPInstanceUID: sopInstanceUid,
      TransferSyntaxUID: EXPLICIT_VR_LITTLE_ENDIAN,
      ImplementationClassUID: IMPLEMENTATION_CLASS_UID,
      ImplementationVersionName: IMPLEMENTATION_VERSION_NAME,
    }),
  );
  file.dict = DicomMetaDictionary.denaturalizeDataset({
    ...checked(attributes),
    ...PIXEL_ATTRIBUTES,
    PixelData: littleEndian(pixels),
    _vrMap: { PixelData: 'OW' },
  });
  return new Uint8Array(file.write());
}

function required(attributes: DicomAttributes, keyword: string): DicomValue {
  const value = attributes[keyword];
  if (value === undefined || value === '') {
    throw new GroundmarkError('missing-attribute', `A DICOM file needs ${keyword}. Give it a value.`, {
      keyword,
    });
  }
  return value;
}

/** The attributes with each keyword known and each decimal string short enough. */
function checked(attributes: DicomAttributes): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const [keyword, value] of Object.entries(attributes)) {
    const entry = DicomMetaDictionary.nameMap[keyword];
    // dcmjs drops an unknown keyword without a word.
    if (!entry) {
      throw new GroundmarkError(
        'unknown-attribute',
        `${keyword} is no keyword of the DICOM dictionary. Check its spelling in PS3.6.`,
        { keyword },
      );
    }
    if (entry.vr === 'SQ') result[keyword] = (value as readonly DicomAttributes[]).map(checked);
    else if (entry.vr !== 'DS') result[keyword] = value;
    else result[keyword] = Array.isArray(value) ? value.map(decimalString) : decimalString(value);
  }
  return result;
}

/** A number as a decimal string of at most 16 characters; -0 as 0. */
export function decimalString(value: unknown): string {
  if (typeof value === 'string') return value;
  const number = Number(value) === 0 ? 0 : Number(value);
  for (let digits = 15; digits > 0; digits--) {
    const text = String(Number(number.toPrecision(digits)));
    if (text.length <= DECIMAL_STRING_LENGTH) return text;
  }
  return String(Math.round(number));
}

/** Samples as bytes, low byte first on every machine. */
function littleEndian(pixels: Int16Array): ArrayBuffer {
  const bytes = new ArrayBuffer(pixels.length * 2);
  if (new Uint8Array(new Uint16Array([1]).buffer)[0] === 1) {
    new Int16Array(bytes).set(pixels);
  } else {
    const view = new DataView(bytes);
    pixels.forEach((value, i) => view.setInt16(i * 2, value, true));
  }
  return bytes;
}
