import type { SliceRef } from '../../src/domain/evidence.js';
import { indexRowSchema, type IndexRow } from '../../src/domain/index-row.js';
import { volumesOf, type CaseVolume } from '../../src/retrieve/volumes.js';

/** An axial CT frame at a position; anything may be overridden. */
export function aRow(position: number, overrides: Partial<IndexRow> = {}): IndexRow {
  return indexRowSchema.parse({
    caseId: 'case-1',
    path: `cases/case-1/${position}.dcm`,
    frame: 0,
    studyInstanceUid: '1.2.3',
    seriesInstanceUid: '1.2.3.1',
    sopInstanceUid: `1.2.3.1.${position}`,
    sopClassUid: '1.2.840.10008.5.1.4.1.1.2',
    transferSyntaxUid: '1.2.840.10008.1.2.1',
    modality: 'CT',
    seriesNumber: 2,
    instanceNumber: 100 - position,
    rows: 64,
    columns: 64,
    numberOfFrames: 1,
    bitsAllocated: 16,
    bitsStored: 16,
    pixelRepresentation: 1,
    samplesPerPixel: 1,
    photometricInterpretation: 'MONOCHROME2',
    imagePositionPatient: [0, 0, position * 5],
    imageOrientationPatient: [1, 0, 0, 0, 1, 0],
    pixelSpacingMm: [1, 1],
    sliceThicknessMm: 5,
    rescaleSlope: 1,
    rescaleIntercept: 0,
    windowCenter: 40,
    windowWidth: 400,
    seriesDescription: 'CHEST 5.0 B40f',
    bodyPartExamined: 'CHEST',
    imageType: ['ORIGINAL', 'PRIMARY', 'AXIAL'],
    volumeId: 'vol-1',
    position,
    ...overrides,
  });
}

/** One stack of axial slices, 5 mm apart. */
export function aVolume(slices: number, overrides: Partial<IndexRow> = {}): CaseVolume {
  return volumesOf(
    Array.from({ length: slices }, (_, position) =>
      aRow(position, {
        ...overrides,
        ...(overrides.seriesInstanceUid && {
          sopInstanceUid: `${overrides.seriesInstanceUid}.${position}`,
        }),
      }),
    ),
  )[0]!;
}

export function aSlice(position: number, volumeId = 'vol-1', seriesInstanceUid = '1.2.3.1'): SliceRef {
  return {
    seriesInstanceUid,
    sopInstanceUid: `${seriesInstanceUid}.${position}`,
    frame: 0,
    position,
    volumeId,
  };
}
