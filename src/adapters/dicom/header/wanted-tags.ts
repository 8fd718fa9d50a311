import type { HeaderElement } from './header-data-set.js';

/** Sequences that the scanner goes into: functional groups, and what index rows need out of them. */
export const WANTED_SEQUENCES: readonly string[] = [
  'x52009229', // Shared Functional Groups
  'x52009230', // Per-Frame Functional Groups
  'x00209113', // Plane Position
  'x00209116', // Plane Orientation
  'x00289110', // Pixel Measures
  'x00289145', // Pixel Value Transformation
  'x00289132', // Frame VOI LUT
  'x00209111', // Frame Content
  'x00189226', // MR Image Frame Type
  'x00189329', // CT Image Frame Type
  'x00189751', // PET Frame Type
  'x00189114', // MR Echo
  'x00189115', // MR Modifier
  'x00189117', // MR Diffusion
  'x00189076', // Diffusion Gradient Direction
  'x00189118', // Cardiac Synchronization
  'x00189112', // MR Timing and Related Parameters
  'x00189314', // CT Reconstruction
  'x00209071', // Frame Anatomy
  'x00082218', // Anatomic Region
  'x00409096', // Real World Value Mapping
];

const VALUES = [
  'x00041220', // Directory Record Sequence: only whether it is there
  'x00080005', // SpecificCharacterSet
  'x00080008', // ImageType
  'x00080016', // SOPClassUID
  'x00080018', // SOPInstanceUID
  'x00080060', // Modality
  'x00080064', // ConversionType
  'x00080070', // Manufacturer
  'x00080104', // CodeMeaning
  'x0008103e', // SeriesDescription
  'x00089007', // FrameType
  'x00180010', // ContrastBolusAgent
  'x00180015', // BodyPartExamined
  'x00180022', // ScanOptions
  'x00180024', // SequenceName
  'x00180050', // SliceThickness
  'x00180081', // EchoTime
  'x00180082', // InversionTime
  'x00180086', // EchoNumbers
  'x00180088', // SpacingBetweenSlices
  'x00181030', // ProtocolName
  'x00181060', // TriggerTime
  'x00181120', // GantryDetectorTilt
  'x00181210', // ConvolutionKernel
  'x00189079', // InversionTimes
  'x00189082', // EffectiveEchoTime
  'x00189087', // DiffusionBValue
  'x00189089', // DiffusionGradientOrientation
  'x00189316', // ConvolutionKernelGroup
  'x0020000d', // StudyInstanceUID
  'x0020000e', // SeriesInstanceUID
  'x00200011', // SeriesNumber
  'x00200012', // AcquisitionNumber
  'x00200013', // InstanceNumber
  'x00200032', // ImagePositionPatient
  'x00200037', // ImageOrientationPatient
  'x00200052', // FrameOfReferenceUID
  'x00200100', // TemporalPositionIdentifier
  'x00201041', // SliceLocation
  'x00209056', // StackID
  'x00209128', // TemporalPositionIndex
  'x00209153', // NominalCardiacTriggerDelayTime
  'x00209156', // FrameAcquisitionNumber
  'x00209241', // NominalPercentageOfCardiacPhase
  'x00280002', // SamplesPerPixel
  'x00280004', // PhotometricInterpretation
  'x00280006', // PlanarConfiguration
  'x00280008', // NumberOfFrames
  'x00280010', // Rows
  'x00280011', // Columns
  'x00280030', // PixelSpacing
  'x00280100', // BitsAllocated
  'x00280101', // BitsStored
  'x00280102', // HighBit
  'x00280103', // PixelRepresentation
  'x00280301', // BurnedInAnnotation
  'x00281050', // WindowCenter
  'x00281051', // WindowWidth
  'x00281052', // RescaleIntercept
  'x00281053', // RescaleSlope
  'x00281054', // RescaleType
  'x00541001', // Units
  'x3004000c', // GridFrameOffsetVector
];

const SEQUENCE_TAGS: ReadonlySet<string> = new Set(WANTED_SEQUENCES);

/** Tag number to name, for everything that is kept. */
const WANTED: ReadonlyMap<number, string> = new Map(
  [...WANTED_SEQUENCES, ...VALUES].map((name) => [Number.parseInt(name.slice(1), 16), name]),
);

/** The name of a standard tag that is kept; undefined for the rest. */
export function wantedName(tag: number): string | undefined {
  return WANTED.get(tag);
}

/** Whether the elements below a kept tag are read. */
export function isWantedSequence(name: string): boolean {
  return SEQUENCE_TAGS.has(name);
}

/** Private groups with something for a row, and the last byte of the elements that hold it. */
const PRIVATE: ReadonlyMap<number, readonly number[]> = new Map([
  [0x0019, [0x0a, 0x0c, 0x0e]], // SIEMENS MR HEADER: images in a mosaic, b-value, gradient direction
  [0x0029, [0x10]], // SIEMENS CSA HEADER: the image header, of mosaics alone
  [0x0043, [0x39]], // GEMS_PARM_01: b-value
  [0x2001, [0x03]], // Philips Imaging DD 001: b-value
  [0x2005, [0xb0, 0xb1, 0xb2]], // Philips MR Imaging DD 001: gradient direction
]);

/** Whether a private element is kept: the creators of a wanted group, and its wanted elements in any block. */
export function isWantedPrivate(group: number, element: number): boolean {
  const lows = PRIVATE.get(group);
  if (!lows) return false;
  return element < 0x1000 ? element >= 0x10 && element <= 0xff : lows.includes(element & 0xff);
}

/** An object with a place for every standard value, so that all scanned headers have one shape. */
export function emptyElements(): Record<string, HeaderElement | undefined> {
  return { ...TEMPLATE };
}

const TEMPLATE: Readonly<Record<string, undefined>> = Object.fromEntries(
  [...WANTED_SEQUENCES, ...VALUES].map((name) => [name, undefined]),
);
