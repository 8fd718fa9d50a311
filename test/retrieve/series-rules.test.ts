import { describe, expect, it } from 'vitest';
import { checkYaml, readDataText, readDataYaml } from '../../src/adapters/store/index.js';
import {
  judgeSeries,
  phaseOf,
  rankVolumes,
  regionsOf,
  seriesRulesSchema,
} from '../../src/retrieve/series-rules.js';
import type { CaseVolume } from '../../src/retrieve/volumes.js';
import { aVolume } from '../helpers/volumes.js';

const rules = await readDataYaml('series-rules.yaml', seriesRulesSchema);

/** Stacks in the order in which a finding is looked for in them. */
function ranked(volumes: readonly CaseVolume[], concept: string, region: string | null = null): CaseVolume[] {
  return rankVolumes(volumes, { concept, region }, rules).ranked.map(({ volume }) => volume);
}

const named = (seriesDescription: string, more: Partial<CaseVolume> = {}): CaseVolume => ({
  ...aVolume(24, { seriesDescription }),
  volumeId: `vol ${seriesDescription}`,
  ...more,
});

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
    expect(ranked([ct, pet], 'uptake')).toEqual([pet]);
    expect(ranked([pet, ct], 'nodule')).toEqual([ct]);
  });

  it('look for white-matter lesions on FLAIR first', () => {
    const named = (seriesDescription: string, n: number) =>
      aVolume(24, {
        modality: 'MR',
        seriesDescription,
        seriesInstanceUid: `1.2.3.${n}`,
        volumeId: `vol-${n}`,
      });
    const [first] = ranked(
      [named('AX T1', 4), named('AX T2', 5), named('AX FLAIR', 6)],
      'white-matter-lesion',
    );
    expect(first!.seriesDescription).toBe('AX FLAIR');
  });

  it.each([
    ['Thin MIP Coronal', 'projection-name'],
    ['3D VRT', 'projection-name'],
    ['PET CT Fused', 'fused'],
    ['DTI ColFA', 'image-modality'],
    ['FA', 'parametric-map'],
    ['rCBF map CBF', 'parametric-map'],
    ['ADC', 'image-modality'],
    ['AX DWI b1000', 'image-modality'],
    ['Subtraction dyn', 'subtraction-name'],
    // Near misses: words that only look alike.
    ['Empire protocol', 'image-modality'],
    ['Diffusion', 'image-modality'],
    ['Infusion phase', 'image-modality'],
  ])('judge "%s" by %s', (seriesDescription, rule) => {
    expect(judgeSeries(named(seriesDescription), rules).rule).toBe(rule);
  });

  it('leave mosaics out, by name of the reason', () => {
    const record = judgeSeries(named('ep2d_bold', { isMosaic: true }), rules);
    expect([record.taken, record.rule]).toEqual([false, 'mosaic']);
  });

  it.each([
    [{ bodyPartExamined: 'CHEST' }, ['chest']],
    [{ seriesDescription: 'CT CH/AB/PEL' }, ['chest', 'abdomen', 'pelvis']],
    [{ seriesDescription: 'Schädel nativ' }, ['head']],
    [{ protocolName: 'Knee routine' }, ['limb']],
    [{ anatomicRegion: 'Brain' }, ['head']],
    [{ seriesDescription: 'AX 2.5mm' }, []],
    [{ seriesDescription: 'Chestnut' }, []],
  ])('read the body part of %o', (more, expected) => {
    const none = { seriesDescription: null, bodyPartExamined: null, protocolName: null };
    expect(regionsOf(named('', { ...none, ...more }), rules)).toEqual(expected);
  });

  it.each([
    ['Abdomen nativ', 'non-contrast'],
    ['CT Head without contrast', 'non-contrast'],
    ['Leber arteriell', 'arterial'],
    ['Liver arterial', 'arterial'],
    ['Abd portal venous', 'portal'],
    ['delayed 5 min', 'delayed'],
    ['T1 post-contrast', 'contrast'],
    ['AX T2', null],
  ])('read the phase of "%s"', (seriesDescription, phase) => {
    expect(phaseOf(named(seriesDescription), rules)).toBe(phase);
  });

  it('leave a series of another body part out for a finding, and say why', () => {
    const knee = named('Knee PD', { bodyPartExamined: 'KNEE' });
    const chest = named('Chest', { bodyPartExamined: 'CHEST' });
    const unknown = named('AX 5mm', { bodyPartExamined: null });
    const { ranked: kept, left } = rankVolumes(
      [knee, chest, unknown],
      { concept: 'nodule', region: 'chest' },
      rules,
    );
    expect(kept.map(({ volume }) => volume)).toEqual([chest, unknown]);
    expect(left).toMatchObject([{ volume: knee, because: ['other-body-part'] }]);
    // A finding of the spine can be seen on any of them.
    expect(rankVolumes([knee, chest], { concept: 'fracture', region: 'spine' }, rules).left).toEqual([]);
  });

  it('look for stones without contrast, for vessels in the arterial phase, for organs in the portal one', () => {
    const series = [named('Abd nativ'), named('Abd arterial'), named('Abd portal')];
    const first = (concept: string): string => ranked(series, concept, 'abdomen')[0]!.seriesDescription!;
    expect(first('stone')).toBe('Abd nativ');
    expect(first('aneurysm')).toBe('Abd arterial');
    expect(first('low-attenuation')).toBe('Abd portal');
  });

  it('look for nodules on thin slices first', () => {
    const thick = named('Chest 5', { sliceThicknessMm: 5 });
    const thin = named('Chest 1', { sliceThicknessMm: 1 });
    expect(ranked([thick, thin], 'nodule', 'chest')[0]).toBe(thin);
    const { ranked: all } = rankVolumes([thin], { concept: 'nodule', region: 'chest' }, rules);
    expect(all[0]!.because).toContain('thin-for-small');
  });

  it('refuse a phase that nobody defined', async () => {
    const text = await readDataText('series-rules.yaml');
    expect(() =>
      checkYaml(text.replace('phases: [portal]', 'phases: [potral]'), seriesRulesSchema, 'f.yaml'),
    ).toThrow('no phase is called potral');
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
