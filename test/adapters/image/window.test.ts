import { describe, expect, it } from 'vitest';
import { percentileWindow, pickWindow, windowRulesSchema } from '../../../src/adapters/image/window.js';
import { distributionOf, NO_TRANSFORM } from '../../../src/adapters/dicom/index.js';
import { readDataYaml } from '../../../src/adapters/store/index.js';

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
