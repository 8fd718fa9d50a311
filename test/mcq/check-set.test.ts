import { describe, expect, it } from 'vitest';
import { checkSet, type CheckInput, type CheckName } from '../../src/mcq/check-set.js';

const CLEAN: CheckInput = {
  stem: 'Where is the mass located?',
  choices: [
    'Left upper lobe',
    'Right upper lobe',
    'Right middle lobe',
    'Left lower lobe',
    'Right lower lobe',
  ],
  supported: 4,
  privateTexts: ['There is a large spiculated mass in the right lower lobe.', 'mass'],
};

function withChoice(index: number, text: string): CheckInput {
  return { ...CLEAN, choices: CLEAN.choices.map((choice, i) => (i === index ? text : choice)) };
}

function failed(input: CheckInput, check: CheckName): (number | null)[] {
  return checkSet(input)
    .filter((failure) => failure.check === check)
    .map(({ choice }) => choice);
}

describe('the checks of a contrast set', () => {
  it('pass a clean set', () => {
    expect(checkSet(CLEAN)).toEqual([]);
  });

  it.each<{ check: CheckName; why: string; input: CheckInput; choice: number | null }>([
    {
      check: 'length-outlier',
      why: 'two words more',
      input: withChoice(4, 'Right lower lobe of lung'),
      choice: 4,
    },
    {
      check: 'length-outlier',
      why: 'long words',
      input: withChoice(1, 'Right bronchopulmonary lobe-segment'),
      choice: 1,
    },
    {
      check: 'giveaway-wording',
      why: 'all of the above',
      input: withChoice(4, 'All of the above'),
      choice: 4,
    },
    {
      check: 'giveaway-wording',
      why: 'an absolute word',
      input: withChoice(2, 'Only middle lobe'),
      choice: 2,
    },
    { check: 'giveaway-wording', why: 'two letters', input: withChoice(0, 'A and B'), choice: 0 },
    {
      check: 'unmatched-qualifier',
      why: 'one hedge',
      input: withChoice(3, 'Probably lower lobe'),
      choice: 3,
    },
    {
      check: 'copy-of-target',
      why: 'the finding itself',
      input: { ...CLEAN, privateTexts: ['right lower lobe'] },
      choice: 4,
    },
    {
      check: 'copy-of-target',
      why: 'the sentence inside',
      input: { ...CLEAN, privateTexts: ['Lower lobe', ''] },
      choice: 3,
    },
    {
      check: 'duplicate',
      why: 'case and spacing only',
      input: withChoice(0, 'right  lower Lobe'),
      choice: 0,
    },
    {
      check: 'parallel-grammar',
      why: 'another beginning',
      input: withChoice(2, 'Lingular upper lobe'),
      choice: null,
    },
    { check: 'parallel-grammar', why: 'two words less', input: withChoice(2, 'Right'), choice: null },
    {
      check: 'category-words',
      why: 'a category of its own',
      input: withChoice(1, 'Right lobe cyst'),
      choice: 1,
    },
    {
      check: 'echo-of-stem',
      why: 'a stem word only here',
      input: {
        ...CLEAN,
        stem: 'Where in the lower chest is the mass?',
        choices: CLEAN.choices.with(3, 'Left basal lobe'),
      },
      choice: 4,
    },
  ])('$check flags $why', ({ check, input, choice }) => {
    expect(failed(input, check)).toContain(choice);
  });

  it('let a qualifier or category pass that every choice has', () => {
    const all = CLEAN.choices.map((choice) => `${choice} cyst`);
    expect(failed({ ...CLEAN, choices: all }, 'category-words')).toEqual([]);
    const hedged = CLEAN.choices.map((choice) => `Possibly ${choice.toLowerCase()}`);
    expect(failed({ ...CLEAN, choices: hedged }, 'unmatched-qualifier')).toEqual([]);
  });

  it('let a stem word pass that distractors share, and "not" inside another word', () => {
    expect(failed({ ...CLEAN, stem: 'Which lobe contains the mass?' }, 'echo-of-stem')).toEqual([]);
    expect(failed(withChoice(4, 'Right another lobe'), 'giveaway-wording')).toEqual([]);
  });
});
