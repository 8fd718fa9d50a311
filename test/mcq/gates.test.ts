import { describe, expect, it } from 'vitest';
import {
  gatesNamed,
  isGivenAway,
  longestGate,
  mostCentralGate,
  mostSimilarGate,
  rightRate,
  runGates,
  selectionCost,
  type GateTrial,
} from '../../src/mcq/gates.js';

const LOBES = [
  'Left upper lobe',
  'Right upper lobe',
  'Right middle lobe',
  'Left lower lobe',
  'Right lower lobe',
];

describe('the offline text gates', () => {
  it('pick the longest, the most central and the most similar choice', async () => {
    expect(await longestGate.pick('', LOBES)).toBe(2);
    // "Right upper lobe" shares two words with three others (left upper, right middle, right lower), as no earlier one does.
    expect(await mostCentralGate.pick('', LOBES)).toBe(1);
    expect(await mostSimilarGate.pick('Which middle part?', LOBES)).toBe(2);
  });

  it('are two when none is named; an unknown one is an error', () => {
    expect(gatesNamed([]).map(({ name }) => name)).toEqual(['offline/longest', 'offline/most-central']);
    expect(gatesNamed(['offline/most-similar'])).toEqual([mostSimilarGate]);
    expect(() => gatesNamed(['offline/psychic'])).toThrow(/offline\/psychic, which is not built in/);
  });
});

describe('running the gates', () => {
  const given = {
    stem: 'Where is it?',
    choices: ['Lobe', 'Cleft', 'Node', 'Right upper lobe node cleft', 'Apex'],
    supported: 3,
  };

  it('rejects a set that the text gives away: both right in all three shuffles', async () => {
    const trials = await runGates(gatesNamed([]), given, 'seed');
    expect(trials.map(({ gate, shuffle, picked, right }) => [gate, shuffle, picked, right])).toEqual([
      ['offline/longest', 0, 3, true],
      ['offline/longest', 1, 3, true],
      ['offline/longest', 2, 3, true],
      ['offline/most-central', 0, 3, true],
      ['offline/most-central', 1, 3, true],
      ['offline/most-central', 2, 3, true],
    ]);
    expect(isGivenAway(trials)).toBe(true);
    expect(rightRate(trials)).toBe(1);
  });

  it('keeps the same choices when another one is supported', async () => {
    const trials = await runGates(gatesNamed([]), { ...given, supported: 0 }, 'seed');
    expect(isGivenAway(trials)).toBe(false);
    expect(rightRate(trials)).toBe(0);
  });

  it('leaves equal choices to the shuffle, which repeats with the seed', async () => {
    const even = { stem: '', choices: ['aa', 'bb', 'cc', 'dd', 'ee'], supported: 0 };
    const picks = async (seed: string) =>
      (await runGates(gatesNamed([]), even, seed)).map(({ picked }) => picked);
    expect(await picks('one')).toEqual(await picks('one'));
    const all = new Set((await Promise.all(['1', '2', '3', '4', '5', '6'].map(picks))).flat());
    expect(all).toEqual(new Set([0, 1, 2, 3, 4]));
  });
});

describe('selection', () => {
  const trials = (right: number): GateTrial[] =>
    Array.from({ length: 6 }, (_, i) => ({ gate: 'g', shuffle: i, picked: 0, right: i < right }));

  it('by hardness takes the set with fewest right, by nearness to chance the one nearest to a fifth', () => {
    const order = (selection: 'hardest' | 'nearest-chance') =>
      [0, 1, 2, 3].sort((a, b) => selectionCost(trials(a), selection) - selectionCost(trials(b), selection));
    expect(order('hardest')).toEqual([0, 1, 2, 3]);
    // |0/6 - 1/5| = .200, |1/6 - 1/5| = .033, |2/6 - 1/5| = .133, |3/6 - 1/5| = .300
    expect(order('nearest-chance')).toEqual([1, 2, 0, 3]);
  });
});
