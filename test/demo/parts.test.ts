import { describe, expect, it } from 'vitest';
import { instanceNumbers } from '../../src/demo/instance-order.js';
import { grainTile, noiseAt, noiseField } from '../../src/demo/noise.js';
import { loadRecipes } from '../../src/demo/recipe.js';
import { reportText, sentenceInReport, wrap } from '../../src/demo/report.js';
import { stackPlanes } from '../../src/demo/stack-geometry.js';
import { syntheticUid } from '../../src/demo/synthetic-uid.js';
import { isVisible } from '../../src/demo/visibility.js';
import { rng } from '../../src/util/rng.js';

describe('stackPlanes', () => {
  const stack = { first: -10, spacing: 5, count: 5, tiltDegrees: 0 };
  // 4 pixels of 10 mm: the first pixel's centre lies 15 mm from the middle.
  it('lays axial planes from foot to head, patient right and front first', () => {
    const planes = stackPlanes({ ...stack, plane: 'axial' }, [0, 0, 0], 4, 40);
    expect(planes.map((plane) => plane.origin)).toEqual([
      [-15, -15, -10],
      [-15, -15, -5],
      [-15, -15, 0],
      [-15, -15, 5],
      [-15, -15, 10],
    ]);
    expect(planes[0]!.normal).toEqual([0, 0, 1]);
  });

  it('lays coronal planes from front to back, head up', () => {
    const planes = stackPlanes({ ...stack, plane: 'coronal' }, [0, 0, 0], 4, 40);
    expect(planes[0]!.origin).toEqual([-15, -10, 15]);
    expect(planes[4]!.origin).toEqual([-15, 10, 15]);
    expect(planes[0]!.column[2]).toBe(-1);
  });

  it('lays sagittal planes from left to right, since their normal points right', () => {
    const planes = stackPlanes({ ...stack, plane: 'sagittal' }, [0, 0, 0], 4, 40);
    expect(planes[0]!.normal[0]).toBe(-1);
    expect(planes.map((plane) => plane.origin[0])).toEqual([10, 5, 0, -5, -10]);
  });

  it('moves a tilted stack along z, not along its normal', () => {
    const planes = stackPlanes({ ...stack, plane: 'axial', tiltDegrees: 30 }, [0, 0, 0], 4, 40);
    expect(planes[1]!.origin[2] - planes[0]!.origin[2]).toBeCloseTo(5, 10);
    expect(planes[1]!.origin[1] - planes[0]!.origin[1]).toBeCloseTo(0, 10);
    // row × column = (1, 0, 0) × (0, cos 30°, sin 30°) = (0, -1/2, √3/2)
    expect(planes[0]!.normal[1]).toBeCloseTo(-0.5, 10);
    expect(planes[0]!.normal[2]).toBeCloseTo(0.8660254, 6);
  });
});

describe('instanceNumbers', () => {
  it.each([
    { order: 'ascending' as const, numbers: [1, 2, 3, 4, 5] },
    { order: 'descending' as const, numbers: [5, 4, 3, 2, 1] },
    { order: 'reversed' as const, numbers: [105, 104, 103, 102, 101] },
    { order: 'restarted' as const, numbers: [1, 1, 2, 2, 3] },
  ])('$order gives $numbers', ({ order, numbers }) => {
    expect(instanceNumbers(5, order, rng(0))).toEqual(numbers);
  });

  it('shuffles all numbers from 1', () => {
    const numbers = instanceNumbers(30, 'shuffled', rng(0, 'x'));
    expect([...numbers].sort((a, b) => a - b)).toEqual(Array.from({ length: 30 }, (_, i) => i + 1));
    expect(numbers).not.toEqual(Array.from({ length: 30 }, (_, i) => i + 1));
  });
});

describe('noise', () => {
  it('is the lattice value on a lattice point and half way between two of them', () => {
    const field = noiseField('test');
    expect(noiseAt(field, 3, 0, 0)).toBeCloseTo(field[3]!, 6);
    expect(noiseAt(field, 3.5, 0, 0)).toBeCloseTo((field[3]! + field[4]!) / 2, 6);
    expect(noiseAt(field, -1, 0, 0)).toBeCloseTo(field[31]!, 6);
  });

  it.each(['soft', 'sharp'] as const)('has a %s grain of mean 0 and deviation 1', (kind) => {
    const tile = grainTile(kind);
    const mean = tile.reduce((sum, value) => sum + value, 0) / tile.length;
    const square = tile.reduce((sum, value) => sum + value * value, 0) / tile.length;
    expect(Math.abs(mean)).toBeLessThan(0.05);
    expect(square).toBeCloseTo(1, 3);
  });
});

describe('isVisible', () => {
  const box = { top: 0, bottom: 9, left: 0, right: 9 };
  const flat = new Float32Array(100);
  const square = (pixels: number, value: number): Float32Array =>
    flat.map((_, i) => (i < pixels ? value : 0));

  // Contrast over noise times the root of the area: at least 10, with contrast at least 1.5 times the noise.
  it.each([
    { pixels: 25, value: 20, seen: true, why: '2 × √25 = 10' },
    { pixels: 16, value: 20, seen: false, why: '2 × √16 = 8' },
    { pixels: 100, value: 14, seen: false, why: 'contrast 1.4 however large' },
    { pixels: 7, value: 400, seen: false, why: 'a speck of 7 pixels' },
    { pixels: 8, value: 40, seen: true, why: '4 × √8 = 11.3' },
    { pixels: 0, value: 0, seen: false, why: 'nothing there' },
  ])('$pixels pixels of $value over noise 10: $seen ($why)', ({ pixels, value, seen }) => {
    expect(isVisible(square(pixels, value), flat, 10, box, 10)).toBe(seen);
    expect(isVisible(square(pixels, -value), flat, 10, box, 10)).toBe(seen);
  });
});

describe('syntheticUid', () => {
  it('is 2.25. and a decimal number, the same for the same labels', () => {
    const uid = syntheticUid(0, 'case-001', 'study');
    expect(uid).toMatch(/^2\.25\.(0|[1-9]\d*)$/);
    expect(uid.length).toBeLessThanOrEqual(44);
    expect(syntheticUid(0, 'case-001', 'study')).toBe(uid);
    expect(syntheticUid(1, 'case-001', 'study')).not.toBe(uid);
  });
});

describe('reportText', () => {
  it('wraps at the width and keeps every word', () => {
    expect(wrap('aa bb cc dd', 5)).toEqual(['aa bb', 'cc dd']);
    expect(wrap('a longerword b', 5)).toEqual(['a', 'longerword', 'b']);
  });

  it('finds a sentence across a line break, as the report has it', () => {
    expect(sentenceInReport('One (a) mass in\nthe lung. Two.', 'One (a) mass in the lung.')).toBe(
      'One (a) mass in\nthe lung.',
    );
    expect(sentenceInReport('One mass.', 'Two masses.')).toBeNull();
  });

  it('has the sections, the name and the numbered impression of each layout', async () => {
    const recipes = await loadRecipes();
    const identity = {
      patientId: 'SYN-1',
      family: 'Phantomsen',
      given: 'Ada',
      birthDate: '19700101',
      sex: 'F' as const,
      age: 51,
      institution: 'X',
      referrer: 'Y',
    };
    const visit = { date: '20210304', time: '080000', accession: 'ACC1' };
    const text = (layout: string): string =>
      reportText(
        { ...recipes.cases[0]!, impression: ['First.', 'Second.'] },
        recipes.reports.layouts[layout]!,
        { exam: 'CT', technique: 'Axial.' },
        identity,
        visit,
      );
    expect(text('sections')).toContain('PATIENT: Phantomsen, Ada   MRN: SYN-1   DATE: 2021-03-04\n');
    expect(text('sections')).toContain('\nIMPRESSION:\n1. First.\n2. Second.\n');
    expect(text('capitals')).toContain('\nIMPRESSION\nFirst. Second.\n');
    expect(text('paragraph')).toContain('\nIMPRESSION: First. Second.\n');
    for (const layout of Object.keys(recipes.reports.layouts)) {
      expect(text(layout)).toContain('FINDINGS');
      expect(text(layout).endsWith('.\n')).toBe(true);
    }
  });
});
