import { sliceNormal } from '../../domain/geometry.js';
import type { Mosaic } from '../../domain/geometry-mosaic.js';
import type { IndexRow } from '../../domain/index-row.js';
import { SCHEMA_VERSION } from '../../domain/schema-version.js';
import type { TextReader } from './character-set.js';
import { attributes, items, readerOf, type Attributes } from './data-set.js';
import { frameGroups } from './frame-groups.js';
import type { HeaderDataSet } from './header/header-data-set.js';
import { mayBeMosaic, mosaicOf } from './mosaic.js';
import type { HeaderSource } from './open-dicom.js';
import { diffusionOf, siemensImageCount, siemensImageHeader, type Diffusion } from './private-values.js';

/** What tells stacks apart when a series holds several images of one place. Absent is null. */
export interface StackFields {
  frameOfReferenceUid: string | null;
  acquisitionNumber: number | null;
  echoNumber: number | null;
  echoTimeMs: number | null;
  inversionTimeMs: number | null;
  bValue: number | null;
  gradientDirection: number[] | null;
  temporalPosition: number | null;
  triggerTimeMs: number | null;
  stackId: string | null;
}

/** What series rules and the de-identification gate go by, beyond the contract's fields. Absent is null. */
export interface AcquisitionFields {
  protocolName: string | null;
  sequenceName: string | null;
  scanOptions: string[] | null;
  contrastBolusAgent: string | null;
  gantryDetectorTiltDegrees: number | null;
  spacingBetweenSlicesMm: number | null;
  sliceLocation: number | null;
  /** Percent of the R-R interval. */
  nominalPercentageOfCardiacPhase: number | null;
  /** Meaning of the anatomic region's code. */
  anatomicRegion: string | null;
  burnedInAnnotation: string | null;
  conversionType: string | null;
  rescaleType: string | null;
  units: string | null;
  /** The slices of a Siemens mosaic, which is one stored frame. */
  mosaic: Mosaic | null;
}

/** The named fields of a record that also takes unknown ones. */
type Named<T> = { [K in keyof T as string extends K ? never : K]: T[K] };

/** One frame as its header describes it: an index row before it has a place in a volume. */
export type HeaderRow = Omit<Named<IndexRow>, 'volumeId' | 'position' | 'caseId'> &
  StackFields &
  AcquisitionFields;

/** The rows of an open file, one a frame. `numberOfFrames` of the file must be a positive whole number. */
export function headerRows(dicom: HeaderSource, numberOfFrames: number): HeaderRow[] {
  const { dataSet } = dicom;
  const reader = readerOf(dataSet);
  const groups = frameGroups(dataSet);
  const own = fileValues(dataSet, reader);
  const offsets = numberOfFrames > 1 ? attributes([dataSet], reader).numbers('x3004000c') : null;
  const rows: HeaderRow[] = [];
  for (let frame = 0; frame < numberOfFrames; frame++) {
    const dataSets = groups === null ? [dataSet] : [...groups.of(frame), dataSet];
    const row = headerRow(dicom, attributes(dataSets, reader), frame, numberOfFrames, own);
    const region = groups?.inside(frame, FRAME_ANATOMY, ANATOMIC_REGION);
    if (region) row.anatomicRegion = codeMeaning(region, reader) ?? own.anatomicRegion;
    if (numberOfFrames > 1 && !groups?.perFrame) row.imagePositionPatient = gridPosition(offsets, row, frame);
    rows.push(row);
  }
  return rows;
}

/** What a file says outside its functional groups, and once for all its frames. */
interface FileValues {
  readonly diffusion: Diffusion;
  readonly anatomicRegion: string | null;
  readonly isMosaic: boolean;
  readonly mosaicImages: number | null;
}

const FRAME_ANATOMY = 'x00209071';
const ANATOMIC_REGION = 'x00082218';

function codeMeaning(code: HeaderDataSet, outer: TextReader): string | null {
  // An item may have a SpecificCharacterSet of its own. PS3.5 section 7.5.3.
  const reader = code.elements.x00080005 ? readerOf(code) : outer;
  return attributes([code], reader).text('x00080104');
}

const NO_DIFFUSION: Diffusion = { bValue: null, gradientDirection: null };

function fileValues(dataSet: HeaderDataSet, reader: TextReader): FileValues {
  const at = attributes([dataSet], reader);
  const [region] = items(dataSet, ANATOMIC_REGION);
  const mr = at.text('x00080060') === 'MR';
  const mosaicImages = mr ? siemensImageCount(dataSet) : null;
  return {
    diffusion: mr ? diffusionOf(dataSet) : NO_DIFFUSION,
    anatomicRegion: region ? codeMeaning(region, reader) : null,
    isMosaic: mr && mayBeMosaic(at.texts('x00080008'), mosaicImages),
    mosaicImages,
  };
}

function headerRow(
  dicom: HeaderSource,
  at: Attributes,
  frame: number,
  numberOfFrames: number,
  own: FileValues,
): HeaderRow {
  const float = dicom.pixelElement?.tag !== 'x7fe00010';
  const row: HeaderRow = {
    schemaVersion: SCHEMA_VERSION,
    path: dicom.file,
    frame,
    studyInstanceUid: at.text('x0020000d'),
    seriesInstanceUid: at.text('x0020000e'),
    sopInstanceUid: at.text('x00080018'),
    sopClassUid: at.text('x00080016'),
    transferSyntaxUid: dicom.transferSyntax.uid,
    modality: at.text('x00080060'),
    seriesNumber: at.number('x00200011'),
    instanceNumber: at.number('x00200013'),
    rows: at.uint16('x00280010'),
    columns: at.uint16('x00280011'),
    numberOfFrames,
    bitsAllocated: at.uint16('x00280100'),
    bitsStored: float ? at.uint16('x00280100') : at.uint16('x00280101'),
    pixelRepresentation: at.uint16('x00280103'),
    samplesPerPixel: at.uint16('x00280002'),
    photometricInterpretation: at.text('x00280004'),
    imagePositionPatient: ofLength(at.numbers('x00200032'), 3),
    imageOrientationPatient: ofLength(at.numbers('x00200037'), 6),
    pixelSpacingMm: ofLength(at.numbers('x00280030'), 2),
    sliceThicknessMm: at.number('x00180050'),
    rescaleSlope: at.number('x00281053'),
    rescaleIntercept: at.number('x00281052'),
    windowCenter: oneOrMany(at.numbers('x00281050')),
    windowWidth: oneOrMany(at.numbers('x00281051')),
    seriesDescription: at.text('x0008103e'),
    bodyPartExamined: at.text('x00180015'),
    // FrameType of an enhanced frame stands for ImageType. PS3.3 C.8.13.3.1.
    imageType: at.texts('x00089007') ?? at.texts('x00080008'),
    // An enhanced frame may name the kind of kernel alone: ConvolutionKernelGroup, such as BONE. PS3.3 C.8.15.3.13.
    convolutionKernel: at.text('x00181210') ?? at.text('x00189316'),
    frameOfReferenceUid: at.text('x00200052'),
    acquisitionNumber: at.number('x00200012') ?? at.uint16('x00209156'),
    echoNumber: at.number('x00180086'),
    echoTimeMs: at.float64('x00189082') ?? at.number('x00180081'),
    inversionTimeMs: at.number('x00180082') ?? at.float64('x00189079'),
    bValue: at.float64('x00189087') ?? own.diffusion.bValue,
    gradientDirection: ofLength(at.float64s('x00189089'), 3) ?? own.diffusion.gradientDirection,
    // TemporalPositionIndex of an enhanced frame is UL.
    temporalPosition: at.number('x00200100') ?? at.uint32('x00209128'),
    triggerTimeMs: at.float64('x00209153') ?? at.number('x00181060'),
    stackId: at.text('x00209056'),
    protocolName: at.text('x00181030'),
    sequenceName: at.text('x00180024'),
    scanOptions: at.texts('x00180022'),
    contrastBolusAgent: at.text('x00180010'),
    gantryDetectorTiltDegrees: at.number('x00181120'),
    spacingBetweenSlicesMm: at.number('x00180088'),
    sliceLocation: at.number('x00201041'),
    nominalPercentageOfCardiacPhase: at.float32('x00209241'),
    anatomicRegion: own.anatomicRegion,
    burnedInAnnotation: at.text('x00280301'),
    conversionType: at.text('x00080064'),
    rescaleType: at.text('x00281054'),
    units: at.text('x00541001'),
    mosaic: null,
  };
  if (own.isMosaic) {
    row.mosaic = mosaicOf({
      ...row,
      siemensImageCount: own.mosaicImages,
      csaImageHeader: siemensImageHeader(dicom.dataSet),
    });
  }
  return row;
}

/**
 * Where a frame of a classic multi-frame object lies: a dose grid says so by GridFrameOffsetVector (PS3.3 C.8.8.3.2);
 * others give one position for all frames, which places none but the first.
 */
function gridPosition(offsets: number[] | null, row: HeaderRow, frame: number): number[] | null {
  const normal = sliceNormal(row.imageOrientationPatient);
  const first = row.imagePositionPatient;
  if (!first || !normal || offsets?.length !== row.numberOfFrames) return null;
  // The offsets count from the first plane, or, in the older form, are the planes' own coordinates.
  const along = offsets[frame]! - offsets[0]!;
  return first.map((mm, axis) => mm + along * normal[axis]!);
}

function ofLength(values: number[] | null, length: number): number[] | null {
  return values?.length === length ? values : null;
}

function oneOrMany(values: number[] | null): number | number[] | null {
  return values?.length === 1 ? values[0]! : values;
}
