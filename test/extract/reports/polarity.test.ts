import { describe, expect, it } from 'vitest';
import { mentionPolarity } from '../../../src/extract/reports/index.js';
import { lexicon, sentenceOf } from './helpers.js';

describe('mentionPolarity', () => {
  it.each([
    ['No pleural effusion, pneumothorax or consolidation is seen.', 'consolidation', 'negated'],
    ['There is a mass but no effusion.', 'mass', 'positive'],
    ['There is a mass but no effusion.', 'effusion', 'negated'],
    ['Pleural effusion is not seen.', 'pleural effusion', 'negated'],
    ['Extremities: No clubbing, there is pitting edema.', 'edema', 'positive'],
    ['No change in the large mass.', 'mass', 'positive'],
    ['She denies change in vision.', 'change in vision', 'negated'],
    ['A fracture cannot be excluded.', 'fracture', 'uncertain'],
    ['Possible small nodule in the left lung.', 'nodule', 'uncertain'],
    ['Calcification is likely related to old infection.', 'calcification', 'positive'],
    ['The ROS is -ve for bleeding.', 'bleeding', 'negated'],
    ['FH is +ve for colon polyps.', 'colon polyps', 'positive'],
    ['His nausea and vomiting resolved.', 'nausea', 'negated'],
    ['Not only the mass but also the cyst is seen.', 'mass', 'positive'],
    ['Opacities compatible with pneumonia.', 'pneumonia', 'positive'],
  ])('"%s": %s is %s', (sentence, concept, polarity) => {
    expect(mentionPolarity(sentence, concept, lexicon)).toBe(polarity);
  });

  it('judges the occurrence in capitals when a concept stands twice', () => {
    expect(
      mentionPolarity('There is no EDEMA of the left leg but edema of the right.', 'edema', lexicon),
    ).toBe('negated');
    expect(
      mentionPolarity('There is no edema of the left leg but EDEMA of the right.', 'edema', lexicon),
    ).toBe('positive');
  });

  it('takes a concept that the sentence does not hold by the first words alone', () => {
    expect(mentionPolarity('No evidence of disease.', 'tumour', lexicon)).toBe('negated');
    expect(mentionPolarity('Voiding without difficulty.', 'oral intake', lexicon)).toBe('positive');
    expect(mentionPolarity('', '', lexicon)).toBe('positive');
  });
});

describe('the polarity of a finding sentence', () => {
  it.each([
    ['There is a 2 cm cyst without calcification.', 'positive'],
    ['No acute hemorrhage or midline shift.', 'negated'],
    ['The liver enhances homogeneously, without focal lesion.', 'negated'],
    ['The basal cisterns are patent.', 'normal'],
    ['The gallbladder is present.', 'normal'],
    ['A tiny infarct cannot be excluded.', 'uncertain'],
    ['Low-attenuation lesion, likely a cyst.', 'positive'],
    ['There are changes suggesting cirrhosis.', 'uncertain'],
    ['Previously seen nodule has resolved.', 'negated'],
    ['Given the lack of contrast, the liver is grossly unremarkable.', 'normal'],
    ['No restricted diffusion to suggest an acute infarct.', 'negated'],
    ['Faint uptake is indeterminate and may be physiologic.', 'uncertain'],
  ])('"%s" is %s', (text, polarity) => {
    expect(sentenceOf(text).polarity).toBe(polarity);
  });

  it('files a resolved finding under the past, a stable one under the present', () => {
    expect(sentenceOf('Previously seen nodule has resolved.').temporal).toBe('prior');
    expect(sentenceOf('The left renal cyst is again seen and unchanged.').temporal).toBe('current');
  });

  it.each([
    ['Comparison is made with the prior study.', 'comparison'],
    ['Compared with the outside study, the ventricles are unchanged.', 'comparison'],
    ['Recommend followup to ensure resolution.', 'recommendation'],
    ['Clinical correlation is advised.', 'recommendation'],
    ['Findings were discussed with Dr. Xyz.', 'admin'],
    ['100 ml of contrast was administered.', 'technique'],
    ['See above for details.', 'pointer_or_commentary'],
  ])('"%s" states no finding (%s)', (text, subtype) => {
    expect(sentenceOf(text)).toMatchObject({ isFinding: false, subtype, polarity: null, findings: [] });
  });

  it('takes a finding with a recommendation as a finding', () => {
    expect(sentenceOf('Nodule in the left lower lobe, recommend follow up in 3 months.').polarity).toBe(
      'positive',
    );
  });
});
