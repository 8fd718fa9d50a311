import { describe, expect, it } from 'vitest';
import { checkYaml, readDataText, readDataYaml } from '../../src/adapters/store/index.js';
import { judgeSeries, rankVolumes, seriesRulesSchema } from '../../src/retrieve/series-rules.js';
import { aVolume } from '../helpers/volumes.js';

const rules = await readDataYaml('series-rules.yaml', seriesRulesSchema);

describe('the series rules', () => {
  it.each([
    { why: 'a diagnostic stack is taken', volume: aVolume(20), rule: 'image-modality', taken: true },
    {
      why: 'a low-dose CT is a diagnostic stack',
      volume: aVolume(20, { seriesDescription: 'LOW DOSE CT AC' }),
      rule: 'image-modality',
      taken: true,
    },
    {
      why: 'a localizer by image type',
      volume: aVolume(20, { imageType: ['ORIGINAL', 'PRIMARY', 'LOCALIZER'] }),
      rule: 'localizer-type',
      taken: false,
    },
    {
      why: 'a localizer by name',
      volume: aVolume(20, { seriesDescription: 'Topogram 0.6' }),
      rule: 'localizer-name',
      taken: false,
    },
    { why: 'a short reformat', volume: aVolume(5), rule: 'few-slices', taken: false },
    {
      why: 'a dose page',
      volume: aVolume(9, { seriesDescription: 'Dose Report' }),
      rule: 'dose-report',
      taken: false,
    },
    {
      why: 'bolus tracking',
      volume: aVolume(30, { seriesDescription: 'SmartPrep' }),
      rule: 'monitoring',
      taken: false,
    },
    {
      why: 'a secondary capture',
      volume: aVolume(9, { sopClassUid: '1.2.840.10008.5.1.4.1.1.7' }),
      rule: 'secondary-capture',
      taken: false,
    },
    {
      why: 'a structured report',
      volume: aVolume(9, { modality: 'SR' }),
      rule: 'no-image-modality',
      taken: false,
    },
    { why: 'an ultrasound', volume: aVolume(9, { modality: 'US' }), rule: 'other', taken: false },
  ])('$why', ({ volume, rule, taken }) => {
    const record = judgeSeries(volume, rules);
    expect([record.rule, record.taken]).toEqual([rule, taken]);
    expect(record.reason).not.toBe('');
  });

  it('look for uptake on PET alone and for structure on CT before PET', () => {
    const ct = aVolume(20);
    const pet = aVolume(20, { modality: 'PT', seriesInstanceUid: '1.2.3.9', volumeId: 'vol-9' });
    expect(rankVolumes([ct, pet], 'uptake', rules)).toEqual([pet]);
    expect(rankVolumes([pet, ct], 'nodule', rules)).toEqual([ct]);
  });

  it('look for white-matter lesions on FLAIR first', () => {
    const named = (seriesDescription: string, n: number) =>
      aVolume(24, {
        modality: 'MR',
        seriesDescription,
        seriesInstanceUid: `1.2.3.${n}`,
        volumeId: `vol-${n}`,
      });
    const ranked = rankVolumes(
      [named('AX T1', 4), named('AX T2', 5), named('AX FLAIR', 6)],
      'white-matter-lesion',
      rules,
    );
    expect(ranked[0]!.seriesDescription).toBe('AX FLAIR');
  });

  it('refuse an unknown key and a broken regular expression when they are loaded', async () => {
    const text = await readDataText('series-rules.yaml');
    expect(() =>
      checkYaml(text.replace(/descriptionMatches:/g, 'descriptionLike:'), seriesRulesSchema, 'f.yaml'),
    ).toThrow(/f\.yaml, key rules\.\d+\.when/);
    expect(() => checkYaml(text.replace("'flair'", "'(flair'"), seriesRulesSchema, 'f.yaml')).toThrow(
      /regular expression/,
    );
  });
});
