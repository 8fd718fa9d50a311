import { describe, expect, it } from 'vitest';
import { targetSchema, type Target } from '../../../src/domain/finding.js';
import {
  examOf,
  extractFindings,
  modalityOf,
  quoteCheck,
  regionOf,
  targetsOf,
} from '../../../src/extract/reports/index.js';
import { lexicon } from './helpers.js';

function targets(text: string): Target[] {
  return targetsOf('case-1', extractFindings('r', text, lexicon), { modality: 'CT', region: 'chest' });
}
const asked = (text: string): string[] =>
  targets(text).flatMap(({ dropped, finding }) => (dropped === null ? [finding.key] : []));
const left = (text: string): string[] =>
  targets(text).flatMap(({ dropped, finding }) => (dropped === null ? [] : [`${dropped}: ${finding.key}`]));

describe('targetsOf', () => {
  it('makes one target of a finding that Findings and Impression both state, with the Findings sentence', () => {
    const [target, ...more] = targets(
      'IMPRESSION: Spiculated right lower lobe mass.\nFINDINGS: There is a mass in the right lower lobe.\n',
    );
    expect(more).toEqual([]);
    expect(target).toMatchObject({
      targetId: 'case-1/01',
      modality: 'CT',
      region: 'chest',
      dropped: null,
      sentence: { text: 'There is a mass in the right lower lobe.' },
    });
    expect(targetSchema.safeParse(target).success).toBe(true);
  });

  it('joins an impression that says less about the place', () => {
    expect(asked('FINDINGS: There is a cyst in the right kidney.\nIMPRESSION: Renal cyst.')).toEqual([
      'cyst/kidney/right',
    ]);
  });

  it('joins a reading of an appearance at the same place', () => {
    const text =
      'FINDINGS: There is low attenuation in the left parietal lobe.\nIMPRESSION: Old left parietal infarct. Right parietal infarct.';
    expect(asked(text)).toEqual(['low-attenuation/parietal-lobe/left', 'infarct/parietal-lobe/right']);
  });

  it('keeps a size-only sentence in the list, dropped', () => {
    const text = 'FINDINGS: There is a mass in the left kidney. The mass measures 3 x 2 cm.';
    expect(asked(text)).toEqual(['mass/kidney/left']);
    expect(left(text)).toEqual(['needs-measurement: mass/kidney/left']);
  });

  it('drops both of a thing whose side differs between the sections', () => {
    const text = 'FINDINGS: There is a cyst in the left kidney.\nIMPRESSION: Right renal cyst.';
    expect(asked(text)).toEqual([]);
    expect(left(text)).toEqual([
      'laterality-conflict: cyst/kidney/left',
      'laterality-conflict: cyst/kidney/right',
    ]);
  });

  it('drops neither when both sides are stated in one section', () => {
    const text =
      'FINDINGS: There is a cyst in the left kidney. There is a cyst in the right kidney.\nIMPRESSION: Right renal cyst.';
    expect(left(text)).toEqual([]);
    expect(asked(text)).toHaveLength(2);
  });

  it('drops what no concept fits and what is only possible, and leaves out the past', () => {
    const text =
      'FINDINGS: There is cardiomegaly. Possible nodule in the left upper lobe. Previously seen cyst in the liver has resolved.';
    expect(asked(text)).toEqual([]);
    expect(left(text)).toEqual([
      'no-concept: other:cardiomegaly/unplaced/no-side',
      'uncertain: nodule/upper-lobe/left',
    ]);
  });

  it('numbers targets in the order of the report, the same on every run', () => {
    const text = 'FINDINGS: There is a mass in the left kidney. There is a stone in the gallbladder.';
    expect(targets(text).map((target) => target.targetId)).toEqual(['case-1/01', 'case-1/02']);
    expect(JSON.stringify(targets(text))).toBe(JSON.stringify(targets(text)));
  });
});

describe('exam', () => {
  const exam = (text: string) => examOf(text, extractFindings('r', text, lexicon), lexicon);

  it.each([
    ['EXAM: CT of the chest.\nFINDINGS: No mass.', 'CT', ['chest']],
    ['EXAM: MRI BRAIN\nFINDINGS: No mass.', 'MR', ['head']],
    ['EXAM: FDG PET/CT from the head to the pelvis.\nFINDINGS: No uptake.', 'PT', ['head', 'pelvis']],
    ['CT ABDOMEN AND PELVIS\n\nFINDINGS: No mass.', 'CT', ['abdomen', 'pelvis']],
    ['FINDINGS: No mass.', null, []],
  ])('reads "%s"', (text, modality, regions) => {
    expect(exam(text)).toEqual({ modality, regions });
  });

  it('takes the exam region; of several, the one the finding lies in; whole-body for a PET of several', () => {
    expect(regionOf({ modality: 'CT', regions: ['chest'] }, 'abdomen')).toBe('chest');
    expect(regionOf({ modality: 'CT', regions: ['abdomen', 'pelvis'] }, 'pelvis')).toBe('pelvis');
    expect(regionOf({ modality: 'PT', regions: ['head', 'pelvis'] }, 'chest')).toBe('whole-body');
    expect(regionOf({ modality: null, regions: [] }, 'chest')).toBe('chest');
  });

  it('reads uptake off the PET and other findings off the CT of a PET/CT', () => {
    const pet = { modality: 'PT', regions: [] } as const;
    expect(modalityOf(pet, 'uptake', ['CT', 'PT'])).toBe('PT');
    expect(modalityOf(pet, 'nodule', ['CT', 'PT'])).toBe('CT');
    expect(modalityOf({ modality: null, regions: [] }, 'mass', ['MR'])).toBe('MR');
    expect(modalityOf({ modality: 'CT', regions: [] }, 'mass', [])).toBe('CT');
  });
});

describe('quoteCheck', () => {
  it('counts exact quotes and refuses one that is off by one, without repeating it', () => {
    const text = 'FINDINGS: There is a mass in the left kidney.';
    const report = extractFindings('r', text, lexicon);
    expect(quoteCheck(text, report)).toBe(2);
    expect(() => quoteCheck(` ${text}`, report)).toThrowError(
      /Report r: the sentence at code points 10 to 45/,
    );
  });
});
