import { describe, expect, it } from 'vitest';
import {
  applyWindow,
  autoWindow,
  distributionOf,
  levelOf,
  modalityValues,
  NO_TRANSFORM,
} from '../../../src/adapters/dicom/index.js';

describe('applyWindow', () => {
  // PS3.3 C.11.2.1.2.1 prints these: centre 2048, width 4096 takes 0 to the lowest and 4095 to the highest level.
  it.each([
    { x: 0, window: { center: 2048, width: 4096 }, level: 0 },
    { x: 4095, window: { center: 2048, width: 4096 }, level: 255 },
    { x: -5, window: { center: 2048, width: 4096 }, level: 0 },
    { x: 5000, window: { center: 2048, width: 4096 }, level: 255 },
    // Centre 2048, width 1: the standard's threshold, x <= 2047.5 black, above it white.
    { x: 2047, window: { center: 2048, width: 1 }, level: 0 },
    { x: 2048, window: { center: 2048, width: 1 }, level: 255 },
    // Centre 0, width 100: -50 is black, 49 white, 0 is ((0 + 0.5) / 99 + 0.5) × 255 = 128.79, so 129.
    { x: -50, window: { center: 0, width: 100 }, level: 0 },
    { x: 49, window: { center: 0, width: 100 }, level: 255 },
    { x: 0, window: { center: 0, width: 100 }, level: 129 },
  ])('takes $x to $level in window $window', ({ x, window, level }) => {
    expect([...applyWindow(Float32Array.of(x), window)]).toEqual([level]);
  });

  it('turns black and white for MONOCHROME1', () => {
    const window = { center: 0, width: 100 };
    expect([...applyWindow(Float32Array.of(-50, 0, 49), window, { invert: true })]).toEqual([255, 126, 0]);
  });

  it('refuses a width below 1', () => {
    expect(() => applyWindow(Float32Array.of(1), { center: 0, width: 0.5 })).toThrow(
      'width of a LINEAR window',
    );
    expect(() => applyWindow(Float32Array.of(1), { center: 0, width: NaN })).toThrow(
      'width of a LINEAR window',
    );
  });
});

describe('levelOf', () => {
  // PS3.3 C.11.2.1.3.2: y = ((x - c) / w + 0.5) · 255 between c - w/2 and c + w/2.
  it.each([
    { x: -51, level: 0 },
    { x: -50, level: 0 },
    { x: 0, level: 128 },
    { x: 25, level: 191 },
    { x: 50, level: 255 },
  ])('takes $x to $level in a LINEAR_EXACT window of 0, 100', ({ x, level }) => {
    expect(levelOf({ center: 0, width: 100, shape: 'LINEAR_EXACT' })(x)).toBe(level);
  });

  // PS3.3 C.11.2.1.3.1: y = 255 / (1 + exp(-4 (x - c) / w)); at x = c + w/4 that is 255 / (1 + e^-1) = 186.42.
  it.each([
    { x: 0, level: 128 },
    { x: 25, level: 186 },
    { x: -25, level: 69 },
    { x: 1000, level: 255 },
    { x: -1000, level: 0 },
  ])('takes $x to $level in a SIGMOID window of 0, 100', ({ x, level }) => {
    expect(levelOf({ center: 0, width: 100, shape: 'SIGMOID' })(x)).toBe(level);
  });

  it('takes a LINEAR_EXACT window narrower than 1', () => {
    expect([...applyWindow([0, 0.25, 0.5], { center: 0.25, width: 0.5, shape: 'LINEAR_EXACT' })]).toEqual([
      0, 128, 255,
    ]);
  });

  it('looks up a VOI LUT, with the first entry for what lies below and the last for what lies above', () => {
    const table = { first: 10, entries: Uint16Array.of(0, 128, 255), bits: 8, explanation: null };
    expect([9, 10, 11, 12, 13].map(levelOf(table))).toEqual([0, 0, 128, 255, 255]);
  });
});

it('modalityValues are stored × slope + intercept: 1024 stored is 0 HU in common CT', () => {
  const modality = { ...NO_TRANSFORM, intercept: -1024 };
  const values = modalityValues({ samples: Int16Array.of(0, 1024, 2024), modality });
  expect([...values]).toEqual([-1024, 0, 1000]);
});

it('modalityValues look up a Modality LUT', () => {
  const table = { first: -1, entries: Uint16Array.of(100, 200, 400), bits: 16 };
  const values = modalityValues({
    samples: Int16Array.of(-5, -1, 0, 1, 7),
    modality: { ...NO_TRANSFORM, table },
  });
  expect([...values]).toEqual([100, 100, 200, 400, 400]);
});

describe('autoWindow', () => {
  const frame = (samples: Int16Array, padding: { low: number; high: number } | null = null) =>
    distributionOf([{ samples, modality: NO_TRANSFORM, padding }]);

  it('spans the middle 98 percent', () => {
    const { center, width } = autoWindow(frame(Int16Array.from({ length: 101 }, (_, i) => i)));
    expect({ center, width }).toEqual({ center: 50, width: 98 });
  });

  it('leaves padding out', () => {
    const ramp = Int16Array.from({ length: 201 }, (_, i) => (i < 101 ? i : -2000));
    const { center, width } = autoWindow(frame(ramp, { low: -2000, high: -2000 }));
    expect({ center, width }).toEqual({ center: 50, width: 98 });
  });

  it('draws a flat picture black', () => {
    const flat = autoWindow(frame(Int16Array.of(7, 7)));
    expect([...applyWindow([7, 7], flat)]).toEqual([0, 0]);
  });
});
