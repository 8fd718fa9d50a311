import { describe, expect, it } from 'vitest';
import { namesModality, withoutModality, wordingPass } from '../../src/mcq/wording-pass.js';

describe('the wording pass', () => {
  it.each([
    ['On this CT, where is the mass located?', 'On these images, where is the mass located?'],
    ['On this chest CT scan, where is the mass?', 'On these chest images, where is the mass?'],
    ['Where is the mass on the CT images?', 'Where is the mass on the images?'],
    ['Where is the lesion on MRI?', 'Where is the lesion on these images?'],
    [
      'On axial T2-weighted MR images, which lobe contains the lesion?',
      'On axial images, which lobe contains the lesion?',
    ],
    ['Which organ shows uptake on PET/CT?', 'Which organ shows uptake on these images?'],
    ['Which pattern do the FLAIR images show?', 'Which pattern do the images show?'],
    [
      'In this computed tomography study, which lobe is affected?',
      'In these images, which lobe is affected?',
    ],
    ['Where is the lesion on magnetic resonance imaging?', 'Where is the lesion on these images?'],
    ['Which CT finding is present?', 'Which finding is present?'],
    ['MRI findings are best described by which term?', 'Findings are best described by which term?'],
    ['Which vessel is narrowed on CTA?', 'Which vessel is narrowed on these images?'],
  ])('"%s" becomes "%s"', (stem, expected) => {
    expect(withoutModality(stem)).toBe(expected);
    expect(namesModality(expected)).toBe(false);
  });

  it.each([
    'Where is the mass located?',
    'Which level, T1 or T2, shows the fracture?',
    'What is the effect on the lung?',
    'Does the petrous bone show it?',
    'Where is the mr. and mrs. lesion, e.g. pet hair?',
  ])('"%s" stays as it is', (stem) => {
    expect(withoutModality(stem)).toBe(stem);
  });

  it('says how many stems changed', () => {
    expect(wordingPass(['Where is it?', 'Where is it on CT?'])).toEqual({
      stems: ['Where is it?', 'Where is it on these images?'],
      changed: 1,
    });
  });
});
