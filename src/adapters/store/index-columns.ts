/** SQL type of a column. JSON: one number or a list of them, or a record. */
export type ColumnType = 'VARCHAR' | 'INTEGER' | 'DOUBLE' | 'VARCHAR[]' | 'DOUBLE[]' | 'JSON';

export type Columns = Readonly<Record<string, ColumnType>>;

/** The columns of `rows`, named as the fields of an index row. Lists are as long as the row's. */
export const ROW_COLUMNS: Columns = {
  caseId: 'VARCHAR',
  path: 'VARCHAR',
  frame: 'INTEGER',
  studyInstanceUid: 'VARCHAR',
  seriesInstanceUid: 'VARCHAR',
  sopInstanceUid: 'VARCHAR',
  sopClassUid: 'VARCHAR',
  transferSyntaxUid: 'VARCHAR',
  modality: 'VARCHAR',
  seriesNumber: 'DOUBLE',
  instanceNumber: 'DOUBLE',
  rows: 'INTEGER',
  columns: 'INTEGER',
  numberOfFrames: 'INTEGER',
  bitsAllocated: 'INTEGER',
  bitsStored: 'INTEGER',
  pixelRepresentation: 'INTEGER',
  samplesPerPixel: 'INTEGER',
  photometricInterpretation: 'VARCHAR',
  imagePositionPatient: 'DOUBLE[]',
  imageOrientationPatient: 'DOUBLE[]',
  pixelSpacingMm: 'DOUBLE[]',
  sliceThicknessMm: 'DOUBLE',
  rescaleSlope: 'DOUBLE',
  rescaleIntercept: 'DOUBLE',
  windowCenter: 'JSON',
  windowWidth: 'JSON',
  seriesDescription: 'VARCHAR',
  bodyPartExamined: 'VARCHAR',
  imageType: 'VARCHAR[]',
  convolutionKernel: 'VARCHAR',
  frameOfReferenceUid: 'VARCHAR',
  acquisitionNumber: 'DOUBLE',
  echoNumber: 'DOUBLE',
  echoTimeMs: 'DOUBLE',
  inversionTimeMs: 'DOUBLE',
  bValue: 'DOUBLE',
  gradientDirection: 'DOUBLE[]',
  temporalPosition: 'DOUBLE',
  triggerTimeMs: 'DOUBLE',
  stackId: 'VARCHAR',
  protocolName: 'VARCHAR',
  sequenceName: 'VARCHAR',
  scanOptions: 'VARCHAR[]',
  contrastBolusAgent: 'VARCHAR',
  gantryDetectorTiltDegrees: 'DOUBLE',
  spacingBetweenSlicesMm: 'DOUBLE',
  sliceLocation: 'DOUBLE',
  nominalPercentageOfCardiacPhase: 'DOUBLE',
  anatomicRegion: 'VARCHAR',
  burnedInAnnotation: 'VARCHAR',
  conversionType: 'VARCHAR',
  rescaleType: 'VARCHAR',
  units: 'VARCHAR',
  mosaic: 'JSON',
  volumeId: 'VARCHAR',
  position: 'INTEGER',
  orderedBy: 'VARCHAR',
  splitBy: 'VARCHAR[]',
  duplicateOf: 'VARCHAR',
};

/** Columns that change from slice to slice. The others are the same for many rows, and are given to the database once. */
const SLICE_NAMES: ReadonlySet<string> = new Set([
  'path',
  'frame',
  'sopInstanceUid',
  'instanceNumber',
  'imagePositionPatient',
  'sliceLocation',
  'acquisitionNumber',
  'temporalPosition',
  'triggerTimeMs',
  'bValue',
  'rescaleSlope',
  'rescaleIntercept',
  'position',
  'duplicateOf',
]);

const partOf = (slice: boolean): Columns =>
  Object.fromEntries(Object.entries(ROW_COLUMNS).filter(([name]) => SLICE_NAMES.has(name) === slice));

/** Those of `slice_values`, behind `row` and `group`. */
export const SLICE_COLUMNS = partOf(true);
/** Those of `shared_values`, behind `group`. */
export const SHARED_COLUMNS = partOf(false);

export const SKIPPED_COLUMNS: Columns = {
  caseId: 'VARCHAR',
  path: 'VARCHAR',
  reason: 'VARCHAR',
  modality: 'VARCHAR',
};

/** Scan results as they are kept for a run that reads only what has changed; not for users. */
export const SCANS_COLUMNS: Columns = { version: 'VARCHAR', files: 'JSON', results: 'VARCHAR' };

const rowColumns = Object.keys(ROW_COLUMNS).map(
  (name) => `${SLICE_NAMES.has(name) ? 's' : 'g'}.${quoted(name)}`,
);

/**
 * The views that users ask. `rows` is one because storing sixty columns for every row would cost more than reading all
 * the headers.
 */
export const VIEWS = `
CREATE VIEW "rows" AS
  SELECT ${rowColumns.join(', ')} FROM slice_values s JOIN shared_values g USING ("group");
CREATE VIEW volumes AS
  SELECT "caseId", "volumeId", any_value("studyInstanceUid") AS "studyInstanceUid",
    any_value("seriesInstanceUid") AS "seriesInstanceUid", any_value("modality") AS "modality",
    any_value("seriesDescription") AS "seriesDescription", count(*) AS slices,
    any_value("rows") AS "rows", any_value("columns") AS "columns",
    any_value("sliceThicknessMm") AS "sliceThicknessMm", any_value("orderedBy") AS "orderedBy",
    count("duplicateOf") AS duplicates
  FROM "rows" GROUP BY "caseId", "volumeId";
CREATE VIEW series AS
  SELECT "caseId", "studyInstanceUid", "seriesInstanceUid", any_value("modality") AS "modality",
    any_value("seriesNumber") AS "seriesNumber", any_value("seriesDescription") AS "seriesDescription",
    count(DISTINCT "sopInstanceUid") AS instances, count(*) AS frames, count(DISTINCT "volumeId") AS volumes
  FROM "rows" GROUP BY "caseId", "studyInstanceUid", "seriesInstanceUid";
`;

/** A name as SQL takes it. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
