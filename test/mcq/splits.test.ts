import { describe, expect, it } from 'vitest';
import { assignSplits, type SplitGroup } from '../../src/mcq/assign-splits.js';
import { patientGroups } from '../../src/mcq/patient-groups.js';
import { splitRecords } from '../../src/mcq/split-records.js';
import { rng } from '../../src/util/rng.js';

const RATIOS = { dev: 64, validation: 19, test: 17 };
const SEEDS = Array.from({ length: 40 }, (_, seed) => seed);

function someGroups(seed: number): SplitGroup[] {
  const random = rng(seed, 'groups');
  return Array.from({ length: 3 + random.int(60) }, (_, i) => ({
    key: `patient-${i}`,
    items: random.int(9),
  }));
}

describe('balanced splits', () => {
  it('come within two of the largest group of the ratios, over 40 seeds', () => {
    for (const seed of SEEDS) {
      const groups = someGroups(seed);
      const total = groups.reduce((sum, { items }) => sum + items, 0);
      const largest = Math.max(...groups.map(({ items }) => items));
      const assigned = assignSplits(groups, { mode: 'balanced', ratios: RATIOS, seed });
      expect(assigned.size).toBe(groups.length);
      for (const [split, share] of Object.entries(RATIOS)) {
        const inSplit = groups.filter(({ key }) => assigned.get(key) === split);
        const items = inSplit.reduce((sum, group) => sum + group.items, 0);
        expect(Math.abs(items - (share / 100) * total), `seed ${seed}`).toBeLessThanOrEqual(2 * largest);
      }
    }
  });

  it('do not depend on the order of groups', () => {
    for (const seed of SEEDS) {
      const groups = someGroups(seed);
      const options = { mode: 'balanced', ratios: RATIOS, seed } as const;
      const forward = [...assignSplits(groups, options)].sort();
      expect([...assignSplits(rng(seed).shuffle(groups), options)].sort()).toEqual(forward);
    }
  });

  it('give three equal cases one split each, and leave a split of ratio 0 empty', () => {
    const groups = ['a', 'b', 'c'].map((key) => ({ key, items: 2 }));
    const assigned = assignSplits(groups, { mode: 'balanced', ratios: RATIOS, seed: 0 });
    expect([...assigned.values()].sort()).toEqual(['dev', 'test', 'validation']);
    const two = assignSplits(groups, {
      mode: 'balanced',
      ratios: { dev: 1, validation: 0, test: 1 },
      seed: 0,
    });
    expect([...two.values()]).not.toContain('validation');
  });
});

describe('hash splits', () => {
  it('move no group when one is added, over 40 seeds', () => {
    for (const seed of SEEDS) {
      const groups = someGroups(seed);
      const options = { mode: 'hash', ratios: RATIOS, seed } as const;
      const before = assignSplits(groups, options);
      const after = assignSplits([{ key: 'newcomer', items: 50 }, ...groups], options);
      for (const [key, split] of before) expect(after.get(key)).toBe(split);
    }
  });

  it('come near the ratios for many groups, and change with the seed', () => {
    const groups = Array.from({ length: 5000 }, (_, i) => ({ key: `p${i}`, items: 1 }));
    const assigned = assignSplits(groups, { mode: 'hash', ratios: RATIOS, seed: 0 });
    const dev = [...assigned.values()].filter((split) => split === 'dev').length;
    // 64 % of 5000 is 3200; five standard deviations are 170.
    expect(Math.abs(dev - 3200)).toBeLessThan(170);
    expect([...assignSplits(groups, { mode: 'hash', ratios: RATIOS, seed: 1 })]).not.toEqual([...assigned]);
  });
});

describe('patient groups', () => {
  it('hold all cases of a patient, and join patients who share a study', () => {
    const cases = [
      { caseId: 'c1', patientId: 'p2' },
      { caseId: 'c2', patientId: 'p1' },
      { caseId: 'c3', patientId: 'p2' },
      { caseId: 'c4', patientId: 'p3' },
      { caseId: 'c5', patientId: 'p4' },
    ];
    const studies = [
      { caseId: 'c1', studyInstanceUid: 's1' },
      { caseId: 'c4', studyInstanceUid: 's1' },
      { caseId: 'c4', studyInstanceUid: null },
      { caseId: 'c5', studyInstanceUid: null },
      { caseId: null, studyInstanceUid: 's1' },
    ];
    expect(patientGroups(cases, studies)).toEqual([
      { patientId: 'p1', patientIds: ['p1'], caseIds: ['c2'] },
      { patientId: 'p2', patientIds: ['p2', 'p3'], caseIds: ['c1', 'c3', 'c4'] },
      { patientId: 'p4', patientIds: ['p4'], caseIds: ['c5'] },
    ]);
  });
});

describe('splitting the records of any file', () => {
  const options = { group: null, mode: 'balanced', ratios: RATIOS, seed: 0 } as const;

  it('keeps together what a chain of shared fields links', () => {
    const records = [
      { id: 1, patient_id: 'p1', caseId: 'c1' },
      { id: 2, caseId: 'c1', studyInstanceUid: 's1' },
      { id: 3, studyInstanceUid: 's1' },
      { id: 4, patientId: 'p1' },
      { id: 5, case_id: 'c2', extra: { kept: true } },
      { id: 6, caseGroup: 'p1' },
    ];
    const { records: out, groups, counts } = splitRecords(records, options);
    expect(groups).toBe(3);
    expect(new Set(out.slice(0, 4).map(({ split }) => split)).size).toBe(1);
    expect(out.map(({ id }) => id)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(out[4]).toMatchObject({ extra: { kept: true } });
    expect(counts.dev + counts.validation + counts.test).toBe(6);
  });

  it('never parts a patient or a case, over 40 seeds and both modes', () => {
    for (const seed of SEEDS) {
      const random = rng(seed, 'records');
      const records = Array.from({ length: 80 }, () => ({
        patientId: `p${random.int(25)}`,
        caseId: `c${random.int(60)}`,
      }));
      for (const mode of ['balanced', 'hash'] as const) {
        const { records: out } = splitRecords(records, { ...options, mode, seed });
        for (const field of ['patientId', 'caseId'] as const) {
          const splitOf = new Map<string, unknown>();
          for (const [i, { split }] of out.entries()) {
            const name = records[i]![field];
            expect(splitOf.get(name) ?? split).toBe(split);
            splitOf.set(name, split);
          }
        }
      }
    }
  });

  it('takes one named field alone when asked', () => {
    const records = [
      { site: 'x', patientId: 'p1' },
      { site: 'x', patientId: 'p2' },
      { site: 7, patientId: 'p1' },
    ];
    expect(splitRecords(records, { ...options, group: 'site' }).groups).toBe(2);
  });

  it.each([
    [
      null,
      [{ patientId: 'p1' }, { id: 2, patientId: '' }],
      /Record 2 has none of the fields patientId, patient_id/,
    ],
    ['site', [{ patientId: 'p1' }], /Record 1 has none of the fields site/],
  ])('with --group %s names the record that cannot be placed', (group, records, message) => {
    expect(() => splitRecords(records, { ...options, group })).toThrow(message);
  });
});
