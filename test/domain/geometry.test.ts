import { describe, expect, it } from 'vitest';
import { displayOrientation, planeOf, projection, reorient, sliceNormal } from '../../src/domain/geometry.js';

const AXIAL = [1, 0, 0, 0, 1, 0];
const CORONAL = [1, 0, 0, 0, 0, -1];
const SAGITTAL = [0, 1, 0, 0, 0, -1];

describe('sliceNormal', () => {
  it.each([
    { iop: AXIAL, normal: [0, 0, 1], why: 'axial: x × y = z, to the head' },
    { iop: CORONAL, normal: [0, 1, 0], why: 'coronal: x × -z = y, to the back' },
    { iop: SAGITTAL, normal: [-1, 0, 0], why: 'sagittal: y × -z = -x, to the right' },
    { iop: [2, 0, 0, 0, 2, 0], normal: [0, 0, 1], why: 'cosines that are too long still give a unit normal' },
  ])('is $normal ($why)', ({ iop, normal }) => {
    sliceNormal(iop)!.forEach((value, i) => expect(value).toBeCloseTo(normal[i]!, 12));
  });

  it.each([[null], [[1, 0, 0, 1, 0, 0]], [[1, 0, 0]], [[NaN, 0, 0, 0, 1, 0]]])(
    'is null without two directions: %j',
    (iop) => {
      expect(sliceNormal(iop)).toBeNull();
    },
  );
});

it('projection is the dot product with the normal: 12 mm up the z axis', () => {
  expect(projection([5, -7, 12], [0, 0, 1])).toBe(12);
  expect(projection([3, 4, 0], [0.6, 0.8, 0])).toBeCloseTo(5, 12);
});

describe('planeOf', () => {
  it.each([
    { iop: AXIAL, plane: 'axial' },
    { iop: CORONAL, plane: 'coronal' },
    { iop: SAGITTAL, plane: 'sagittal' },
    { iop: [1, 0, 0, 0, 0.8660254, 0.5], plane: 'axial', why: '30 degrees of gantry tilt' },
    { iop: [1, 0, 0, 0, 0.7071068, 0.7071068], plane: 'oblique', why: '45 degrees' },
    { iop: null, plane: 'oblique', why: 'unknown' },
  ])('$iop is $plane', ({ iop, plane }) => {
    expect(planeOf(iop)).toBe(plane);
  });
});

/**
 * A 2 × 2 image whose pixels name the body directions they lie in. Each case says where the first row and the first
 * column point; the shown picture must be the radiological one.
 */
describe('displayOrientation', () => {
  const show = (stored: string[][], iop: number[]): string => {
    const names = stored.flat();
    const bytes = Uint8Array.from(names, (_, i) => i);
    const { samples } = reorient(bytes, stored.length, stored[0]!.length, displayOrientation(iop));
    return [...samples].map((i) => names[i]).join(' ');
  };

  // Axial: patient's right on the left side, front up.
  const axial = 'RA LA RP LP';
  it.each([
    {
      iop: [1, 0, 0, 0, 1, 0],
      stored: [
        ['RA', 'LA'],
        ['RP', 'LP'],
      ],
      why: 'as scanned supine',
    },
    {
      iop: [-1, 0, 0, 0, -1, 0],
      stored: [
        ['LP', 'RP'],
        ['LA', 'RA'],
      ],
      why: 'prone: both reversed',
    },
    {
      iop: [0, 1, 0, 1, 0, 0],
      stored: [
        ['RA', 'RP'],
        ['LA', 'LP'],
      ],
      why: 'rows run to the back',
    },
    {
      iop: [0, -1, 0, -1, 0, 0],
      stored: [
        ['LP', 'LA'],
        ['RP', 'RA'],
      ],
      why: 'rows run to the front',
    },
    {
      iop: [0, 1, 0, -1, 0, 0],
      stored: [
        ['LA', 'LP'],
        ['RA', 'RP'],
      ],
      why: 'decubitus',
    },
  ])('axial $iop is shown right-left, front up ($why)', ({ iop, stored }) => {
    expect(show(stored, iop)).toBe(axial);
  });

  it.each([
    {
      iop: [1, 0, 0, 0, 0, -1],
      stored: [
        ['RS', 'LS'],
        ['RI', 'LI'],
      ],
      why: 'usual',
    },
    {
      iop: [1, 0, 0, 0, 0, 1],
      stored: [
        ['RI', 'LI'],
        ['RS', 'LS'],
      ],
      why: 'feet up',
    },
    {
      iop: [0, 0, 1, -1, 0, 0],
      stored: [
        ['LI', 'LS'],
        ['RI', 'RS'],
      ],
      why: 'rows run up',
    },
  ])('coronal $iop is shown right-left, head up ($why)', ({ iop, stored }) => {
    expect(show(stored, iop)).toBe('RS LS RI LI');
  });

  it.each([
    {
      iop: [0, 1, 0, 0, 0, -1],
      stored: [
        ['AS', 'PS'],
        ['AI', 'PI'],
      ],
      why: 'usual',
    },
    {
      iop: [0, -1, 0, 0, 0, -1],
      stored: [
        ['PS', 'AS'],
        ['PI', 'AI'],
      ],
      why: 'front on the right',
    },
    {
      iop: [0, 0, -1, 0, 1, 0],
      stored: [
        ['AS', 'AI'],
        ['PS', 'PI'],
      ],
      why: 'rows run down',
    },
  ])('sagittal $iop is shown with the front on the left, head up ($why)', ({ iop, stored }) => {
    expect(show(stored, iop)).toBe('AS PS AI PI');
  });

  it('leaves an image of unknown orientation as it is', () => {
    expect(displayOrientation(null)).toEqual({ transpose: false, flipRows: false, flipColumns: false });
  });
});

describe('reorient', () => {
  it('transposes a 2 × 3 image to 3 × 2 and then flips its rows', () => {
    const stored = Uint8Array.from([1, 2, 3, 4, 5, 6]);
    const plain = { transpose: true, flipRows: false, flipColumns: false };
    expect(reorient(stored, 2, 3, plain)).toEqual({
      samples: Uint8Array.from([1, 4, 2, 5, 3, 6]),
      rows: 3,
      columns: 2,
    });
    const flipped = reorient(stored, 2, 3, { ...plain, flipRows: true });
    expect([...flipped.samples]).toEqual([3, 6, 2, 5, 1, 4]);
    expect([...stored]).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it('keeps the samples of a colour pixel together', () => {
    const two = Int16Array.from([1, 2, 3, 7, 8, 9]);
    const { samples } = reorient(two, 1, 2, { transpose: false, flipRows: false, flipColumns: true }, 3);
    expect(samples).toEqual(Int16Array.from([7, 8, 9, 1, 2, 3]));
  });
});
