import { describe, expect, it } from 'vitest';
import { checkNames, loadRecipes, type Recipes } from '../../src/demo/recipe.js';

const recipes = await loadRecipes();

describe('the phantom recipes', () => {
  it('have 18 cases of 17 patients: 4 of each single study type and 2 PET/CT, one patient twice', () => {
    const count = (study: string): number => recipes.cases.filter((one) => one.study === study).length;
    expect(recipes.cases).toHaveLength(18);
    expect(new Set(recipes.cases.map((one) => one.patient)).size).toBe(17);
    expect(['ct-head', 'ct-chest', 'ct-abdomen', 'mr-brain', 'pet-ct'].map(count)).toEqual([4, 4, 4, 4, 2]);
  });

  it('plant at least 50 findings that can be asked about, 3 or more a case', () => {
    const planted = recipes.cases.map((one) => one.lines.filter((line) => line.kind === 'finding').length);
    expect(planted.reduce((sum, n) => sum + n, 0)).toBeGreaterThanOrEqual(50);
    expect(Math.min(...planted)).toBeGreaterThanOrEqual(3);
  });

  it('set traps in every case: a negated, a measured, and an uncertain or prior sentence', () => {
    for (const one of recipes.cases) {
      const kinds = one.lines.map((line) => line.kind);
      expect(kinds).toContain('negated');
      expect(kinds).toContain('measured');
      expect(kinds.includes('uncertain') || kinds.includes('prior')).toBe(true);
    }
  });

  it('plant nothing taller than 7 slices of the main stack', () => {
    for (const one of recipes.cases) {
      const stack = recipes.studies[one.study]!.series.find((series) => !series.localizer)!.stacks[0]!;
      for (const line of one.lines) {
        if (line.plant && line.plant.form !== 'fill')
          expect(2 * line.plant.radiiMm[2]).toBeLessThanOrEqual(7 * stack.spacing);
      }
    }
  });
});

describe('checkNames', () => {
  const withCase = (change: (one: Recipes['cases'][number]) => Recipes['cases'][number]): Recipes => ({
    ...recipes,
    cases: [change(recipes.cases[0]!)],
  });

  it('takes the recipes as they are', () => {
    expect(() => checkNames(recipes)).not.toThrow();
  });

  it.each([
    { what: 'an unknown study', change: { study: 'ct-foot' }, message: /0\.study: study ct-foot/ },
    { what: 'an unknown layout', change: { layout: 'poem' }, message: /0\.layout: layout poem/ },
  ])('names file and key of $what', ({ change, message }) => {
    expect(() => checkNames(withCase((one) => ({ ...one, ...change })))).toThrow(message);
  });

  it('refuses a finding at a site that the anatomy lacks', () => {
    const broken = withCase((one) => ({
      ...one,
      lines: one.lines.map((line) =>
        line.plant ? { ...line, plant: { ...line.plant, site: 'left-knee' } } : line,
      ),
    }));
    expect(() => checkNames(broken)).toThrow(/cases\.yaml, key 0\.lines\.0: site left-knee/);
  });

  it('refuses two findings of one case with the same concept and side', () => {
    const twice = withCase((one) => ({ ...one, lines: [...one.lines, one.lines[0]!] }));
    expect(() => checkNames(twice)).toThrow(/same concept and side/);
  });
});
