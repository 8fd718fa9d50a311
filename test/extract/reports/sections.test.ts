import { describe, expect, it } from 'vitest';
import { extractFindings } from '../../../src/extract/reports/index.js';
import { lexicon } from './helpers.js';

const sectionsOf = (text: string): string[] =>
  extractFindings('r', text, lexicon).sections.map(({ label, kind }) => `${label ?? '-'}: ${kind}`);

describe('sections', () => {
  it('reads headings with a colon, in capitals alone on a line, and in the middle of a line', () => {
    expect(sectionsOf('EXAM: CT HEAD.\n\nFINDINGS\nNo mass. IMPRESSION: Normal.\n')).toEqual([
      'EXAM: exam',
      'FINDINGS: findings',
      'IMPRESSION: impression',
    ]);
  });

  it('tiles the whole text, with body starts behind colon and spaces', () => {
    const text = 'EXAM:  CT chest.\nFINDINGS:\nNo mass.';
    const { sections } = extractFindings('r', text, lexicon);
    expect(sections.map(({ start, bodyStart, end }) => [start, bodyStart, end])).toEqual([
      [0, 7, 17],
      [17, 26, 35],
    ]);
  });

  it('gives findings without a heading below TECHNIQUE a section of their own', () => {
    const text =
      'TECHNIQUE: Axial images were obtained.\n\nThere is a cyst in the left kidney.\n\nIMPRESSION: Cyst.';
    expect(sectionsOf(text)).toEqual(['TECHNIQUE: technique', '-: findings', 'IMPRESSION: impression']);
  });

  it('takes spinal levels and organ names as parts of the findings', () => {
    expect(sectionsOf('FINDINGS:\nL4-5: Disc bulge.\nLIVER: Normal.\nIMPRESSION: Bulge.')).toEqual([
      'FINDINGS: findings',
      'L4-5: findings',
      'LIVER: findings',
      'IMPRESSION: impression',
    ]);
  });

  it('takes EXAM of a case vignette as the physical examination, and MRI there as findings', () => {
    expect(
      sectionsOf('CC: Headache.\n\nHX: A 40 y/o man.\n\nEXAM: Afebrile.\n\nMRI: Large left mass.\n'),
    ).toEqual(['CC: indication', 'HX: indication', 'EXAM: clinical', 'MRI: findings']);
  });

  it('has no section and no sentence for a blank report', () => {
    expect(extractFindings('r', ' \n\uFEFF', lexicon)).toMatchObject({ sections: [], sentences: [] });
  });

  it('counts offsets in code points, not UTF-16 units', () => {
    // The emoji is one code point and two UTF-16 units.
    const { sentences } = extractFindings('r', 'FINDINGS: 🩻 There is a mass in the left kidney.', lexicon);
    expect(sentences[0]).toMatchObject({ start: 10, end: 47 });
    expect(sentences[0]!.findings[0]).toMatchObject({ start: 23, end: 46, text: 'mass in the left kidney' });
  });

  it('reads a report without any heading', () => {
    expect(sectionsOf('There is a mass in the left kidney.')).toEqual(['-: findings']);
  });
});
