import { describe, expect, it } from 'vitest';
import { findSentences } from '../../../src/extract/reports/sentences.js';

const split = (text: string): string[] =>
  findSentences(text, 0, text.length).map(({ start, end }) => text.slice(start, end));

describe('findSentences', () => {
  it.each([
    { text: 'No mass. The liver is clear.', parts: ['No mass.', 'The liver is clear.'] },
    { text: 'It measures 2.5 x 1.8 cm. Stable.', parts: ['It measures 2.5 x 1.8 cm.', 'Stable.'] },
    { text: 'Discussed with Dr. Xyz at 5 pm.', parts: ['Discussed with Dr. Xyz at 5 pm.'] },
    { text: 'Bulge at L4-5. No stenosis.', parts: ['Bulge at L4-5.', 'No stenosis.'] },
    {
      text: 'Effacement of the ventricle. and a shift.',
      parts: ['Effacement of the ventricle. and a shift.'],
    },
    {
      text: 'Bodies are seen. (Too many to count.) Done.',
      parts: ['Bodies are seen.', '(Too many to count.)', 'Done.'],
    },
    { text: 'Mass vs. cyst is seen.', parts: ['Mass vs. cyst is seen.'] },
    { text: 'Seen on image No. 5 of the series.', parts: ['Seen on image No. 5 of the series.'] },
  ])('splits "$text"', ({ text, parts }) => {
    expect(split(text)).toEqual(parts);
  });

  it('leaves list numbers outside the sentence and the full stop inside', () => {
    expect(split('1. Spiculated mass.\n2) No effusion.\n- Stones.')).toEqual([
      'Spiculated mass.',
      'No effusion.',
      'Stones.',
    ]);
  });

  it('does not take a decimal at the start for a list number', () => {
    expect(split('0.4 milligrams of nitroglycerin was given.')).toEqual([
      '0.4 milligrams of nitroglycerin was given.',
    ]);
  });

  it('ends a sentence at a line break and joins one inside a clause', () => {
    expect(split('Mild atrophy\nStones in the\nleft kidney.')).toEqual([
      'Mild atrophy',
      'Stones in the\nleft kidney.',
    ]);
  });

  it('joins lines that were wrapped at the width of the text, also before a number', () => {
    const text =
      'There is a large lobulated mass in the left upper lobe. The mass measures\n44 x 42 mm. No effusion.';
    expect(split(text)).toEqual([
      'There is a large lobulated mass in the left upper lobe.',
      'The mass measures\n44 x 42 mm.',
      'No effusion.',
    ]);
  });

  it('gives no sentence for white space, rules of dashes or a lone number', () => {
    expect(split(' \n ---- \n 3. \n')).toEqual([]);
  });
});
