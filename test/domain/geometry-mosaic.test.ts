import { describe, expect, it } from 'vitest';
import { mosaicGeometry, unpackMosaic } from '../../src/domain/geometry-mosaic.js';

describe('unpackMosaic', () => {
  it('cuts tiles along the rows first, and leaves the empty ones out', () => {
    // Three 1 × 2 tiles in a 2 × 4 picture: the fourth place is empty.
    const picture = Int16Array.from([1, 2, 3, 4, 5, 6, 0, 0]);
    expect(unpackMosaic(picture, 2, 4, 3)).toEqual([
      Int16Array.from([1, 2]),
      Int16Array.from([3, 4]),
      Int16Array.from([5, 6]),
    ]);
  });

  it('keeps the rows of a tile together and the picture as it was', () => {
    const picture = Uint8Array.from([1, 2, 5, 6, 3, 4, 7, 8, 9, 9, 0, 0, 9, 9, 0, 0]);
    expect(unpackMosaic(picture, 4, 4, 3).map((tile) => [...tile])).toEqual([
      [1, 2, 3, 4],
      [5, 6, 7, 8],
      [9, 9, 9, 9],
    ]);
    expect(picture[4]).toBe(3);
  });

  it.each([
    { rows: 5, columns: 4, images: 4, samples: 20, why: 'five rows are not two tiles' },
    { rows: 4, columns: 4, images: 4, samples: 15, why: 'a sample is missing' },
    { rows: 4, columns: 4, images: 0, samples: 16, why: 'no image' },
    { rows: 4, columns: 4, images: 2.5, samples: 16, why: 'half an image' },
  ])('refuses $rows × $columns with $images images ($why)', ({ rows, columns, images, samples }) => {
    expect(() => unpackMosaic(new Uint8Array(samples), rows, columns, images)).toThrow(/cannot be cut/);
  });
});

describe('mosaicGeometry', () => {
  const mosaic = {
    images: 3,
    rows: 2,
    columns: 2,
    imagePositionPatient: [10, 20, 30],
    spacingMm: 2.5,
    sliceNormal: [0, 0, -1],
  };

  it('steps from tile to tile along the normal: 2.5 mm down each time', () => {
    expect(mosaicGeometry(mosaic)).toEqual([
      [10, 20, 30],
      [10, 20, 27.5],
      [10, 20, 25],
    ]);
  });

  it.each([{ imagePositionPatient: null }, { spacingMm: null }, { sliceNormal: null }])(
    'is null without %o',
    (missing) => {
      expect(mosaicGeometry({ ...mosaic, ...missing })).toBeNull();
    },
  );
});
