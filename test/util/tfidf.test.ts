import { describe, expect, it } from 'vitest';
import { cosine, fitTfidf, fitWeights, termCounter, unigramsAndBigrams } from '../../src/util/tfidf.js';

describe('TF-IDF', () => {
  it('weighs a rarer term more and scales the row to length one', () => {
    // n = 2, df(a) = 2, df(b) = 1: idf(a) = 1, idf(b) = ln(3/2) + 1 = 1.405465; row (1, 1.405465) / 1.724915.
    const { terms, weights } = fitTfidf(['a b', 'a']).vector('a b');
    expect([...terms]).toEqual([0, 1]);
    expect(weights[0]).toBeCloseTo(0.579739, 6);
    expect(weights[1]).toBeCloseTo(0.814802, 6);
  });

  it('counts a repeated document twice, as the definition keeps duplicates', () => {
    // n = 3, df(a) = 3, df(b) = 2: idf(a) = 1, idf(b) = ln(4/3) + 1 = 1.287682; row (1, 1.287682) / 1.630383.
    const { weights } = fitTfidf(['a b', 'a b', 'a']).vector('b a');
    expect(weights[0]).toBeCloseTo(0.613353, 5);
    expect(weights[1]).toBeCloseTo(0.789804, 5);
  });

  it('uses raw counts, not logarithms, for a term that comes twice', () => {
    // One document: every idf is 1. Row (2, 1) / sqrt 5.
    const { weights } = fitTfidf(['x x y']).vector('x x y');
    expect(weights[0]).toBeCloseTo(0.894427, 6);
    expect(weights[1]).toBeCloseTo(0.447214, 6);
  });

  it('drops terms that were not fitted, and gives an empty row where none is left', () => {
    const fit = fitTfidf(['left lung']);
    expect(fit.vector('left kidney').terms).toHaveLength(1);
    expect(fit.vector('kidney').terms).toHaveLength(0);
    expect(fit.vocabularySize).toBe(2);
  });

  it.each([
    { a: 'left lung', b: 'left lung', expected: 1, why: 'the same words' },
    { a: 'left lung', b: 'lung, LEFT!', expected: 1, why: 'order, case and punctuation do not count' },
    { a: 'left', b: 'lung', expected: 0, why: 'no word in common' },
    { a: 'left', b: '', expected: 0, why: 'an empty row' },
  ])('the cosine of "$a" and "$b" is $expected: $why', ({ a, b, expected }) => {
    const fit = fitTfidf(['left lung']);
    expect(cosine(fit.vector(a), fit.vector(b))).toBeCloseTo(expected, 12);
  });

  it('takes another tokenizer, such as words with word pairs', () => {
    expect(unigramsAndBigrams('No pleural fluid')).toEqual([
      'no',
      'pleural',
      'fluid',
      'no pleural',
      'pleural fluid',
    ]);
    expect(fitTfidf(['No pleural fluid'], unigramsAndBigrams).vocabularySize).toBe(5);
  });

  it('can be fitted on part of a counted corpus: terms of the other part are dropped', () => {
    const counter = termCounter();
    const [first, second] = [counter.count('a b'), counter.count('b c')];
    const weigh = fitWeights([first], counter.vocabularySize());
    expect([...weigh(second).terms]).toEqual([1]);
    expect([...weigh(second).weights]).toEqual([1]);
  });
});
