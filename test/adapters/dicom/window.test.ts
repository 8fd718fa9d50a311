import { describe, expect, it } from 'vitest';
import {
  applyWindow,
  autoWindow,
  modalityValues,
  WINDOW_PRESETS,
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
      'width of a linear window',
    );
    expect(() => applyWindow(Float32Array.of(1), { center: 0, width: NaN })).toThrow(
      'width of a linear window',
    );
  });
});

it('modalityValues are stored × slope + intercept: 1024 stored is 0 HU in common CT', () => {
  const values = modalityValues({ samples: Int16Array.of(0, 1024, 2024), slope: 1, intercept: -1024 });
  expect([...values]).toEqual([-1024, 0, 1000]);
});

it('autoWindow spans the middle 98 percent, and one value is 1 wide', () => {
  const ramp = Float32Array.from({ length: 101 }, (_, i) => i);
  expect(autoWindow(ramp)).toEqual({ center: 50, width: 98 });
  expect(autoWindow(Float32Array.of(7, 7))).toEqual({ center: 7, width: 1 });
});

it('every preset window can be applied', () => {
  for (const window of Object.values(WINDOW_PRESETS))
    expect(applyWindow(Float32Array.of(0), window)).toHaveLength(1);
});
