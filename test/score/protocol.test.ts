import { describe, expect, it } from 'vitest';
import type { GroundmarkError } from '../../src/domain/error.js';
import { outcomes, type Outcome } from '../../src/domain/response.js';
import { acceptableImages, scoreAnswer, scoreItem, selectedIds } from '../../src/domain/protocol/index.js';
import { aKey, aResponse } from './helpers/an-item.js';

/** One reference at s1:40; img02 … img05 lie 2 and 3 away, img06 and img07 elsewhere. */
const ONE = '*s1:40 s1:38 s1:37 s1:42 s1:43 s2:40 s1:80';
/** Two references in two series. */
const TWO = '*s1:40 *s2:7 s1:60 s1:61 s1:62 s3:40 s3:7';
/** Three references: two hits are needed. */
const THREE = '*s1:10 *s1:20 *s1:30 s1:12 s1:50 s1:60 s2:10';

interface Case {
  images: string;
  evidence: string[];
  answer?: string | null;
  outcome?: Outcome;
  /** answer, evidence, joint */
  scores: [0 | 1, 0 | 1, 0 | 1];
  hits: number;
  needed: number;
  selected: number;
  out?: Outcome;
  why: string;
}

/** Worked by hand from PROTOCOL.md §2. */
const CASES: Case[] = [
  // Distance in the same series.
  {
    images: ONE,
    evidence: ['img01'],
    scores: [1, 1, 1],
    hits: 1,
    needed: 1,
    selected: 1,
    why: 'the reference itself',
  },
  { images: ONE, evidence: ['img02'], scores: [1, 1, 1], hits: 1, needed: 1, selected: 1, why: '2 below' },
  { images: ONE, evidence: ['img03'], scores: [1, 0, 0], hits: 0, needed: 1, selected: 1, why: '3 below' },
  { images: ONE, evidence: ['img04'], scores: [1, 1, 1], hits: 1, needed: 1, selected: 1, why: '2 above' },
  { images: ONE, evidence: ['img05'], scores: [1, 0, 0], hits: 0, needed: 1, selected: 1, why: '3 above' },
  {
    images: ONE,
    evidence: ['img06'],
    scores: [1, 0, 0],
    hits: 0,
    needed: 1,
    selected: 1,
    why: 'same position, other series',
  },
  { images: ONE, evidence: ['img07'], scores: [1, 0, 0], hits: 0, needed: 1, selected: 1, why: 'far away' },
  // The half rule with one reference.
  {
    images: ONE,
    evidence: ['img01', 'img07'],
    scores: [1, 1, 1],
    hits: 1,
    needed: 1,
    selected: 2,
    why: '1 hit of 2 is half',
  },
  {
    images: ONE,
    evidence: ['img07', 'img01'],
    scores: [1, 1, 1],
    hits: 1,
    needed: 1,
    selected: 2,
    why: 'order does not matter',
  },
  {
    images: ONE,
    evidence: ['img01', 'img06', 'img07'],
    scores: [1, 0, 0],
    hits: 1,
    needed: 1,
    selected: 3,
    why: '1 hit of 3 is less than half',
  },
  {
    images: ONE,
    evidence: ['img01', 'img02', 'img07'],
    scores: [1, 1, 1],
    hits: 2,
    needed: 1,
    selected: 3,
    why: '2 hits of 3, one a neighbour',
  },
  {
    images: ONE,
    evidence: ['img01', 'img02', 'img04'],
    scores: [1, 1, 1],
    hits: 3,
    needed: 1,
    selected: 3,
    why: '3 hits of 3',
  },
  {
    images: ONE,
    evidence: ['img03', 'img05'],
    scores: [1, 0, 0],
    hits: 0,
    needed: 1,
    selected: 2,
    why: 'two near misses',
  },
  // Two references still need one hit.
  {
    images: TWO,
    evidence: ['img02'],
    scores: [1, 1, 1],
    hits: 1,
    needed: 1,
    selected: 1,
    why: 'the second reference',
  },
  {
    images: TWO,
    evidence: ['img01', 'img02'],
    scores: [1, 1, 1],
    hits: 2,
    needed: 1,
    selected: 2,
    why: 'both references',
  },
  {
    images: TWO,
    evidence: ['img01', 'img03'],
    scores: [1, 1, 1],
    hits: 1,
    needed: 1,
    selected: 2,
    why: 'half of two, one needed',
  },
  {
    images: TWO,
    evidence: ['img01', 'img03', 'img04'],
    scores: [1, 0, 0],
    hits: 1,
    needed: 1,
    selected: 3,
    why: 'a third of three',
  },
  {
    images: TWO,
    evidence: ['img06'],
    scores: [1, 0, 0],
    hits: 0,
    needed: 1,
    selected: 1,
    why: 'first reference’s position in a third series',
  },
  {
    images: TWO,
    evidence: ['img07'],
    scores: [1, 0, 0],
    hits: 0,
    needed: 1,
    selected: 1,
    why: 'second reference’s position in a third series',
  },
  // Three references need two.
  {
    images: THREE,
    evidence: ['img01'],
    scores: [1, 0, 0],
    hits: 1,
    needed: 2,
    selected: 1,
    why: 'one hit where two are needed',
  },
  {
    images: THREE,
    evidence: ['img01', 'img02'],
    scores: [1, 1, 1],
    hits: 2,
    needed: 2,
    selected: 2,
    why: 'two of the references',
  },
  {
    images: THREE,
    evidence: ['img01', 'img05'],
    scores: [1, 0, 0],
    hits: 1,
    needed: 2,
    selected: 2,
    why: 'half, but one hit short',
  },
  {
    images: THREE,
    evidence: ['img01', 'img02', 'img05'],
    scores: [1, 1, 1],
    hits: 2,
    needed: 2,
    selected: 3,
    why: 'two hits of three',
  },
  {
    images: THREE,
    evidence: ['img01', 'img05', 'img06'],
    scores: [1, 0, 0],
    hits: 1,
    needed: 2,
    selected: 3,
    why: 'one hit of three',
  },
  {
    images: THREE,
    evidence: ['img01', 'img04'],
    scores: [1, 1, 1],
    hits: 2,
    needed: 2,
    selected: 2,
    why: 'a reference and its own neighbour are two hits',
  },
  {
    images: THREE,
    evidence: ['img01', 'img02', 'img03'],
    scores: [1, 1, 1],
    hits: 3,
    needed: 2,
    selected: 3,
    why: 'all three',
  },
  {
    images: THREE,
    evidence: ['img07', 'img02'],
    scores: [1, 0, 0],
    hits: 1,
    needed: 2,
    selected: 2,
    why: 'the neighbour lies in another series',
  },
  // Ids: repeated, upper case, blanks, unknown.
  {
    images: ONE,
    evidence: ['img01', 'img01', 'img01', 'img01'],
    scores: [1, 1, 1],
    hits: 1,
    needed: 1,
    selected: 1,
    why: 'one id four times is one id',
  },
  {
    images: ONE,
    evidence: ['IMG01', ' img01 '],
    scores: [1, 1, 1],
    hits: 1,
    needed: 1,
    selected: 1,
    why: 'case and blanks do not count',
  },
  {
    images: THREE,
    evidence: ['img01', 'IMG01'],
    scores: [1, 0, 0],
    hits: 1,
    needed: 2,
    selected: 1,
    why: 'a repeated id is not a second hit',
  },
  {
    images: ONE,
    evidence: ['\timg02\n'],
    scores: [1, 1, 1],
    hits: 1,
    needed: 1,
    selected: 1,
    why: 'tabs and line feeds are trimmed',
  },
  {
    images: ONE,
    evidence: ['img99'],
    scores: [1, 0, 0],
    hits: 0,
    needed: 1,
    selected: 1,
    out: 'unknown-id',
    why: 'an id that is not shown',
  },
  {
    images: ONE,
    evidence: ['img01', 'img99'],
    scores: [1, 1, 1],
    hits: 1,
    needed: 1,
    selected: 2,
    out: 'unknown-id',
    why: 'an unknown id counts in the half rule',
  },
  {
    images: ONE,
    evidence: ['img01', 'img98', 'img99'],
    scores: [1, 0, 0],
    hits: 1,
    needed: 1,
    selected: 3,
    out: 'unknown-id',
    why: 'two unknown ids outweigh one hit',
  },
  {
    images: ONE,
    evidence: ['img 01'],
    scores: [1, 0, 0],
    hits: 0,
    needed: 1,
    selected: 1,
    out: 'unknown-id',
    why: 'inner blanks are not removed',
  },
  {
    images: ONE,
    evidence: ['img1'],
    scores: [1, 0, 0],
    hits: 0,
    needed: 1,
    selected: 1,
    out: 'unknown-id',
    why: 'no digit is added',
  },
  {
    images: ONE,
    evidence: [''],
    scores: [1, 0, 0],
    hits: 0,
    needed: 1,
    selected: 1,
    out: 'unknown-id',
    why: 'an empty id is an unknown one',
  },
  // Too many, too few.
  {
    images: ONE,
    evidence: [],
    scores: [1, 0, 0],
    hits: 0,
    needed: 1,
    selected: 0,
    out: 'invalid-selection',
    why: 'no id; the answer still counts',
  },
  {
    images: ONE,
    evidence: ['img01', 'img02', 'img04', 'img07'],
    scores: [1, 0, 0],
    hits: 3,
    needed: 1,
    selected: 4,
    out: 'invalid-selection',
    why: 'four ids',
  },
  {
    images: ONE,
    evidence: ['img01', 'img02', 'img04', 'img99'],
    scores: [1, 0, 0],
    hits: 3,
    needed: 1,
    selected: 4,
    out: 'invalid-selection',
    why: 'four ids, one unknown: the number is told first',
  },
  {
    images: ONE,
    evidence: ['img01', 'IMG01', 'img02', 'img04'],
    scores: [1, 1, 1],
    hits: 3,
    needed: 1,
    selected: 3,
    why: 'four words, three ids',
  },
  {
    images: ONE,
    evidence: ['img01'],
    outcome: 'invalid-selection',
    scores: [1, 0, 0],
    hits: 1,
    needed: 1,
    selected: 1,
    out: 'invalid-selection',
    why: 'the runner saw more than it could keep',
  },
  {
    images: ONE,
    evidence: ['img01'],
    outcome: 'unknown-id',
    scores: [1, 1, 1],
    hits: 1,
    needed: 1,
    selected: 1,
    out: 'ok',
    why: 'the ids themselves say that all are known',
  },
  // Letters.
  {
    images: ONE,
    evidence: ['img01'],
    answer: 'B',
    scores: [0, 1, 0],
    hits: 1,
    needed: 1,
    selected: 1,
    why: 'wrong letter, right evidence',
  },
  {
    images: ONE,
    evidence: ['img07'],
    answer: 'B',
    scores: [0, 0, 0],
    hits: 0,
    needed: 1,
    selected: 1,
    why: 'both wrong',
  },
  {
    images: ONE,
    evidence: ['img01'],
    answer: 'c',
    scores: [1, 1, 1],
    hits: 1,
    needed: 1,
    selected: 1,
    why: 'a lower-case letter',
  },
  {
    images: ONE,
    evidence: ['img01'],
    answer: ' C ',
    scores: [1, 1, 1],
    hits: 1,
    needed: 1,
    selected: 1,
    why: 'blanks around the letter',
  },
  {
    images: ONE,
    evidence: ['img01'],
    answer: 'C.',
    scores: [0, 1, 0],
    hits: 1,
    needed: 1,
    selected: 1,
    why: 'a full stop is not forgiven',
  },
  {
    images: ONE,
    evidence: ['img01'],
    answer: '',
    scores: [0, 1, 0],
    hits: 1,
    needed: 1,
    selected: 1,
    why: 'an empty letter',
  },
  {
    images: ONE,
    evidence: ['img01'],
    answer: null,
    scores: [0, 1, 0],
    hits: 1,
    needed: 1,
    selected: 1,
    why: 'no letter',
  },
  {
    images: ONE,
    evidence: ['img01'],
    answer: 'F',
    scores: [0, 1, 0],
    hits: 1,
    needed: 1,
    selected: 1,
    why: 'a letter that is no choice',
  },
];

describe('scoring one response', () => {
  it.each(CASES)('$why: $evidence, answer $answer', ({ images, evidence, answer = 'C', ...expected }) => {
    const scored = scoreItem(aKey(images), aResponse(evidence, answer, expected.outcome ?? 'ok'));
    expect([scored.answer, scored.evidence, scored.joint].map(Number)).toEqual(expected.scores);
    expect(scored.hits).toBe(expected.hits);
    expect(scored.needed).toBe(expected.needed);
    expect(scored.selected).toHaveLength(expected.selected);
    expect(scored.outcome).toBe(expected.out ?? 'ok');
  });

  it('has at least forty cases', () => {
    expect(CASES.length).toBeGreaterThanOrEqual(40);
  });

  it.each(['unparsed', 'refused', 'truncated', 'blocked', 'transport', 'missing'] as const)(
    'a %s reply fails all three, whatever it names',
    (outcome) => {
      const scored = scoreItem(aKey(ONE), aResponse(['img01'], 'C', outcome));
      expect(scored).toEqual({
        answer: false,
        evidence: false,
        joint: false,
        hits: 0,
        needed: 1,
        selected: [],
        outcome,
      });
    },
  );

  it('no response at all is missing and still tells how many hits were needed', () => {
    expect(scoreItem(aKey(THREE), undefined)).toMatchObject({
      answer: false,
      evidence: false,
      joint: false,
      needed: 2,
      outcome: 'missing',
    });
  });

  it('knows every outcome of the contract', () => {
    for (const outcome of outcomes)
      expect(scoreItem(aKey(ONE), aResponse(['img01'], 'C', outcome)).needed).toBe(1);
  });
});

describe('acceptableImages', () => {
  it('gives references and near neighbours in the order shown', () => {
    expect(acceptableImages(aKey(ONE).images)).toEqual(['img01', 'img02', 'img04']);
    expect(acceptableImages(aKey(TWO).images)).toEqual(['img01', 'img02']);
    expect(acceptableImages(aKey(THREE).images)).toEqual(['img01', 'img02', 'img03', 'img04']);
  });

  it('takes a neighbour of any reference, and negative positions as any other', () => {
    expect(acceptableImages(aKey('*s1:-1 s1:1 s1:2 *s1:5').images)).toEqual(['img01', 'img02', 'img04']);
  });

  it('uses another tolerance when one is given', () => {
    expect(acceptableImages(aKey(ONE).images, 0)).toEqual(['img01']);
    expect(acceptableImages(aKey(ONE).images, 3)).toHaveLength(5);
  });

  it('refuses an item without a reference', () => {
    expect(() => acceptableImages(aKey('s1:1 s1:2').images)).toThrow(
      expect.objectContaining({ code: 'no-reference' }) as GroundmarkError,
    );
  });
});

describe('selectedIds', () => {
  it('gives distinct ids in the reply’s order, unknown ones kept', () => {
    expect(selectedIds([' IMG02', 'img99', 'img02 ', 'img01'])).toEqual(['img02', 'img99', 'img01']);
  });
});

describe('scoreAnswer', () => {
  it.each(['A', 'B', 'C', 'D', 'E'] as const)('accepts %s for itself and for no other letter', (letter) => {
    expect(['A', 'B', 'C', 'D', 'E'].filter((answer) => scoreAnswer(answer, letter))).toEqual([letter]);
    expect(scoreAnswer(letter.toLowerCase(), letter)).toBe(true);
  });
});
