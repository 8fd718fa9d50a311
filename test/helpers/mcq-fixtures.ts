import { deflateSync, crc32 } from 'node:zlib';
import {
  workspacePaths,
  writeJsonl,
  type Store,
  type WorkspacePaths,
} from '../../src/adapters/store/index.js';
import type { Evidence, SliceRef } from '../../src/domain/evidence.js';
import type { Finding, Target } from '../../src/domain/finding.js';
import { indexRowSchema, type IndexRow } from '../../src/domain/index-row.js';
import type { RenderedImage } from '../../src/mcq/render-images.js';

interface TargetWords {
  readonly targetId?: string;
  readonly caseId?: string;
  /** The whole report sentence. */
  readonly sentence: string;
  readonly start?: number;
  readonly concept: string;
  readonly anatomy?: string | null;
  readonly laterality?: Finding['laterality'];
  /** The finding's own words; by default the concept. */
  readonly text?: string;
  readonly region?: string | null;
  readonly modality?: string | null;
  readonly dropped?: string | null;
}

/** A kept target of case-01 by default. */
export function aTarget(words: TargetWords): Target {
  const { sentence, concept, start = 0 } = words;
  const end = start + sentence.length;
  const anatomy = words.anatomy ?? null;
  const laterality = words.laterality ?? null;
  return {
    schemaVersion: 1,
    targetId: words.targetId ?? 'target-1',
    caseId: words.caseId ?? 'case-01',
    reportId: words.caseId ?? 'case-01',
    finding: {
      start,
      end,
      text: words.text ?? concept,
      concept,
      anatomy,
      laterality,
      key: `${concept}|${anatomy}|${laterality}`,
      polarity: 'positive',
      temporal: 'current',
      visual: true,
      needsMeasurement: false,
    },
    sentence: { start, end, text: sentence },
    modality: words.modality === undefined ? 'CT' : words.modality,
    region: words.region === undefined ? 'chest' : words.region,
    dropped: words.dropped ?? null,
  };
}

/** The slice at a position of a stack. */
export function aSlice(volumeId: string, position: number): SliceRef {
  return {
    seriesInstanceUid: `series-${volumeId}`,
    sopInstanceUid: `${volumeId}-${position}`,
    frame: 0,
    position,
    volumeId,
  };
}

/** Evidence of one target: references and comparisons as positions of one stack. */
export function anEvidence(
  target: Pick<Target, 'targetId' | 'caseId' | 'sentence'>,
  volumeId: string,
  references: readonly number[],
  comparisons: readonly number[],
): Evidence {
  const { targetId, caseId, sentence } = target;
  return {
    schemaVersion: 1,
    targetId,
    caseId,
    finding: { text: sentence.text, start: sentence.start, end: sentence.end },
    references: references.map((position) => aSlice(volumeId, position)),
    comparisons: comparisons.map((position) => aSlice(volumeId, position)),
    candidates: references.map((position) => ({
      ...aSlice(volumeId, position),
      ratings: { 'reader-1': 'direct' as const },
    })),
    dropped: null,
  };
}

/** An axial stack of `slices` slices of one case. */
export function aStack(
  caseId: string,
  volumeId: string,
  slices: number,
  studyInstanceUid = `study-${caseId}`,
): IndexRow[] {
  return Array.from({ length: slices }, (_, position) =>
    indexRowSchema.parse({
      caseId,
      path: `${volumeId}/${position}.dcm`,
      frame: 0,
      studyInstanceUid,
      seriesInstanceUid: `series-${volumeId}`,
      sopInstanceUid: `${volumeId}-${position}`,
      sopClassUid: null,
      transferSyntaxUid: null,
      modality: 'CT',
      seriesNumber: 1,
      instanceNumber: slices - position,
      rows: 4,
      columns: 4,
      numberOfFrames: 1,
      bitsAllocated: 16,
      bitsStored: 16,
      pixelRepresentation: 0,
      samplesPerPixel: 1,
      photometricInterpretation: 'MONOCHROME2',
      imagePositionPatient: [0, 0, position],
      imageOrientationPatient: [1, 0, 0, 0, 1, 0],
      pixelSpacingMm: [1, 1],
      sliceThicknessMm: 1,
      rescaleSlope: 1,
      rescaleIntercept: 0,
      windowCenter: null,
      windowWidth: null,
      seriesDescription: null,
      bodyPartExamined: null,
      imageType: null,
      volumeId,
      position,
    }),
  );
}

/** A greyscale PNG of one row whose bytes are given, with any further chunks before IEND. */
export function aPng(
  pixels: readonly number[],
  extra: readonly (readonly [type: string, data: string])[] = [],
): Uint8Array {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(pixels.length, 0);
  header.writeUInt32BE(1, 4);
  header[8] = 8;
  const chunk = (type: string, data: Uint8Array): Buffer => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
    const out = Buffer.alloc(body.length + 8);
    out.writeUInt32BE(data.length, 0);
    body.copy(out, 4);
    out.writeUInt32BE(crc32(body), body.length + 4);
    return out;
  };
  return new Uint8Array(
    Buffer.concat([
      Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
      chunk('IHDR', header),
      chunk('IDAT', deflateSync(Buffer.from([0, ...pixels]))),
      ...extra.map(([type, data]) => chunk(type, Buffer.from(data, 'latin1'))),
      chunk('IEND', Buffer.alloc(0)),
    ]),
  );
}

/** Draws each slice as a PNG of its own, of differing byte sizes. */
export async function fakeRender(rows: readonly IndexRow[]): Promise<RenderedImage[]> {
  return rows.map((row) => {
    const pixels = Array.from({ length: 8 + row.position }, (_, i) => (i * 37 + row.position * 11) % 256);
    const name = [...row.volumeId].map((character) => character.charCodeAt(0) % 256);
    return { png: aPng([...pixels, ...name]), width: pixels.length + name.length, height: 1 };
  });
}

/** Writes what the earlier stages leave in a workspace. */
export async function writeMcqInputs(
  store: Store,
  root: string,
  inputs: {
    readonly index: readonly IndexRow[];
    readonly targets: readonly Target[];
    readonly evidence: readonly Evidence[];
  },
): Promise<WorkspacePaths> {
  const paths = workspacePaths(root);
  await writeJsonl(store, paths.index, inputs.index);
  await writeJsonl(store, paths.targets, inputs.targets);
  await writeJsonl(store, paths.evidence, inputs.evidence);
  return paths;
}
