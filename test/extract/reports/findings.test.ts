import { describe, expect, it } from 'vitest';
import { brief, reportOf, sentenceOf } from './helpers.js';

describe('findings of a sentence', () => {
  it.each([
    [
      'There is a well-circumscribed hyperdense mass in the left frontal lobe.',
      ['mass @ frontal lobe (left)'],
    ],
    ['A small layering pleural effusion is present on the right.', ['effusion @ pleural space (right)']],
    ['Fluid opacifies the right maxillary sinus.', ['sinus-opacification @ maxillary sinus (right)']],
    [
      'There is complete opacification of the left sphenoid sinus.',
      ['sinus-opacification @ sphenoid sinus (left)'],
    ],
    ['Focal intense FDG uptake is seen in the right hilum.', ['uptake @ hilum (right)']],
    [
      'Multiple punctate T2 hyperintense foci are seen in the left frontal white matter.',
      ['white-matter-lesion @ frontal white matter (left)'],
    ],
    [
      'There are white matter lesions in the left centrum semiovale.',
      ['white-matter-lesion @ centrum semiovale (left)'],
    ],
    ['A calcified stone is present in the gallbladder.', ['stone @ gallbladder (-)']],
    ['Large gallstone without biliary dilatation.', ['stone @ gallbladder (-)']],
    [
      'Spiculated right lower lobe mass, suspicious for malignancy.',
      ['mass @ lower lobe (right)', 'mass @ lower lobe (right)'],
    ],
    [
      'There is a large spiculated mass in the right lower lobe abutting the left hilum.',
      ['mass @ lower lobe (right)'],
    ],
    ['The right hemithorax is smaller than the left.', ['volume-loss @ hemithorax (right)']],
    [
      'There is a wedge of low attenuation with volume loss in the left temporo-occipital region.',
      ['low-attenuation @ temporo-occipital region (left)'],
    ],
    [
      'Calcification is present in the choroid plexus of both lateral ventricles.',
      ['calcification @ choroid plexus (bilateral)'],
    ],
    ['The stomach is distended with fluid and gas.', ['distension @ stomach (-)']],
    [
      'Focal airspace opacity in the right middle lobe, compatible with pneumonia.',
      ['consolidation @ middle lobe (right)'],
    ],
    [
      'There is a cyst in the left kidney and a stone in the right kidney.',
      ['cyst @ kidney (left)', 'stone @ kidney (right)'],
    ],
    ['A small amount of dependent ascites is present on the left.', ['ascites @ peritoneal cavity (left)']],
  ])('"%s"', (text, expected) => {
    expect(sentenceOf(text).findings.map(brief)).toEqual(expected);
  });

  it('holds the malignancy that a mass is only suspicious for as uncertain', () => {
    const { findings } = sentenceOf('Spiculated right lower lobe mass, suspicious for malignancy.');
    expect(findings.map((finding) => finding.polarity)).toEqual(['positive', 'uncertain']);
  });

  it('gives none for what is denied or normal', () => {
    expect(sentenceOf('No pleural effusion or pneumothorax.').findings).toEqual([]);
    expect(sentenceOf('The left lung is clear.').findings).toEqual([]);
  });

  it("quotes the finding's own words, without article and full stop", () => {
    expect(sentenceOf('There is a large mass in the left kidney.').findings[0]!.text).toBe(
      'large mass in the left kidney',
    );
    expect(sentenceOf('The gallbladder is distended.').findings[0]!.text).toBe('gallbladder is distended');
  });

  it.each([
    ['The lesion measures 14 x 11 mm.', true],
    ['It measures 6 x 2 cm.', true],
    ['The left upper lobe mass measures 44 x 42 mm.', true],
    ['The maximum standardized uptake value of this lesion is 12.4.', true],
    ['There is borderline central canal stenosis.', true],
    ['There is a mass measuring 5.7 x 4.4 cm in the left kidney.', false],
    ['The mass measures 5 cm with a heterogeneous appearance and enhancement pattern.', false],
  ])('"%s" needs a measurement: %s', (text, expected) => {
    expect(sentenceOf(text).needsMeasurement).toBe(expected);
  });

  it('takes a computed quantity as not visual', () => {
    expect(sentenceOf('Coronary calcium score was calculated to be 79.').visual).toBe(false);
    expect(sentenceOf('There is coronary calcification.').visual).toBe(true);
  });
});

describe('keys', () => {
  const keysOf = (...sentences: string[]): string[] =>
    reportOf(...sentences).sentences.flatMap((sentence) => sentence.findings.map((finding) => finding.key));

  it('gives "the mass" and "it" the key of what was named before', () => {
    const keys = keysOf(
      'There is a mass in the left kidney.',
      'The mass is heterogeneous.',
      'It measures 3 cm.',
    );
    expect(new Set(keys)).toEqual(new Set(['mass/kidney/left']));
  });

  it('keeps two things of a kind at two places apart', () => {
    expect(
      keysOf('There is a nodule in the left upper lobe.', 'There is a nodule in the left lower lobe.'),
    ).toEqual(['nodule/upper-lobe/left', 'nodule/lower-lobe/left']);
  });

  it('tells spinal levels apart', () => {
    expect(keysOf('There is a disc bulge at L3-4.', 'There is a disc bulge at L4-5.')).toEqual([
      'herniation/intervertebral-disc/no-side/l3-4',
      'herniation/intervertebral-disc/no-side/l4-5',
    ]);
  });
});
