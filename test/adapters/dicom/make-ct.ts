import { writeDicom } from '../../../src/adapters/dicom/write-dicom.js';

/** A 4 × 4 CT slice of invented values; its samples count up from 0. */
export function ctFile(options: {
  z: number;
  instanceNumber?: number;
  seriesInstanceUid?: string;
  sopInstanceUid?: string;
  imageOrientationPatient?: number[];
  comment?: string;
}): Uint8Array {
  return writeDicom(
    {
      SOPClassUID: '1.2.840.10008.5.1.4.1.1.2',
      SOPInstanceUID: options.sopInstanceUid ?? `2.25.1.${options.instanceNumber ?? 1}`,
      StudyInstanceUID: '2.25.2',
      SeriesInstanceUID: options.seriesInstanceUid ?? '2.25.3',
      Modality: 'CT',
      ImageType: ['ORIGINAL', 'PRIMARY', 'AXIAL'],
      InstanceNumber: options.instanceNumber ?? 1,
      ImagePositionPatient: [-10, -20, options.z],
      ImageOrientationPatient: options.imageOrientationPatient ?? [1, 0, 0, 0, 1, 0],
      PixelSpacing: [0.5, 0.75],
      Rows: 4,
      Columns: 4,
      RescaleSlope: 1,
      RescaleIntercept: -1024,
      WindowCenter: 40,
      WindowWidth: 400,
      ...(options.comment === undefined ? {} : { TextValue: options.comment }),
    },
    Int16Array.from({ length: 16 }, (_, i) => i),
  );
}
