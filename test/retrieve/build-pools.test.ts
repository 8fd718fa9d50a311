import { describe, expect, it } from 'vitest';
import type { Nomination } from '../../src/domain/evidence.js';
import { targetSchema } from '../../src/domain/finding.js';
import { buildPool } from '../../src/retrieve/build-pools.js';
import { aSlice, aVolume } from '../helpers/volumes.js';

const target = targetSchema.parse({
  schemaVersion: 1,
  targetId: 'case-1/01',
  caseId: 'case-1',
  reportId: 'r',
  finding: {
    start: 0,
    end: 4,
    text: 'mass',
    concept: 'mass',
    anatomy: null,
    laterality: null,
    key: 'mass',
    polarity: 'positive',
    temporal: 'current',
    visual: true,
    needsMeasurement: false,
  },
  sentence: { start: 0, end: 5, text: 'mass.' },
  modality: 'CT',
  region: 'chest',
  dropped: null,
});

const named = (
  position: number,
  reviewer: string,
  confidence: number | null = null,
  volumeId = 'vol-1',
): Nomination => ({
  schemaVersion: 1,
  caseId: 'case-1',
  reviewer,
  model: 'file',
  slice: aSlice(position, volumeId, volumeId === 'vol-1' ? '1.2.3.1' : '1.2.3.2'),
  description: 'something',
  confidence,
});

describe('a pool', () => {
  it('holds nominations and two neighbours on either side, by position, with who named what', () => {
    const pool = buildPool(target, [aVolume(30)], [named(10, 'a'), named(11, 'b')]);
    expect(pool.candidates.map(({ slice }) => slice.position)).toEqual([8, 9, 10, 11, 12, 13]);
    expect(pool.candidates.map(({ nominatedBy }) => nominatedBy)).toEqual([[], [], ['a'], ['b'], [], []]);
    expect(pool.candidates.map(({ neighbourDistance }) => neighbourDistance)).toEqual([2, 1, 0, 0, 1, 2]);
    expect(pool.cut).toBe(0);
  });

  it('stops at the ends of the stack', () => {
    const pool = buildPool(target, [aVolume(5)], [named(0, 'a'), named(4, 'a')]);
    expect(pool.candidates.map(({ slice }) => slice.position)).toEqual([0, 1, 2, 3, 4]);
  });

  it('is cut to 15, counts what was cut, and keeps some of every place', () => {
    const nominations = [named(4, 'a'), named(4, 'b'), named(14, 'a'), named(24, 'b'), named(34, 'b')];
    const pool = buildPool(target, [aVolume(40)], nominations);
    expect(pool.candidates).toHaveLength(15);
    expect(pool.cut).toBe(5);
    for (const position of [4, 14, 24, 34]) {
      expect(pool.candidates.map(({ slice }) => slice.position)).toContain(position);
    }
  });

  it('does not depend on the order of the nominations', () => {
    const nominations = [named(4, 'a', 0.2), named(9, 'b', 0.9), named(20, 'b', 0.5), named(28, 'a', 0.5)];
    const forward = buildPool(target, [aVolume(30)], nominations);
    const backward = buildPool(target, [aVolume(30)], [...nominations].reverse());
    expect(backward).toEqual(forward);
  });

  it('takes the most suitable stack that has a nomination', () => {
    const second = aVolume(30, { seriesInstanceUid: '1.2.3.2', volumeId: 'vol-2' });
    const pool = buildPool(target, [aVolume(30), second], [named(7, 'a', null, 'vol-2')]);
    expect(new Set(pool.candidates.map(({ slice }) => slice.volumeId))).toEqual(new Set(['vol-2']));
  });

  it('is empty when nobody named anything', () => {
    expect(buildPool(target, [aVolume(30)], []).candidates).toEqual([]);
  });
});
