import { describe, expect, it } from 'vitest';
import { findingSchema, type Finding } from '../../../src/domain/finding.js';
import { readDataYaml } from '../../../src/adapters/store/index.js';
import { deviationMaps } from '../../../src/retrieve/saliency/deviation.js';
import { nominate } from '../../../src/retrieve/saliency/nominate.js';
import { rate } from '../../../src/retrieve/saliency/rate.js';
import { saliencyDataSchema, signatureOf, type Signature } from '../../../src/retrieve/saliency/signature.js';
import { sliceBlobs, type BlobSettings } from '../../../src/retrieve/saliency/slice-blobs.js';
import type { CoarseStack } from '../../../src/retrieve/saliency/stack-pixels.js';
import { rng } from '../../../src/util/rng.js';

const SIZE = 72;
const data = await readDataYaml('saliency.yaml', saliencyDataSchema);

/** A soft-tissue cylinder (40 HU, noise 3) with a bright column that runs through all slices, and planted balls. */
function phantom(
  balls: readonly { x: number; y: number; z: number; radius: number; value: number }[],
  slices = 30,
): CoarseStack {
  const random = rng('saliency-test');
  return {
    width: SIZE,
    height: SIZE,
    slices: Array.from({ length: slices }, (_, z) => {
      const slice = new Float32Array(SIZE * SIZE).fill(-1000);
      for (let y = 0; y < SIZE; y++) {
        for (let x = 0; x < SIZE; x++) {
          const dx = x - 35.5;
          const dy = y - 35.5;
          if (dx * dx + dy * dy > 30 * 30) continue;
          let value = 40 + 3 * random.normal();
          if (Math.hypot(x - 24, y - 50) < 4) value = 250;
          for (const ball of balls) {
            if (Math.hypot(x - ball.x, y - ball.y, 2 * (z - ball.z)) < ball.radius) value = ball.value;
          }
          slice[y * SIZE + x] = value;
        }
      }
      return slice;
    }),
  };
}

const settings: BlobSettings = { cue: 'compact', threshold: 2.5, minArea: 3, areaCap: 40, heightCap: 15 };
const pick = { places: 3, slicesPerPlace: 1 };
const rateSettings = { direct: 0.75, possible: 0.4, floor: 8 };

const anything: Signature = {
  sign: 'either',
  cue: null,
  laterality: null,
  hu: null,
  ringHu: null,
  x: null,
  y: null,
  z: null,
};

describe('the classical image reviewer', () => {
  const planted = phantom([{ x: 48, y: 30, z: 12, radius: 5, value: 110 }]);
  const maps = deviationMaps(planted, 'CT');

  it.each(['compact', 'one-sided', 'either'] as const)(
    'finds a planted ball at its slice by the cue %s',
    (cue) => {
      const picks = nominate(sliceBlobs(maps, { ...settings, cue }), pick);
      expect(picks.length).toBeGreaterThan(0);
      const best = picks.reduce((a, b) => (b.confidence > a.confidence ? b : a));
      expect(Math.abs(best.position - 12)).toBeLessThanOrEqual(2);
    },
  );

  it('names nothing in a stack without a finding, though a bright column runs through it', () => {
    const clean = deviationMaps(phantom([]), 'CT');
    expect(nominate(sliceBlobs(clean, settings), pick)).toEqual([]);
  });

  it('rates the slices of the ball direct and others unassessable', () => {
    const ratings = rate(sliceBlobs(maps, settings), maps, anything, [3, 11, 12, 13, 25], rateSettings);
    expect(ratings.map(({ rating }) => rating)).toEqual([
      'unassessable',
      expect.anything(),
      'direct',
      expect.anything(),
      'unassessable',
    ]);
  });

  it.each<{ why: string; signature: Partial<Signature>; found: boolean }>([
    { why: 'on its side', signature: { laterality: 'left' }, found: true },
    { why: 'not on the other side', signature: { laterality: 'right' }, found: false },
    { why: 'as bright', signature: { sign: 'bright' }, found: true },
    { why: 'not as dark', signature: { sign: 'dark' }, found: false },
    { why: 'within its Hounsfield units', signature: { hu: [90, 130] }, found: true },
    { why: 'not outside them', signature: { hu: [300, 900] }, found: false },
    { why: 'in what surrounds it', signature: { ringHu: [20, 60] }, found: true },
    { why: 'not in lung', signature: { ringHu: [-1000, -500] }, found: false },
    { why: 'in the lower half', signature: { z: [0, 0.5] }, found: true },
    { why: 'not in the upper half', signature: { z: [0.5, 1] }, found: false },
  ])('looks for the finding $why', ({ signature, found }) => {
    const [rating] = rate(
      sliceBlobs(maps, settings),
      maps,
      { ...anything, ...signature },
      [12],
      rateSettings,
    );
    expect(rating!.rating).toBe(found ? 'direct' : 'unassessable');
  });

  it('finds the same with the noise of another run: nothing depends on order or chance', () => {
    const again = deviationMaps(planted, 'CT');
    expect(nominate(sliceBlobs(again, settings), pick)).toEqual(nominate(sliceBlobs(maps, settings), pick));
  });
});

describe('a signature', () => {
  const finding = (overrides: Partial<Finding>): Finding =>
    findingSchema.parse({
      start: 0,
      end: 4,
      text: 'mass',
      concept: 'mass',
      anatomy: null,
      laterality: null,
      key: 'k',
      polarity: 'positive',
      temporal: 'current',
      visual: true,
      needsMeasurement: false,
      ...overrides,
    });

  it.each([
    { text: 'hyperdense mass', sign: 'bright' },
    { text: 'large hypodense mass', sign: 'dark' },
    { text: 'mass', sign: 'either' },
    { text: 'low-density mass with a calcified rim', sign: 'dark' },
  ])('of "$text" is $sign', ({ text, sign }) => {
    expect(signatureOf(finding({ text }), 'CT', data).sign).toBe(sign);
  });

  it('has Hounsfield units on CT alone', () => {
    const calcification = finding({ text: 'calcification', concept: 'calcification' });
    expect(signatureOf(calcification, 'CT', data).hu).toEqual([120, 3000]);
    expect(signatureOf(calcification, 'MR', data).hu).toBeNull();
  });

  it('has ranges in ascending order in every line of data/saliency.yaml', () => {
    for (const { hu } of data.signatures) if (hu) expect(hu[0]).toBeLessThan(hu[1]);
    for (const place of data.places) {
      for (const range of [place.x, place.y, place.z, place.ringHu])
        if (range) expect(range[0]).toBeLessThan(range[1]);
    }
  });
});
