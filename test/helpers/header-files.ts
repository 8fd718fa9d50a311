import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'vitest';
import { scanFile } from '../../src/adapters/dicom/header/scan-file.js';
import type { HeaderRow } from '../../src/adapters/dicom/index.js';
import { parseHeader, scanHeader } from '../../src/adapters/dicom/scan-header.js';
import type { Element } from './dicom-bytes.js';

/** Rows, or the code of the refusal; an error that is no refusal gives its text. */
export type Outcome = HeaderRow[] | string;

export async function outcomeOf(read: Promise<HeaderRow[]>): Promise<Outcome> {
  return read.catch((error: unknown) => (error as { code?: string }).code ?? `crash: ${String(error)}`);
}

/** A folder for hand-built files, read by both readers of headers. */
export function headerFiles() {
  const folder = mkdtempSync(path.join(tmpdir(), 'groundmark-header-'));
  const file = path.join(folder, 'image.dcm');
  return {
    file,
    folder,
    remove: (): void => rmSync(folder, { recursive: true }),
    /** What both readers say of these bytes; fails when they differ. */
    async read(bytes: Uint8Array): Promise<{ outcome: Outcome; byScanner: boolean }> {
      writeFileSync(file, bytes);
      const byScanner = scanFile(file) !== null;
      const outcome = await outcomeOf(scanHeader(file));
      expect(outcome).toEqual(await outcomeOf(parseHeader(file)));
      return { outcome, byScanner };
    },
    /** The rows that both readers give, our own scanner having read them. */
    async scan(bytes: Uint8Array): Promise<HeaderRow[]> {
      const { outcome, byScanner } = await this.read(bytes);
      expect(byScanner).toBe(true);
      if (typeof outcome === 'string') throw new Error(`refused as ${outcome}`);
      return outcome;
    },
  };
}

/** A CT slice of 2 × 2 pixels, in order of tags. */
export const CT_ELEMENTS: readonly Element[] = [
  [0x00080005, 'CS', 'ISO_IR 100'],
  [0x00080008, 'CS', 'ORIGINAL\\PRIMARY\\AXIAL'],
  [0x00080016, 'UI', '1.2.840.10008.5.1.4.1.1.2'],
  [0x00080018, 'UI', '2.25.13'],
  [0x00080060, 'CS', 'CT'],
  [0x0008103e, 'LO', 'Sch\u00e4del nativ'],
  [0x00180010, 'LO', 'Iodine'],
  [0x00180015, 'CS', 'HEAD'],
  [0x00180022, 'CS', 'HELICAL\\FAST'],
  [0x00180050, 'DS', '2.5'],
  [0x00180088, 'DS', '1.25'],
  [0x00181030, 'LO', 'Protocol 7'],
  [0x00181120, 'DS', '-12.5'],
  [0x00181210, 'SH', 'B30f'],
  [0x0020000d, 'UI', '2.25.11'],
  [0x0020000e, 'UI', '2.25.12'],
  [0x00200011, 'IS', '4'],
  [0x00200012, 'IS', '2'],
  [0x00200013, 'IS', '17'],
  [0x00200032, 'DS', '-120.5\\-130.25\\42'],
  [0x00200037, 'DS', '1\\0\\0\\0\\1\\0'],
  [0x00200052, 'UI', '2.25.10'],
  [0x00201041, 'DS', '42'],
  [0x00280002, 'US', 1],
  [0x00280004, 'CS', 'MONOCHROME2'],
  [0x00280010, 'US', 2],
  [0x00280011, 'US', 2],
  [0x00280030, 'DS', '0.5\\0.75'],
  [0x00280100, 'US', 16],
  [0x00280101, 'US', 12],
  [0x00280102, 'US', 11],
  [0x00280103, 'US', 0],
  [0x00280301, 'CS', 'NO'],
  [0x00281050, 'DS', '40\\-600'],
  [0x00281051, 'DS', '400\\1500'],
  [0x00281052, 'DS', '-1024'],
  [0x00281053, 'DS', '1'],
  [0x00281054, 'LO', 'HU'],
  [0x7fe00010, 'OW', new Uint8Array(8)],
];

/** The row of {@link CT_ELEMENTS} in explicit VR little endian, but for its path. */
export const CT_ROW: Omit<HeaderRow, 'path'> = {
  schemaVersion: 1,
  frame: 0,
  studyInstanceUid: '2.25.11',
  seriesInstanceUid: '2.25.12',
  sopInstanceUid: '2.25.13',
  sopClassUid: '1.2.840.10008.5.1.4.1.1.2',
  transferSyntaxUid: '1.2.840.10008.1.2.1',
  modality: 'CT',
  seriesNumber: 4,
  instanceNumber: 17,
  rows: 2,
  columns: 2,
  numberOfFrames: 1,
  bitsAllocated: 16,
  bitsStored: 12,
  pixelRepresentation: 0,
  samplesPerPixel: 1,
  photometricInterpretation: 'MONOCHROME2',
  imagePositionPatient: [-120.5, -130.25, 42],
  imageOrientationPatient: [1, 0, 0, 0, 1, 0],
  pixelSpacingMm: [0.5, 0.75],
  sliceThicknessMm: 2.5,
  rescaleSlope: 1,
  rescaleIntercept: -1024,
  windowCenter: [40, -600],
  windowWidth: [400, 1500],
  seriesDescription: 'Sch\u00e4del nativ',
  bodyPartExamined: 'HEAD',
  imageType: ['ORIGINAL', 'PRIMARY', 'AXIAL'],
  convolutionKernel: 'B30f',
  frameOfReferenceUid: '2.25.10',
  acquisitionNumber: 2,
  echoNumber: null,
  echoTimeMs: null,
  inversionTimeMs: null,
  bValue: null,
  gradientDirection: null,
  temporalPosition: null,
  triggerTimeMs: null,
  stackId: null,
  protocolName: 'Protocol 7',
  sequenceName: null,
  scanOptions: ['HELICAL', 'FAST'],
  contrastBolusAgent: 'Iodine',
  gantryDetectorTiltDegrees: -12.5,
  spacingBetweenSlicesMm: 1.25,
  sliceLocation: 42,
  nominalPercentageOfCardiacPhase: null,
  anatomicRegion: null,
  burnedInAnnotation: 'NO',
  conversionType: null,
  rescaleType: 'HU',
  units: null,
  mosaic: null,
};

/** The elements with others put in or in the place of those with the same tag; a value of null leaves one out. */
export function changed(
  elements: readonly Element[],
  ...changes: (Element | readonly [number, null])[]
): Element[] {
  const tags = new Set(changes.map(([tag]) => tag));
  const more = changes.filter((change): change is Element => change[1] !== null);
  return [...elements.filter(([tag]) => !tags.has(tag)), ...more].sort(([a], [b]) => a - b);
}
