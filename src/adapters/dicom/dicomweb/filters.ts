/** What a search asks for, by the level that it is asked on: attribute keyword or tag, and value. */
export interface DicomwebFilters {
  readonly studies: Readonly<Record<string, string>>;
  readonly series: Readonly<Record<string, string>>;
  readonly instances: Readonly<Record<string, string>>;
}
export type DicomwebLevel = keyof DicomwebFilters;

interface Filter {
  readonly level: DicomwebLevel;
  readonly tag: string;
  /**
   * Whether an answer with another value plainly does not match. Names, dates and free text match by rules that
   * servers differ in, and are left to them.
   */
  readonly exact: boolean;
}

const filter = (level: DicomwebLevel, tag: string, exact = false): Filter => ({ level, tag, exact });

/** Attributes that QIDO-RS services can match on. PS3.18 tables 10.6.1-5 and 10.6.3-3 to 10.6.3-5. */
export const FILTERS: Readonly<Record<string, Filter>> = {
  StudyInstanceUID: filter('studies', '0020000D', true),
  StudyDate: filter('studies', '00080020'),
  StudyTime: filter('studies', '00080030'),
  AccessionNumber: filter('studies', '00080050', true),
  ModalitiesInStudy: filter('studies', '00080061', true),
  ReferringPhysicianName: filter('studies', '00080090'),
  StudyDescription: filter('studies', '00081030'),
  PatientName: filter('studies', '00100010'),
  PatientID: filter('studies', '00100020', true),
  IssuerOfPatientID: filter('studies', '00100021'),
  PatientBirthDate: filter('studies', '00100030'),
  PatientSex: filter('studies', '00100040'),
  StudyID: filter('studies', '00200010'),
  SeriesInstanceUID: filter('series', '0020000E', true),
  Modality: filter('series', '00080060', true),
  SeriesNumber: filter('series', '00200011'),
  SeriesDescription: filter('series', '0008103E'),
  BodyPartExamined: filter('series', '00180015'),
  ProtocolName: filter('series', '00181030'),
  PerformedProcedureStepStartDate: filter('series', '00400244'),
  PerformedProcedureStepStartTime: filter('series', '00400245'),
  SOPInstanceUID: filter('instances', '00080018', true),
  SOPClassUID: filter('instances', '00080016', true),
  InstanceNumber: filter('instances', '00200013'),
};

/** One object of a QIDO-RS answer: PS3.18 annex F. Holds names of patients: never log or keep it. */
export type Answer = Readonly<Record<string, { readonly Value?: readonly unknown[] | undefined }>>;

/** The first value of an attribute as text, or null. */
export function firstValue(answer: Answer, tag: string): string | null {
  const value = answer[tag]?.Value?.[0];
  return typeof value === 'string' || typeof value === 'number' ? String(value) : null;
}

/**
 * The filter that an answer plainly contradicts, or null. A server that does not know a filter ignores it and gives
 * everything; then two cases would hold each other's studies.
 */
export function contradicts(answer: Answer, filters: Readonly<Record<string, string>>): string | null {
  for (const [keyword, wanted] of Object.entries(filters)) {
    const { tag, exact } = FILTERS[keyword] ?? { tag: '', exact: false };
    const values = (answer[tag]?.Value ?? []).filter((value) => typeof value === 'string').map(normal);
    if (!exact || values.length === 0 || /[*?]/u.test(wanted)) continue;
    const accepted = wanted.split(/[,\\]/u).map(normal);
    if (!values.some((value) => accepted.includes(value))) return keyword;
  }
  return null;
}

/** Servers may match without regard to case and to padding. */
function normal(value: string): string {
  return value.trim().toUpperCase();
}
