import { describe, expect, it } from 'vitest';
import { percentileWindow, pickWindow, windowRulesSchema } from '../../../src/adapters/image/window.js';
import { distributionOf, NO_TRANSFORM } from '../../../src/adapters/dicom/index.js';
import { checkYaml, readDataYaml } from '../../../src/adapters/store/index.js';

const of = (samples: Float32Array) => distributionOf([{ samples, modality: NO_TRANSFORM, padding: null }]);

const rules = await readDataYaml('windows.yaml', windowRulesSchema);

describe('the display window', () => {
  it.each([
    { modality: 'CT', region: 'head', concept: 'mass', window: { center: 40, width: 100 } },
    { modality: 'CT', region: 'head', concept: 'sinus-opacification', window: { center: 40, width: 700 } },
    { modality: 'CT', region: 'chest', concept: 'nodule', window: { center: -500, width: 1500 } },
    { modality: 'CT', region: 'chest', concept: 'effusion', window: { center: 40, width: 400 } },
    { modality: 'CT', region: 'abdomen', concept: null, window: { center: 50, width: 400 } },
    { modality: 'CT', region: null, concept: null, window: { center: 40, width: 400 } },
    { modality: 'MR', region: 'head', concept: null, window: { percentiles: [0.5, 99.7] } },
    { modality: null, region: null, concept: null, window: { percentiles: [0.5, 99.5] } },
  ])('of $modality $region for $concept', ({ modality, region, concept, window }) => {
    expect(pickWindow(rules, { modality, region, concept, description: 'CHEST B40f' })).toEqual(window);
  });

  it('of a lung kernel shows the lungs on a contact sheet', () => {
    const chest = { modality: 'CT', region: 'chest', concept: null };
    expect(pickWindow(rules, { ...chest, description: 'Thorax 8.0 B70f' })).toEqual({
      center: -500,
      width: 1500,
    });
    expect(pickWindow(rules, { ...chest, description: 'Thorax 8.0 B40f' })).toEqual({
      center: 40,
      width: 400,
    });
  });

  it('by percentiles leaves the background out', () => {
    // 900 background zeros and 100 values 1 … 100 (times 10): the 50th percentile of what is above 2 % of the range.
    const values = new Float32Array(1000);
    for (let i = 0; i < 100; i++) values[900 + i] = (i + 1) * 10;
    const { center, width } = percentileWindow(of(values), [0, 50]);
    expect(center - width / 2).toBeLessThanOrEqual(20);
    expect(center + width / 2).toBeGreaterThan(480);
    expect(center + width / 2).toBeLessThan(530);
  });

  it('of a flat image is one unit wide', () => {
    expect(percentileWindow(of(new Float32Array(10).fill(7)), [1, 99])).toMatchObject({ width: 1 });
  });
});

describe('data/windows.yaml', () => {
  const check = (text: string) => checkYaml(text, windowRulesSchema, 'windows.yaml');
  const RULES = 'rules: [{ id: any, percentiles: [1, 99] }]\n';

  it.each([
    ['rules: [{ id: any, percentile: [1, 99] }]\npresets: []', 'percentile'],
    [`${RULES}presets: [{ name: lung, modality: CT, center: 1, width: 2, centre: 1 }]`, 'centre'],
    [`${RULES}preset: []`, 'preset'],
  ])('with an unknown key is refused by its name: %s', (text, key) => {
    expect(() => check(text)).toThrow(key);
  });

  it.each([
    ['rules: [{ id: any }]\npresets: []', 'rules.0: a rule has either center and width, or percentiles'],
    ['rules: [{ id: any, center: 4 }]\npresets: []', 'a rule has either'],
    ['rules: [{ id: any, center: 4, width: 0 }]\npresets: []', 'rules.0.width'],
    ['rules: [{ id: any, percentiles: [9, 1] }]\npresets: []', 'not below the second'],
    ['rules: [{ id: any, percentiles: [1, 101] }]\npresets: []', 'rules.0.percentiles.1'],
    [`${RULES}presets: [{ name: Lung Wide, modality: CT, center: 1, width: 2 }]`, 'presets.0.name'],
    [RULES, 'presets'],
  ])('that is wrong names the place: %s', (text, says) => {
    expect(() => check(text)).toThrow(says);
  });

  it('has no preset that another one hides', () => {
    const seen = new Set<string>();
    for (const { name, modality, bodyParts } of rules.presets) {
      expect(seen.has(`${modality} ${name}`)).toBe(false);
      if (!bodyParts) seen.add(`${modality} ${name}`);
    }
  });
});
