import { describe, expect, it } from 'vitest';
import { measureStack } from '../../src/domain/geometry-stack.js';

const UP = [0, 0, 1] as const;
const axial = (...heights: number[]): number[][] => heights.map((z) => [0, 0, z]);

describe('measureStack', () => {
  it('has nothing to say about one slice', () => {
    expect(measureStack(axial(3), UP)).toEqual({
      spacingMm: null,
      minStepMm: null,
      maxStepMm: null,
      uniform: null,
      gaps: [],
      shearDegrees: null,
      offLineMm: 0,
    });
  });

  it.each([
    { last: 15.05, uniform: true, why: 'step 5.05: 1 % of 5 mm' },
    { last: 15.06, uniform: false, why: 'step 5.06: more' },
  ])('calls steps 5, 5 and one to $last uniform: $uniform ($why)', ({ last, uniform }) => {
    expect(measureStack(axial(0, 5, 10, last), UP).uniform).toBe(uniform);
  });

  it('lets thin slices differ by 0.01 mm, as stored positions are rounded', () => {
    // Steps 0.3, 0.31, 0.3: 3 % but 0.01 mm.
    expect(measureStack(axial(0, 0.3, 0.61, 0.91), UP).uniform).toBe(true);
    expect(measureStack(axial(0, 0.3, 0.615, 0.915), UP).uniform).toBe(false);
  });

  it.each([
    { heights: [0, 5, 12.5, 17.5], gaps: [], why: '1.5 steps are none yet' },
    { heights: [0, 5, 12.6, 17.6], gaps: [{ afterPosition: 1, steps: 1.52 }], why: 'over 1.5' },
    {
      heights: [0, 10, 15, 20, 40, 45],
      gaps: [
        { afterPosition: 0, steps: 2 },
        { afterPosition: 3, steps: 4 },
      ],
      why: 'one slice missing, then three',
    },
  ])('finds the gaps of $heights ($why)', ({ heights, gaps }) => {
    expect(measureStack(axial(...heights), UP).gaps).toEqual(gaps);
  });

  it('takes the mean of the two middle steps of an even number', () => {
    // Steps 2, 4, 3, 5: sorted 2, 3, 4, 5.
    expect(measureStack(axial(0, 2, 6, 9, 14), UP)).toMatchObject({
      spacingMm: 3.5,
      minStepMm: 2,
      maxStepMm: 5,
    });
  });

  it('measures the lean against the normal, whichever way it goes', () => {
    // 3 across and 4 up: atan(3/4) = 36.87 degrees.
    const right = [
      [0, 0, 0],
      [3, 0, 4],
    ];
    const left = [
      [0, 0, 0],
      [-3, 0, 4],
    ];
    expect(measureStack(right, UP).shearDegrees).toBe(36.87);
    expect(measureStack(left, UP).shearDegrees).toBe(36.87);
  });

  it('tells how far a slice lies off the line from the first to the last', () => {
    const bent = [
      [0, 0, 0],
      [2, 0, 5],
      [0, 0, 10],
    ];
    expect(measureStack(bent, UP)).toMatchObject({ shearDegrees: 0, offLineMm: 2 });
    const straight = [
      [0, 0, 0],
      [2, 0, 5],
      [4, 0, 10],
    ];
    expect(measureStack(straight, UP).offLineMm).toBe(0);
  });
});
