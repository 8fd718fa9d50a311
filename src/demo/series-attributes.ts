import type { DicomAttributes } from '../adapters/dicom/write-dicom.js';
import type { Identity, Visit } from './identity.js';
import type { SeriesRecipe, StackRecipe, StudyRecipe } from './recipe.js';
import { dot, type SlicePlane } from './stack-geometry.js';

/** SOP classes of the single-frame image objects. PS3.4 B.5. */
const SOP_CLASS = {
  CT: '1.2.840.10008.5.1.4.1.1.2',
  MR: '1.2.840.10008.5.1.4.1.1.4',
  PT: '1.2.840.10008.5.1.4.1.1.128',
} as const;

export interface SeriesUids {
  readonly study: string;
  readonly series: string;
  readonly frameOfReference: string;
}

/** The attributes that every instance of a series shares. */
export function seriesAttributes(
  study: StudyRecipe,
  series: SeriesRecipe,
  identity: Identity,
  visit: Visit,
  uids: SeriesUids,
): DicomAttributes {
  const modality = series.modality ?? study.modality;
  return {
    SOPClassUID: SOP_CLASS[modality],
    StudyDate: visit.date,
    SeriesDate: visit.date,
    AcquisitionDate: visit.date,
    ContentDate: visit.date,
    StudyTime: visit.time,
    SeriesTime: visit.time,
    AcquisitionTime: visit.time,
    ContentTime: visit.time,
    AccessionNumber: visit.accession,
    Modality: modality,
    Manufacturer: 'Groundmark Phantoms',
    ManufacturerModelName: 'Seeded Ellipsoids',
    InstitutionName: identity.institution,
    InstitutionAddress: '1 Nowhere Lane, Exampleton',
    StationName: `SYN${modality}01`,
    ReferringPhysicianName: identity.referrer,
    StudyDescription: study.description,
    SeriesDescription: series.description,
    PatientName: `${identity.family}^${identity.given}`,
    PatientID: identity.patientId,
    PatientBirthDate: identity.birthDate,
    PatientSex: identity.sex,
    PatientAge: `${String(identity.age).padStart(3, '0')}Y`,
    PatientAddress: `${identity.age} Imaginary Road, Exampleton`,
    PatientComments: 'Synthetic phantom. Not a person.',
    BodyPartExamined: study.bodyPart,
    ProtocolName: series.description,
    PatientPosition: series.position,
    StudyInstanceUID: uids.study,
    SeriesInstanceUID: uids.series,
    StudyID: '1',
    SeriesNumber: series.number,
    AcquisitionNumber: 1,
    FrameOfReferenceUID: uids.frameOfReference,
    PositionReferenceIndicator: '',
    Rows: series.matrix,
    Columns: series.matrix,
    WindowCenter: series.window[0],
    WindowWidth: series.window[1],
    RescaleSlope: series.rescale[0],
    RescaleIntercept: series.rescale[1],
    ...imageType(series, modality),
    ...(modality === 'CT' ? ctAttributes(study, series) : {}),
    ...(modality === 'MR' ? mrAttributes(series) : {}),
    ...(modality === 'PT' ? petAttributes(visit) : {}),
  };
}

/** The attributes of one instance. */
export function sliceAttributes(
  plane: SlicePlane,
  stack: StackRecipe,
  instance: {
    readonly sopInstanceUid: string;
    readonly instanceNumber: number;
    readonly imageIndex: number;
    readonly modality: string;
  },
): DicomAttributes {
  return {
    SOPInstanceUID: instance.sopInstanceUid,
    InstanceNumber: instance.instanceNumber,
    ImagePositionPatient: plane.origin,
    ImageOrientationPatient: [...plane.row, ...plane.column],
    PixelSpacing: [plane.pixelMm, plane.pixelMm],
    SliceThickness: stack.depthMm ?? Math.min(stack.spacing, 10),
    SliceLocation: dot(plane.origin, plane.normal),
    ...(stack.count > 1 && instance.modality === 'MR' ? { SpacingBetweenSlices: stack.spacing } : {}),
    ...(instance.modality === 'CT' && stack.plane === 'axial'
      ? { GantryDetectorTilt: stack.tiltDegrees }
      : {}),
    ...(instance.modality === 'PT' ? { ImageIndex: instance.imageIndex } : {}),
  };
}

/** PS3.3 C.7.6.1.1.2, C.8.2.1.1.1. */
function imageType(series: SeriesRecipe, modality: string): DicomAttributes {
  if (series.localizer) return { ImageType: ['ORIGINAL', 'PRIMARY', 'LOCALIZER'] };
  if (series.reformat) return { ImageType: ['DERIVED', 'SECONDARY', 'REFORMATTED'] };
  if (modality === 'MR') return { ImageType: ['ORIGINAL', 'PRIMARY', 'M', 'ND'] };
  return { ImageType: modality === 'PT' ? ['ORIGINAL', 'PRIMARY'] : ['ORIGINAL', 'PRIMARY', 'AXIAL'] };
}

function ctAttributes(study: StudyRecipe, series: SeriesRecipe): DicomAttributes {
  return {
    KVP: 120,
    XRayTubeCurrent: 210,
    ExposureTime: 500,
    RescaleType: 'HU',
    ...(series.kernel === undefined ? {} : { ConvolutionKernel: series.kernel }),
    ...(study.contrast ? { ContrastBolusAgent: 'SYNTHETIC CONTRAST', ContrastBolusRoute: 'IV' } : {}),
  };
}

function mrAttributes(series: SeriesRecipe): DicomAttributes {
  const mr = series.mr!;
  return {
    ScanningSequence: mr.sequence === 'IR' ? ['SE', 'IR'] : mr.sequence,
    SequenceVariant: 'SK',
    ScanOptions: '',
    MRAcquisitionType: '2D',
    MagneticFieldStrength: 1.5,
    RepetitionTime: mr.repetitionTimeMs,
    EchoTime: mr.echoTimeMs,
    ...(mr.inversionTimeMs === undefined ? {} : { InversionTime: mr.inversionTimeMs }),
    EchoTrainLength: mr.repetitionTimeMs > 2000 ? 17 : 1,
    FlipAngle: mr.flipAngle,
    EchoNumbers: 1,
  };
}

function petAttributes(visit: Visit): DicomAttributes {
  return {
    Units: 'BQML',
    CountsSource: 'EMISSION',
    SeriesType: ['STATIC', 'IMAGE'],
    NumberOfSlices: 1,
    CorrectedImage: ['DECY', 'ATTN', 'SCAT', 'RAN'],
    DecayCorrection: 'START',
    CollimatorType: 'NONE',
    RandomsCorrectionMethod: 'DLYD',
    AttenuationCorrectionMethod: 'CT',
    ActualFrameDuration: 120000,
    FrameReferenceTime: 0,
    PatientWeight: 72,
    RadiopharmaceuticalInformationSequence: [
      {
        Radiopharmaceutical: 'Fluorodeoxyglucose F^18^',
        RadiopharmaceuticalStartTime: visit.time,
        RadionuclideTotalDose: 288000000,
        RadionuclideHalfLife: 6586.2,
      },
    ],
  };
}
