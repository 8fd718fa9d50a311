import { sliceNormal } from '../../domain/geometry.js';
import type { IndexRow } from '../../domain/index-row.js';
import { SCHEMA_VERSION } from '../../domain/record.js';
import { attributes, readerOf, type Attributes } from './data-set.js';
import { frameDataSets, hasFrameGroups } from './frame-groups.js';
import type { OpenDicom } from './open-dicom.js';

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

/** The named fields of a record that also takes unknown ones. */
type Named<T> = { [K in keyof T as string extends K ? never : K]: T[K] };

/** One frame as its header describes it: an index row before it has a place in a volume. */
export type HeaderRow = Omit<Named<IndexRow>, 'volumeId' | 'position' | 'caseId'> & StackFields;

/** The rows of an open file, one a frame. `numberOfFrames` of the file must be a positive whole number. */
export function headerRows(dicom: OpenDicom, numberOfFrames: number): HeaderRow[] {
  const reader = readerOf(dicom.dataSet);
  const perFrame = hasFrameGroups(dicom.dataSet);
  return Array.from({ length: numberOfFrames }, (_, frame) => {
    const own = frameDataSets(dicom.dataSet, frame);
    const row = headerRow(dicom, attributes([...own, dicom.dataSet], reader), frame, numberOfFrames);
    return numberOfFrames === 1 || perFrame
      ? row
      : { ...row, imagePositionPatient: classicPosition(dicom, row, frame) };
  });
}

function headerRow(dicom: OpenDicom, at: Attributes, frame: number, numberOfFrames: number): HeaderRow {
  const float = dicom.pixelElement?.tag === 'x7fe00010' ? null : 'float';
  return {
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
    convolutionKernel: at.text('x00181210') ?? at.text('x00189315'),
    frameOfReferenceUid: at.text('x00200052'),
    acquisitionNumber: at.number('x00200012') ?? at.uint16('x00209156'),
    echoNumber: at.number('x00180086'),
    echoTimeMs: at.float64('x00189082') ?? at.number('x00180081'),
    inversionTimeMs: at.number('x00180082'),
    bValue: at.float64('x00189087'),
    gradientDirection: at.float64s('x00189089'),
    temporalPosition: at.number('x00200100') ?? uint32(dicom, frame),
    triggerTimeMs: at.float64('x00209153') ?? at.number('x00181060'),
    stackId: at.text('x00209056'),
  };
}

/**
 * Where a frame of a classic multi-frame object lies: a dose grid says so by GridFrameOffsetVector (PS3.3 C.8.8.3.2);
 * others give one position for all frames, which places none but the first.
 */
function classicPosition(dicom: OpenDicom, row: HeaderRow, frame: number): number[] | null {
  const offsets = attributes([dicom.dataSet], readerOf(dicom.dataSet)).numbers('x3004000c');
  const normal = sliceNormal(row.imageOrientationPatient);
  const first = row.imagePositionPatient;
  if (!first || !normal || offsets?.length !== row.numberOfFrames) return null;
  // The offsets count from the first plane, or, in the older form, are the planes' own coordinates.
  const along = offsets[frame]! - offsets[0]!;
  return first.map((mm, axis) => mm + along * normal[axis]!);
}

/** TemporalPositionIndex of an enhanced frame, UL in its Frame Content group. */
function uint32(dicom: OpenDicom, frame: number): number | null {
  const group = dicom.dataSet.elements.x52009230?.items?.[frame]?.dataSet;
  return group?.elements.x00209111?.items?.[0]?.dataSet?.uint32('x00209128') ?? null;
}

function ofLength(values: number[] | null, length: number): number[] | null {
  return values?.length === length ? values : null;
}

function oneOrMany(values: number[] | null): number | number[] | null {
  return values?.length === 1 ? values[0]! : values;
}
