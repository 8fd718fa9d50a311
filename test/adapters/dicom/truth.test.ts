import { readFileSync } from 'node:fs';
import { beforeAll, expect, it } from 'vitest';
import { inspectDicom } from '../../../src/adapters/dicom/index.js';
import { GroundmarkError } from '../../../src/domain/error.js';
import type { IndexRow, IndexSummary } from '../../../src/domain/index-row.js';
import { runIndex, type VolumeFields } from '../../../src/extract/index-studies/index.js';
import { testDeps } from '../../helpers/deps.js';
import { describeShared, sharedPath } from '../../helpers/shared.js';

interface Pixels {
  status: string;
  lossless?: boolean;
  trust?: string;
  sha256: string;
  storedBits?: string | { sha256: string };
  min: number;
  max: number;
  mean: number;
  frameSha256?: string[];
}
type TruthFile = Record<string, unknown> & { pixels?: Pixels };
interface Truth {
  files: Record<string, TruthFile>;
  series: Record<string, Record<string, { groups?: { order: string[] }[] }>>;
}

/** Attribute by attribute what pydicom, GDCM and DCMTK read (TRUTH.json). */
const FIELDS: Record<string, keyof IndexRow> = {
  StudyInstanceUID: 'studyInstanceUid',
  SeriesInstanceUID: 'seriesInstanceUid',
  SOPInstanceUID: 'sopInstanceUid',
  SOPClassUID: 'sopClassUid',
  Modality: 'modality',
  TransferSyntaxUID: 'transferSyntaxUid',
  SeriesNumber: 'seriesNumber',
  InstanceNumber: 'instanceNumber',
  Rows: 'rows',
  Columns: 'columns',
  BitsAllocated: 'bitsAllocated',
  BitsStored: 'bitsStored',
  PixelRepresentation: 'pixelRepresentation',
  SamplesPerPixel: 'samplesPerPixel',
  PhotometricInterpretation: 'photometricInterpretation',
  ImageType: 'imageType',
  SeriesDescription: 'seriesDescription',
  BodyPartExamined: 'bodyPartExamined',
  PixelSpacing: 'pixelSpacingMm',
  SliceThickness: 'sliceThicknessMm',
  WindowCenter: 'windowCenter',
  WindowWidth: 'windowWidth',
  ImagePositionPatient: 'imagePositionPatient',
  ImageOrientationPatient: 'imageOrientationPatient',
  RescaleSlope: 'rescaleSlope',
  RescaleIntercept: 'rescaleIntercept',
};
/** Described frame by frame in a multi-frame file. */
const PER_FRAME = new Set([
  'ImagePositionPatient',
  'ImageOrientationPatient',
  'RescaleSlope',
  'RescaleIntercept',
  'PixelSpacing',
  'SliceThickness',
  'WindowCenter',
  'WindowWidth',
  'ImageType',
]);

describeShared('The shared DICOM set against pydicom, GDCM and DCMTK', 'dicom', () => {
  let truth: Truth;
  let rows: (IndexRow & VolumeFields)[];
  let summary: IndexSummary;
  const byPath = new Map<string, (IndexRow & VolumeFields)[]>();

  beforeAll(async () => {
    truth = JSON.parse(readFileSync(sharedPath('dicom', 'TRUTH.json'), 'utf8')) as Truth;
    const sources = [{ caseId: null, root: sharedPath('dicom'), shownRoot: '' }];
    ({ rows, summary } = await runIndex({ sources }, testDeps()));
    for (const row of rows) byPath.set(row.path, [...(byPath.get(row.path) ?? []), row]);
  });

  it('gives a row or a reason for every file', () => {
    const skipped = new Map(summary.skipped.map((file) => [file.path, file.reason]));
    const lost = Object.keys(truth.files).filter((file) => !byPath.has(file) && !skipped.has(file));
    expect(lost).toEqual([]);
    const refused = Object.entries(truth.files).filter(([file, { pixels, ...v }]) => {
      const whole = pixels?.status === 'ok' && v.StudyInstanceUID && v.SeriesInstanceUID && v.SOPInstanceUID;
      return whole && !byPath.has(file);
    });
    expect(refused.map(([file]) => `${file}: ${skipped.get(file)}`)).toEqual([]);
  });

  it('reads every header value as they do', () => {
    const wrong: string[] = [];
    let checked = 0;
    for (const [file, expected] of Object.entries(truth.files)) {
      const found = byPath.get(file);
      if (!found) continue;
      for (const [attribute, field] of Object.entries(FIELDS)) {
        const value = expected[attribute];
        if (value === undefined || value === null || value === '') continue;
        if (PER_FRAME.has(attribute) && found[0]!.numberOfFrames > 1) continue;
        checked++;
        if (!alike(value, found[0]![field])) {
          wrong.push(
            `${file} ${attribute}: ${JSON.stringify(value)} is not ${JSON.stringify(found[0]![field])}`,
          );
        }
      }
    }
    expect(wrong).toEqual([]);
    expect(checked).toBeGreaterThan(12_000);
  });

  it('reads every frame of enhanced objects as they do', () => {
    const wrong: string[] = [];
    let frames = 0;
    for (const [file, expected] of Object.entries(truth.files)) {
      const perFrame = (expected.perFrame ?? []) as Record<string, unknown>[];
      for (const { f, ipp, iop, slope, intercept, wc, ww } of perFrame) {
        const row = byPath.get(file)?.[(f as number) - 1];
        if (!row) continue;
        frames++;
        const pairs: [unknown, unknown][] = [
          [ipp, row.imagePositionPatient],
          [iop, row.imageOrientationPatient],
          [slope, row.rescaleSlope],
          [intercept, row.rescaleIntercept],
          [wc, row.windowCenter],
          [ww, row.windowWidth],
        ];
        for (const [value, read] of pairs) {
          if (value !== undefined && value !== null && !alike(value, read, 1e-4)) {
            wrong.push(`${file} frame ${String(f)}: ${JSON.stringify(value)} is not ${JSON.stringify(read)}`);
          }
        }
      }
    }
    expect(wrong).toEqual([]);
    expect(frames).toBeGreaterThan(500);
  });

  it('puts every stack in their spatial order', () => {
    const wrong: string[] = [];
    let good = 0;
    for (const [folder, series] of Object.entries(truth.series)) {
      for (const [uid, { groups = [] }] of Object.entries(series)) {
        const own = rows.filter((row) => row.path.startsWith(`${folder}/`) && row.seriesInstanceUid === uid);
        for (const { order } of groups) {
          const rank = new Map(order.map((sop, i) => [sop, i]));
          // One truncated file and one without pixels are groups of their own.
          if (order.length < 2 && !own.some((row) => rank.has(row.sopInstanceUid!))) continue;
          const volumes = new Set(
            own.filter((row) => rank.has(row.sopInstanceUid!)).map((row) => row.volumeId),
          );
          if (volumes.size === 0) wrong.push(`${folder} ${uid}: no rows`);
          for (const volumeId of volumes) {
            const stack = own
              .filter((row) => row.volumeId === volumeId)
              .sort((a, b) => a.position - b.position);
            const ranks = stack.map((row) => rank.get(row.sopInstanceUid!)!);
            if (ranks.some((r, i) => i > 0 && r < ranks[i - 1]!)) wrong.push(`${folder} ${uid} ${volumeId}`);
            else good++;
          }
        }
      }
    }
    expect(wrong).toEqual([]);
    expect(good).toBeGreaterThan(60);
  });

  it('holds one image a place in every volume, numbered from 0 without a gap', () => {
    const volumes = new Map<string, IndexRow[]>();
    for (const row of rows) volumes.set(row.volumeId, [...(volumes.get(row.volumeId) ?? []), row]);
    for (const stack of volumes.values()) {
      expect(stack.map((row) => row.position).sort((a, b) => a - b)).toEqual(stack.map((_, i) => i));
      const placed = stack.filter((row) => row.orderedBy === 'position');
      const places = new Set(placed.map((row) => JSON.stringify(row.imagePositionPatient)));
      expect(places.size).toBe(placed.length);
    }
  });

  it('decodes every pixel array that they decode, and refuses the others by a named reason', async () => {
    const wrong: string[] = [];
    const counts = new Map<string, Record<'exact' | 'lossy' | 'refused' | 'noTruth', number>>();
    for (const [file, { pixels, TransferSyntaxUID }] of Object.entries(truth.files)) {
      const syntax = typeof TransferSyntaxUID === 'string' ? TransferSyntaxUID : 'none';
      const count = counts.get(syntax) ?? { exact: 0, lossy: 0, refused: 0, noTruth: 0 };
      counts.set(syntax, count);
      const found = await inspectDicom(sharedPath('dicom', file), null).catch((error: Error) => error);
      if (found instanceof Error) {
        if (!(found instanceof GroundmarkError)) wrong.push(`${file}: ${found.name}`);
        if (pixels?.status === 'ok') wrong.push(`${file}: ${found.message}`);
        if ((found as GroundmarkError).code === 'unsupported-pixels' && !found.message.includes(syntax))
          wrong.push(`${file}: refused without naming ${syntax}`);
        count.refused++;
        continue;
      }
      if (pixels?.status !== 'ok') {
        count.noTruth++;
        continue;
      }
      const stored = typeof pixels.storedBits === 'object' ? pixels.storedBits.sha256 : pixels.storedBits;
      const exact = pixels.lossless !== false && pixels.trust?.startsWith('exact');
      const same = exact
        ? found.sha256 === pixels.sha256 || found.sha256 === stored
        : Math.abs(found.mean - pixels.mean) <= 0.5 &&
          Math.abs(found.min - pixels.min) <= 3 &&
          Math.abs(found.max - pixels.max) <= 3;
      if (same) count[exact ? 'exact' : 'lossy']++;
      else wrong.push(`${file}: mean ${found.mean} and ${pixels.mean}`);
    }
    expect(wrong).toEqual([]);
    const table = [...counts]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(
        ([syntax, { exact, lossy, refused, noTruth }]) => `${syntax} ${exact} ${lossy} ${refused} ${noTruth}`,
      );
    process.stdout.write(
      ['transfer syntax: exact, lossy within bounds, refused, no truth', ...table].join('\n') + '\n',
    );
    const right = [...counts.values()].reduce((sum, { exact, lossy }) => sum + exact + lossy, 0);
    expect(right).toBeGreaterThan(600);
  });

  it('gives one frame of many by its number', async () => {
    const several = Object.entries(truth.files).filter(
      ([, { pixels }]) => (pixels?.frameSha256?.length ?? 0) > 1,
    );
    expect(several.length).toBeGreaterThan(5);
    for (const [file, { pixels }] of several) {
      if (pixels!.lossless === false) continue;
      const last = pixels!.frameSha256!.length - 1;
      const { sha256 } = await inspectDicom(sharedPath('dicom', file), last);
      expect(`${file} ${sha256}`).toBe(`${file} ${pixels!.frameSha256![last]}`);
    }
  });
});

function alike(a: unknown, b: unknown, tolerance = 1e-6): boolean {
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((x, i) => alike(x, b[i], tolerance));
  if (Array.isArray(a) && a.length === 1) return alike(a[0], b, tolerance);
  if (Array.isArray(b) && b.length === 1) return alike(a, b[0], tolerance);
  if (a === b) return true;
  // DICOM pads text with spaces; pydicom leaves some of them on.
  if (typeof a === 'string' && typeof b === 'string' && a.trim() === b.trim()) return true;
  const [x, y] = [Number(a), Number(b)];
  return b !== null && Math.abs(x - y) <= Math.max(tolerance, tolerance * Math.abs(x));
}
