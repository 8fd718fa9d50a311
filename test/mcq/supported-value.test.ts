import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { fileStore } from '../../src/adapters/store/index.js';
import type { Target } from '../../src/domain/finding.js';
import { loadQuestionData, type QuestionData } from '../../src/mcq/question-data.js';
import { supportedValue } from '../../src/mcq/supported-value.js';
import { aTarget } from '../helpers/mcq-fixtures.js';
import { describeShared, sharedPath } from '../helpers/shared.js';

let data: QuestionData;
beforeAll(async () => {
  data = await loadQuestionData(fileStore());
});

/** The supported value's text, or the reason why the axis cannot be used. */
function ask(target: Target, axisId: string, others: readonly Target[] = []): string {
  const axis = data.axes.find(({ id }) => id === axisId)!;
  const support = supportedValue(target, axis, [target, ...others], data.categories);
  return support.usable ? support.value.text : support.reason;
}

function barred(target: Target, axisId: string, others: readonly Target[]): readonly string[] {
  const axis = data.axes.find(({ id }) => id === axisId)!;
  const support = supportedValue(target, axis, [target, ...others], data.categories);
  return support.usable ? support.barred : [];
}

const lung = (sentence: string, words: Partial<Parameters<typeof aTarget>[0]> = {}) =>
  aTarget({ sentence, concept: 'mass', text: 'mass', ...words });

describe('the supported value', () => {
  it.each([
    ['There is a mass in the right lower lobe.', 'Right lower lobe'],
    ['RLL mass.', 'Right lower lobe'],
    ['Mass in the lower lobe of the right lung.', 'Right lower lobe'],
    ['Right-sided mass in the lower lobe.', 'Right lower lobe'],
    ['A middle lobe mass is seen.', 'Right middle lobe'],
    ['A mass in the lower lobe.', 'no-value'],
    ['Mass.', 'no-value'],
    ['Mass in the right upper and lower lobes.', 'several-values'],
    ['Masses in both lower lobes.', 'several-values'],
    ['Masses in the left and right upper lobes.', 'several-values'],
    ['Mass in the left upper lobe, not in the right upper lobe.', 'Left upper lobe'],
    ['Mass in the left upper lobe. No mass in the right lower lobe.', 'Left upper lobe'],
    ['No change in the right upper lobe mass.', 'Right upper lobe'],
    ['Mass in the left upper lobe abutting the left lower lobe.', 'Left upper lobe'],
    ['Mass abutting the left lower lobe.', 'no-value'],
  ])('of "%s" on lung lobes is %s', (sentence, expected) => {
    expect(ask(lung(sentence), 'lung-lobe')).toBe(expected);
  });

  it('comes from anatomy and side when the sentence has no such phrase', () => {
    const target = lung('Mass at the usual place.', { anatomy: 'upper lobe', laterality: 'left' });
    expect(ask(target, 'lung-lobe')).toBe('Left upper lobe');
  });

  it('is refused when anatomy and sentence disagree', () => {
    const target = lung('Mass in the right lower lobe.', { anatomy: 'upper lobe', laterality: 'left' });
    expect(ask(target, 'lung-lobe')).toBe('conflict');
  });

  it('is not taken from a sentence that states another target too, unless the finding itself has the place', () => {
    const sentence = 'Mass in the right upper lobe and atelectasis in the left lower lobe.';
    const other = lung(sentence, { targetId: 'target-2', concept: 'atelectasis', text: 'atelectasis' });
    const calcified = lung('Calcified node and spiculated mass.', { targetId: 'target-1' });
    const node = lung('Calcified node and spiculated mass.', {
      targetId: 'target-2',
      concept: 'lymphadenopathy',
    });
    expect(ask(calcified, 'nodule-composition', [node])).toBe('shared-sentence');
    expect(ask(lung(sentence), 'lung-lobe', [other])).toBe('shared-sentence');
    const placed = lung(sentence, { anatomy: 'upper lobe', laterality: 'right' });
    expect(ask(placed, 'lung-lobe', [other])).toBe('Right upper lobe');
    expect(barred(placed, 'lung-lobe', [other])).toEqual(['left-lower-lobe']);
  });

  it('bars values that another finding of the same family supports, with a side or without', () => {
    const target = lung('Mass in the right lower lobe.');
    const second = lung('A further mass in the left upper lobe.', {
      targetId: 'target-2',
      start: 50,
      dropped: 'repeat',
    });
    const vague = lung('Mass in the lower lobe.', { targetId: 'target-3', start: 90 });
    expect(barred(target, 'lung-lobe', [second])).toEqual(['left-upper-lobe']);
    expect(barred(target, 'lung-lobe', [vague])).toEqual(['left-lower-lobe']);
    const cyst = lung('A cyst in the left upper lobe.', { targetId: 'target-2', concept: 'cyst', start: 50 });
    expect(barred(target, 'lung-lobe', [cyst])).toEqual([]);
  });

  it('is refused when another finding of the family may be anywhere', () => {
    const target = lung('Mass in the right lower lobe.');
    const many = lung('Multiple masses throughout the lungs.', { targetId: 'target-2', start: 50 });
    expect(ask(target, 'lung-lobe', [many])).toBe('elsewhere-unknown');
    const bone = lung('Diffuse masses in the lumbar spine.', {
      targetId: 'target-2',
      anatomy: 'lumbar spine',
      start: 50,
    });
    expect(ask(target, 'lung-lobe', [bone])).toBe('Right lower lobe');
  });

  it('bars values that overlap the supported one', () => {
    const target = aTarget({
      sentence: 'Low attenuation in the left basal ganglia.',
      concept: 'low-attenuation',
      region: 'head',
    });
    expect(barred(target, 'brain-deep-sided', [])).toEqual(['left-caudate-head', 'left-lentiform-nucleus']);
  });

  it.each([
    [{ concept: 'effusion' }, 'lung-lobe', 'other-concept'],
    [{ region: 'abdomen' }, 'lung-lobe', 'other-region'],
    [{ concept: 'uptake', modality: 'CT' }, 'uptake-organ', 'other-modality'],
    [{ region: 'abdomen', sentence: 'Mass in segment VII.' }, 'liver-segment', 'other-anatomy'],
    [
      { region: 'abdomen', sentence: 'Mass in segment VII of the liver.' },
      'liver-segment',
      'Liver segment VII',
    ],
    [{ region: null }, 'lung-lobe', 'Right lower lobe'],
  ])('with %j on %s is %s', (words, axisId, expected) => {
    expect(ask(lung('Mass in the right lower lobe.', words), axisId)).toBe(expected);
  });
});

describeShared('the real reports', 'cases', () => {
  const sentenceOf = (folder: string, sentence: string): string => {
    const report = readFileSync(sharedPath('cases', folder, 'report.txt'), 'utf8').replace(/\s+/g, ' ');
    expect(report).toContain(sentence);
    return sentence;
  };

  it.each([
    [
      'chest-01',
      'There is a large spiculated mass in the right lower lobe abutting the right hilum.',
      'mass',
      'chest',
      'lung-lobe',
      'Right lower lobe',
    ],
    [
      'chest-01',
      'There is a large spiculated mass in the right lower lobe abutting the right hilum.',
      'mass',
      'chest',
      'mass-margin',
      'Spiculated',
    ],
    [
      'chest-01',
      'There is a large spiculated mass in the right lower lobe abutting the right hilum.',
      'mass',
      'chest',
      'lung-relation',
      'Abutting the hilum',
    ],
    ['chest-01', 'The stomach is distended with food.', 'distension', 'chest', 'distended-organ', 'Stomach'],
    [
      'head-01',
      'There is a wedge of low attenuation with volume loss in the left temporo-occipital region.',
      'low-attenuation',
      'head',
      'brain-region-compound',
      'Left temporo-occipital region',
    ],
    [
      'head-01',
      'Calcification is present in the choroid plexus of both lateral ventricles.',
      'calcification',
      'head',
      'brain-deep-both',
      'Both choroid plexuses',
    ],
    [
      'head-01',
      'Patchy low attenuation is present in the periventricular white matter.',
      'low-attenuation',
      'head',
      'white-matter-place',
      'Periventricular white matter',
    ],
    [
      'head-01',
      'Patchy low attenuation is present in the periventricular white matter.',
      'low-attenuation',
      'head',
      'parenchymal-pattern',
      'Patchy',
    ],
    [
      'abdomen-01',
      'The gallbladder is distended, without wall thickening.',
      'distension',
      'abdomen',
      'distended-organ',
      'Gallbladder',
    ],
    [
      'abdomen-01',
      'The stomach is distended with fluid and gas.',
      'distension',
      'abdomen',
      'distended-organ',
      'Stomach',
    ],
  ])('of %s: "%s" (%s, %s) on %s supports %s', (folder, sentence, concept, region, axisId, expected) => {
    const target = aTarget({ sentence: sentenceOf(folder, sentence), concept, text: concept, region });
    expect(ask(target, axisId)).toBe(expected);
  });
});
