import type { DataSet } from 'dicom-parser';
import { textReader } from '../../adapters/dicom/character-set.js';
import { withDicom } from '../../adapters/dicom/open-dicom.js';
import type { Needle } from './needle.js';

/** Attributes that name a person, a place or a device, or number them. PS3.15 Annex E names them all for removal. */
const TEXT_TAGS: Readonly<Record<string, string>> = {
  x00080050: 'AccessionNumber',
  x00080080: 'InstitutionName',
  x00080081: 'InstitutionAddress',
  x00081010: 'StationName',
  x00081040: 'InstitutionalDepartmentName',
  x00100020: 'PatientID',
  x00101000: 'OtherPatientIDs',
  x00101040: 'PatientAddress',
  x00102154: 'PatientTelephoneNumbers',
  x00181000: 'DeviceSerialNumber',
  x00200010: 'StudyID',
};
const NAME_TAGS: Readonly<Record<string, string>> = {
  x00080090: 'ReferringPhysicianName',
  x00081048: 'PhysiciansOfRecord',
  x00081050: 'PerformingPhysicianName',
  x00081060: 'NameOfPhysiciansReadingStudy',
  x00081070: 'OperatorsName',
  x00100010: 'PatientName',
  x00101001: 'OtherPatientNames',
  x00101005: 'PatientBirthName',
  x00101060: 'PatientMotherBirthName',
};
const DATE_TAGS: Readonly<Record<string, string>> = {
  x00080020: 'StudyDate',
  x00080021: 'SeriesDate',
  x00080022: 'AcquisitionDate',
  x00080023: 'ContentDate',
  x00100030: 'PatientBirthDate',
};

/**
 * The private values of one DICOM file's header, each in the ways a person would write it.
 *
 * @throws {GroundmarkError} when the header cannot be read; the caller counts it
 */
export async function patientNeedles(file: string): Promise<Needle[]> {
  const values = await withDicom(file, async ({ dataSet }) => {
    const read = (tag: string): string[] => valuesOf(dataSet, tag);
    return [
      ...Object.keys(TEXT_TAGS).flatMap(read),
      ...Object.keys(NAME_TAGS).flatMap(read).flatMap(nameForms),
      ...Object.keys(DATE_TAGS).flatMap(read).flatMap(dateForms),
    ];
  });
  return [...new Set(values)].map((value) => ({ kind: 'patient', value }));
}

function valuesOf(dataSet: DataSet, tag: string): string[] {
  const element = dataSet.elements[tag];
  if (element === undefined) return [];
  const raw = dataSet.byteArray.subarray(element.dataOffset, element.dataOffset + element.length);
  const text = textReader(dataSet.string('x00080005') ?? null).decode(raw) ?? '';
  return text
    .split('\\')
    .map((value) => value.trim())
    .filter((value) => value !== '');
}

/** `Doe^Jane^Ann` as stored, in both orders, and each part of two or more letters. PS3.5 section 6.2.1. */
export function nameForms(name: string): string[] {
  return name.split('=').flatMap((group) => {
    const parts = group
      .split('^')
      .map((part) => part.trim())
      .filter((part) => part !== '');
    if (parts.length === 0) return [];
    const [family, ...given] = parts;
    const turned = given.length > 0 ? [[...given, family].join(' '), `${family}, ${given.join(' ')}`] : [];
    return [...new Set([group, parts.join(' '), ...turned, ...parts])];
  });
}

/** `20190304`, also with hyphens; anything else as it is. */
function dateForms(date: string): string[] {
  const match = /^(\d{4})\.?(\d{2})\.?(\d{2})$/.exec(date);
  if (match === null) return [date];
  const [, year, month, day] = match;
  return [`${year}${month}${day}`, `${year}-${month}-${day}`, `${day}.${month}.${year}`];
}
