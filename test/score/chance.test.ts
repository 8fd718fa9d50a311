import { describe, expect, it } from 'vitest';
import { chanceScores, evidenceChance } from '../../src/score/aggregate/index.js';
import { makeBaseline, type Reply } from '../../src/score/baselines/index.js';
import { scoreItem } from '../../src/domain/protocol/index.js';
import { rng } from '../../src/util/rng.js';
import { aKey, aResponse } from './helpers/an-item.js';
import { madeUpBenchmark } from './helpers/made-up.js';

/** 7 images, 1 acceptable, 1 hit needed. */
const LONE = '*s1:40 s2:1 s2:2 s2:3 s2:4 s2:5 s2:6';
/** 12 images, 5 acceptable (one reference, four neighbours), 1 hit needed. */
const CROWD = '*s1:40 s1:38 s1:39 s1:41 s1:42 s2:1 s2:2 s2:3 s2:4 s2:5 s2:6 s2:7';
/** 9 images, 3 acceptable, 2 hits needed. */
const STRICT = '*s1:10 *s1:20 *s1:30 s2:1 s2:2 s2:3 s2:4 s2:5 s2:6';

describe('evidenceChance', () => {
  it.each([
    { name: 'lone', images: LONE, chances: [1 / 7, 2 / 7, 0], why: 'a third of three is never half' },
    { name: 'crowd', images: CROWD, chances: [5 / 12, 15 / 22, 4 / 11], why: '1 − 21/66; (70 + 10)/220' },
    {
      name: 'strict',
      images: STRICT,
      chances: [0, 1 / 12, 19 / 84],
      why: 'both of two; two or three of three',
    },
  ])('is exact for the $name item ($why)', ({ images, chances }) => {
    [1, 2, 3].forEach((picks, i) => {
      expect(evidenceChance(aKey(images).images, picks)).toBeCloseTo(chances[i]!, 12);
    });
  });

  it('agrees with listing every choice of images', () => {
    const { key } = madeUpBenchmark(12, 4);
    for (const entry of key) {
      const ids = entry.images.map((image) => image.id);
      const triples = ids.flatMap((a, i) =>
        ids.slice(i + 1).flatMap((b, j) => ids.slice(i + j + 2).map((c) => [a, b, c])),
      );
      const passed = triples.filter((evidence) => scoreItem(entry, aResponse(evidence, null)).evidence);
      expect(evidenceChance(entry.images, 3)).toBeCloseTo(passed.length / triples.length, 12);
    }
  });
});

describe('chanceScores', () => {
  it('averages over the items, and takes the best number of picks for the whole set', () => {
    const chance = chanceScores([aKey(LONE, { id: 'a' }), aKey(STRICT, { id: 'b' })]);
    expect(chance.answer).toBe(0.2);
    expect(chance.evidence.pick1).toBeCloseTo(1 / 14, 12);
    expect(chance.evidence.pick2).toBeCloseTo((2 / 7 + 1 / 12) / 2, 12);
    expect(chance.evidence.pick3).toBeCloseTo(19 / 168, 12);
    expect(chance.evidence.best).toBe(chance.evidence.pick2);
    expect(chance.joint.best).toBeCloseTo((2 / 7 + 1 / 12) / 10, 12);
  });

  it('gives the exact interval of correct letters: 6 to 18 and 5 to 20 of 60, as scipy does', () => {
    const { answer } = chanceScores(madeUpBenchmark(60).key).randomInterval;
    expect(answer.expected).toBeCloseTo(12, 9);
    expect(answer.passes95).toEqual([6, 18]);
    expect(answer.passes99).toEqual([5, 20]);
  });

  it('holds what baseline/random scores: expected count and interval over 400 seeds', () => {
    const { items, key } = madeUpBenchmark(60);
    const { randomInterval } = chanceScores(key);
    const model = makeBaseline('baseline/random', { items, key: null });
    const inside = { answer: 0, evidence: 0, joint: 0 };
    const sums = { answer: 0, evidence: 0, joint: 0 };
    const seeds = 400;
    for (let seed = 0; seed < seeds; seed++) {
      const passes = { answer: 0, evidence: 0, joint: 0 };
      items.forEach((item, i) => {
        const reply = model.answer(item, rng(seed, item.id)) as Reply;
        const scored = scoreItem(key[i]!, aResponse(reply.evidence, reply.answer));
        for (const metric of ['answer', 'evidence', 'joint'] as const)
          passes[metric] += Number(scored[metric]);
      });
      for (const metric of ['answer', 'evidence', 'joint'] as const) {
        const [low, high] = randomInterval[metric].passes95;
        inside[metric] += Number(passes[metric] >= low && passes[metric] <= high);
        sums[metric] += passes[metric];
      }
    }
    for (const metric of ['answer', 'evidence', 'joint'] as const) {
      // Central intervals of a count hold at least 95 %; four standard errors of 400 trials are 4.4 points.
      expect(inside[metric] / seeds).toBeGreaterThan(0.906);
      expect(Math.abs(sums[metric] / seeds - randomInterval[metric].expected)).toBeLessThan(0.7);
    }
  });
});
