import { describe, expect, it } from 'vitest';
import { plantedAgreement, plantedOfTarget, type Planted } from '../../src/demo/index.js';
import { evidenceSchema, type Evidence, type SliceRef } from '../../src/domain/evidence.js';
import { targetSchema, type Target } from '../../src/domain/finding.js';
import { indexRowSchema, type IndexRow } from '../../src/domain/index-row.js';

/** Series s of 40 slices; its slice at position p has the UID s.p. */
const slice = (series: string, position: number): SliceRef => ({
  seriesInstanceUid: series,
  sopInstanceUid: `${series}.${position}`,
  frame: 0,
  position,
  volumeId: `volume-${series}`,
});

const rows: IndexRow[] = ['1', '2'].flatMap((series) =>
  Array.from({ length: 40 }, (_, position) =>
    indexRowSchema.parse({
      path: `${series}/${position}.dcm`,
      frame: 0,
      studyInstanceUid: '9',
      seriesInstanceUid: series,
      sopInstanceUid: `${series}.${position}`,
      sopClassUid: null,
      transferSyntaxUid: null,
      modality: 'CT',
      seriesNumber: 1,
      instanceNumber: null,
      rows: 4,
      columns: 4,
      numberOfFrames: 1,
      bitsAllocated: 16,
      bitsStored: 16,
      pixelRepresentation: 1,
      samplesPerPixel: 1,
      photometricInterpretation: 'MONOCHROME2',
      imagePositionPatient: null,
      imageOrientationPatient: null,
      pixelSpacingMm: null,
      sliceThicknessMm: null,
      rescaleSlope: null,
      rescaleIntercept: null,
      windowCenter: null,
      windowWidth: null,
      seriesDescription: null,
      bodyPartExamined: null,
      imageType: null,
      volumeId: `volume-${series}`,
      position,
    }),
  ),
);

const aPlanted = (overrides: Partial<Planted> = {}): Planted => ({
  schemaVersion: 1,
  caseId: 'case-1',
  concept: 'mass',
  anatomy: 'frontal lobe',
  laterality: 'left',
  sentence: 'There is a round mass in\nthe left frontal lobe.',
  kind: 'finding',
  slices: [20, 21, 22].map((position) => {
    const { volumeId: _, ...rest } = slice('1', position);
    return rest;
  }),
  askable: true,
  ...overrides,
});

function aTarget(text: string, concept = 'mass', laterality: 'left' | 'right' | null = 'left'): Target {
  const span = { start: 0, end: text.length };
  return targetSchema.parse({
    schemaVersion: 1,
    targetId: 't1',
    caseId: 'case-1',
    reportId: 'case-1',
    finding: {
      ...span,
      text,
      concept,
      anatomy: null,
      laterality,
      key: 'k',
      polarity: 'positive',
      temporal: 'current',
      visual: true,
      needsMeasurement: false,
    },
    sentence: { ...span, text },
    modality: 'CT',
    region: 'head',
    dropped: null,
  });
}

const anEvidence = (
  references: SliceRef[],
  comparisons: SliceRef[] = [],
  dropped: string | null = null,
): Evidence =>
  evidenceSchema.parse({
    schemaVersion: 1,
    targetId: 't1',
    caseId: 'case-1',
    finding: { text: 'x', start: 0, end: 1 },
    references,
    comparisons,
    candidates: [],
    dropped,
  });

const sentence = 'There is a round mass in the left frontal lobe.';

describe('plantedAgreement', () => {
  it.each([
    { references: [20, 22], agreeing: 1, why: 'both on the finding' },
    { references: [18], agreeing: 1, why: 'exactly 2 below the first slice 20' },
    { references: [17], agreeing: 0, why: '3 below' },
    { references: [24], agreeing: 1, why: 'exactly 2 above the last slice 22' },
    { references: [25], agreeing: 0, why: '3 above' },
    { references: [21, 30], agreeing: 0, why: 'one of two far off' },
  ])('references at $references agree: $agreeing ($why)', ({ references, agreeing }) => {
    const result = plantedAgreement(
      [aPlanted()],
      [aTarget(sentence)],
      [anEvidence(references.map((position) => slice('1', position)))],
      rows,
    );
    expect(result).toMatchObject({ judged: 1, agreeing, share: agreeing, unmatched: 0 });
    expect(result.disagreeing).toEqual(agreeing === 1 ? [] : ['t1']);
  });

  it('does not take the same position of another series for the finding', () => {
    const result = plantedAgreement([aPlanted()], [aTarget(sentence)], [anEvidence([slice('2', 21)])], rows);
    expect(result).toMatchObject({ judged: 1, agreeing: 0 });
  });

  it('counts the comparison slices on which the finding itself is planted', () => {
    const comparisons = [slice('1', 22), slice('1', 25), slice('2', 21), slice('1', 30)];
    const result = plantedAgreement(
      [aPlanted()],
      [aTarget(sentence)],
      [anEvidence([slice('1', 20)], comparisons)],
      rows,
    );
    expect(result).toMatchObject({ comparisons: 4, comparisonsOnFinding: 1 });
  });

  it('counts a target that matches nothing as unmatched and not agreeing', () => {
    const target = aTarget('There is a stone in the right kidney.', 'stone', 'right');
    const result = plantedAgreement([aPlanted()], [target], [anEvidence([slice('1', 21)])], rows);
    expect(result).toMatchObject({ judged: 1, agreeing: 0, unmatched: 1, share: 0 });
  });

  it('counts a target on a sentence that nobody should ask about', () => {
    const measured = aPlanted({
      sentence: 'The mass measures 14 x 11 mm.',
      kind: 'measured',
      askable: false,
    });
    const result = plantedAgreement(
      [measured],
      [aTarget('The mass measures 14 x 11 mm.')],
      [anEvidence([slice('1', 21)])],
      rows,
    );
    expect(result).toMatchObject({ judged: 1, agreeing: 1, notAskable: 1 });
  });

  it('judges neither dropped targets nor targets without references, and gives no share then', () => {
    expect(
      plantedAgreement([aPlanted()], [aTarget(sentence)], [anEvidence([slice('1', 21)], [], 'none')], rows),
    ).toMatchObject({ judged: 0, share: null });
    expect(plantedAgreement([aPlanted()], [aTarget(sentence)], [anEvidence([])], rows)).toMatchObject({
      judged: 0,
      share: null,
    });
  });
});

describe('plantedOfTarget', () => {
  it('joins by the sentence whatever its line breaks', () => {
    expect(plantedOfTarget(aTarget(sentence, 'nodule', null), [aPlanted()])?.concept).toBe('mass');
  });

  it('falls back to concept and side for another wording, such as the impression', () => {
    const impression = aTarget('1. Left frontal mass.');
    expect(plantedOfTarget(impression, [aPlanted()])?.concept).toBe('mass');
    expect(plantedOfTarget(aTarget('Right mass.', 'mass', 'right'), [aPlanted()])).toBeNull();
  });

  it('never joins across cases', () => {
    expect(plantedOfTarget(aTarget(sentence), [aPlanted({ caseId: 'case-2' })])).toBeNull();
  });
});
