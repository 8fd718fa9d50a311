import { beforeAll, describe, expect, it } from 'vitest';
import { fileStore } from '../../src/adapters/store/index.js';
import type { Axis } from '../../src/mcq/axis.js';
import { generatorNamed, offlineRulesGenerator } from '../../src/mcq/generator.js';
import { mapSupported } from '../../src/mcq/map-supported.js';
import { loadQuestionData } from '../../src/mcq/question-data.js';

let axis: Axis;
beforeAll(async () => {
  axis = (await loadQuestionData(fileStore())).axes.find(({ id }) => id === 'brain-lobe')!;
});

describe('the offline generator', () => {
  it('draws different sets of five values, the same for the same seed', async () => {
    const sets = await offlineRulesGenerator.propose(axis, 50, 'seed-1');
    expect(sets).toHaveLength(50);
    expect(new Set(sets.map(({ valueIds }) => valueIds.join())).size).toBe(50);
    for (const { valueIds } of sets) expect(new Set(valueIds).size).toBe(5);
    expect(await offlineRulesGenerator.propose(axis, 50, 'seed-1')).toEqual(sets);
    expect(await offlineRulesGenerator.propose(axis, 50, 'seed-2')).not.toEqual(sets);
  });

  it('gives every value the same chance: ten values, five a set, each in half of the 252 sets', async () => {
    const sets = await offlineRulesGenerator.propose(axis, 252, 'seed-1');
    const counts = axis.values.map(({ id }) => sets.filter(({ valueIds }) => valueIds.includes(id)).length);
    expect(counts).toEqual(Array.from({ length: 10 }, () => 126));
  });

  it('is the only one there is', () => {
    expect(generatorNamed('offline/rules').name).toBe('offline/rules');
    expect(() => generatorNamed('openai/some-model')).toThrow(/openai\/some-model, which is not built yet/);
  });
});

describe('mapping', () => {
  it('keeps sets with the supported value and without barred ones', () => {
    const value = axis.values.find(({ id }) => id === 'left-frontal')!;
    const set = (...valueIds: string[]) => ({ axisId: axis.id, valueIds });
    const good = set('left-frontal', 'right-frontal', 'left-parietal', 'right-parietal', 'left-temporal');
    const without = set(
      'right-frontal',
      'left-parietal',
      'right-parietal',
      'left-temporal',
      'right-temporal',
    );
    const withBarred = set(
      'left-frontal',
      'right-frontal',
      'left-parietal',
      'right-parietal',
      'left-occipital',
    );
    const mapped = mapSupported(axis, [without, withBarred, good], {
      usable: true,
      value,
      barred: ['left-occipital'],
    });
    expect(mapped.map(({ values, supported }) => [values.map(({ text }) => text), supported.text])).toEqual([
      [
        [
          'Left frontal lobe',
          'Right frontal lobe',
          'Left parietal lobe',
          'Right parietal lobe',
          'Left temporal lobe',
        ],
        'Left frontal lobe',
      ],
    ]);
  });
});
