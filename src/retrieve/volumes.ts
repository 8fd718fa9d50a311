import { byCodeUnit } from '../adapters/store/index.js';
import type { SliceRef } from '../domain/evidence.js';
import { planeOf, projection, sliceNormal, type Plane } from '../domain/geometry.js';
import type { IndexRow } from '../domain/index-row.js';
import { repeatedReformats } from './repeated-reformats.js';

/** One stack of slices of one case, in spatial order. */
export interface CaseVolume {
  readonly caseId: string;
  readonly volumeId: string;
  readonly seriesInstanceUid: string;
  readonly modality: string | null;
  readonly plane: Plane;
  readonly seriesDescription: string | null;
  readonly convolutionKernel: string | null;
  readonly bodyPartExamined: string | null;
  /** Its values trimmed and in upper case. */
  readonly imageType: readonly string[];
  readonly sopClassUid: string | null;
  readonly protocolName: string | null;
  readonly anatomicRegion: string | null;
  readonly contrastBolusAgent: string | null;
  readonly sliceThicknessMm: number | null;
  /** Each image is a Siemens mosaic. */
  readonly isMosaic: boolean;
  /** Several samples a pixel: a colour map, a fusion or a screen. */
  readonly isColour: boolean;
  /** A reformat that a series before it holds too. */
  readonly isRepeat: boolean;
  /** Different images of it have one SOPInstanceUID, so that it names no slice. */
  readonly sharesUid: boolean;
  readonly seriesNumber: number | null;
  /** By position, from 0. */
  readonly rows: readonly IndexRow[];
}

/** The stacks of an index, by case, series number and volume id. Rows without a case, and copies of an instance, are left out. */
export function volumesOf(rows: readonly IndexRow[]): CaseVolume[] {
  const groups = new Map<string, IndexRow[]>();
  for (const row of rows) {
    if (row.caseId === null || row.seriesInstanceUid === null || row.sopInstanceUid === null) continue;
    // A second file of the same instance (`duplicateOf` names the first) would show one slice twice.
    if (typeof row['duplicateOf'] === 'string') continue;
    const key = `${row.caseId}\u0000${row.volumeId}`;
    const group = groups.get(key);
    if (group) group.push(row);
    else groups.set(key, [row]);
  }
  const stacks = [...groups.values()].map((group) => [...group].sort((a, b) => a.position - b.position));
  stacks.sort(([a], [b]) => byPlace(a!, b!));
  const repeats = repeatedReformats(stacks);
  return stacks.map((stack) => volumeOf(stack, repeats.has(stack)));
}

function byPlace(a: IndexRow, b: IndexRow): number {
  return (
    byCodeUnit(a.caseId!, b.caseId!) ||
    (a.seriesNumber ?? Infinity) - (b.seriesNumber ?? Infinity) ||
    byCodeUnit(a.volumeId, b.volumeId)
  );
}

function volumeOf(rows: readonly IndexRow[], isRepeat: boolean): CaseVolume {
  const first = rows[0]!;
  return {
    caseId: first.caseId!,
    volumeId: first.volumeId,
    seriesInstanceUid: first.seriesInstanceUid!,
    modality: first.modality,
    plane: planeOf(first.imageOrientationPatient),
    seriesDescription: first.seriesDescription,
    convolutionKernel: first.convolutionKernel,
    bodyPartExamined: first.bodyPartExamined,
    imageType: (first.imageType ?? []).map((type) => type.trim().toUpperCase()),
    sopClassUid: first.sopClassUid,
    protocolName: textOf(first['protocolName']),
    anatomicRegion: textOf(first['anatomicRegion']),
    contrastBolusAgent: textOf(first['contrastBolusAgent']),
    sliceThicknessMm: first.sliceThicknessMm,
    isMosaic: typeof first['mosaic'] === 'object' && first['mosaic'] !== null,
    isColour: (first.samplesPerPixel ?? 1) > 1,
    isRepeat,
    sharesUid: new Set(rows.map((row) => `${row.sopInstanceUid} ${row.frame}`)).size < rows.length,
    seriesNumber: first.seriesNumber,
    rows,
  };
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

/** Where an index row's slice lies. The row must have its UIDs. */
export function sliceRef(row: IndexRow): SliceRef {
  return {
    seriesInstanceUid: row.seriesInstanceUid!,
    sopInstanceUid: row.sopInstanceUid!,
    frame: row.frame,
    position: row.position,
    volumeId: row.volumeId,
  };
}

/** One name for one slice: SOPInstanceUID and frame. */
export function sliceKey(slice: { readonly sopInstanceUid: string | null; readonly frame: number }): string {
  return `${slice.sopInstanceUid ?? ''}#${slice.frame}`;
}

/** Place along the stack's own normal in mm, or null without geometry. Comparable between parallel stacks only. */
export function placeMm(row: IndexRow): number | null {
  const normal = sliceNormal(row.imageOrientationPatient);
  if (normal === null || row.imagePositionPatient === null) return null;
  return projection(row.imagePositionPatient, normal);
}
