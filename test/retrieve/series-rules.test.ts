import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { IndexRow } from '../../src/domain/index-row.js';
import type { Volume } from '../../src/domain/volume.js';
import { runIndex } from '../../src/extract/index-studies/index.js';
import { checkYaml, readDataText, readDataYaml } from '../../src/adapters/store/index.js';
import { phaseOf, regionsOf } from '../../src/retrieve/series-conditions.js';
import { seriesRulesSchema } from '../../src/retrieve/series-rules-schema.js';
import { judgeSeries, rankVolumes } from '../../src/retrieve/series-rules.js';
import { volumesOf, type CaseVolume } from '../../src/retrieve/volumes.js';
import { testDeps } from '../helpers/deps.js';
import { describeShared, sharedPath } from '../helpers/shared.js';
import { aRow, aVolume } from '../helpers/volumes.js';

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
    ['DTI ColFA', 'parametric-map'],
    ['t1_vibe_fa 15', 'image-modality'],
    ['FA', 'parametric-map'],
    ['rCBF map CBF', 'parametric-map'],
    ['ADC', 'image-modality'],
    ['AX DWI b1000', 'image-modality'],
    ['Subtraction dyn', 'subtraction-name'],
    // Near misses: words that only look alike.
    ['Empire protocol', 'image-modality'],
    ['Diffusion', 'image-modality'],
    ['Infusion phase', 'image-modality'],
    ['CT L-SPINE POST FUSION', 'image-modality'],
    ['Fusion PET CT', 'fused'],
    ['PET/CT fusion', 'fused'],
    ['CT skeletal survey', 'image-modality'],
    ['Subacute stroke CT', 'image-modality'],
    ['C-spine rotation left', 'image-modality'],
    ['CT Perfusion CBV', 'parametric-map'],
    ['gre_field_mapping', 'parametric-map'],
    ['Dosisbericht', 'dose-report'],
    ['Patientenprotokoll', 'dose-report'],
    ['Low dose chest', 'image-modality'],
    ['Übersicht a.p.', 'localizer-name'],
    ['Repérage', 'localizer-name'],
    ['Exam Summary', 'dose-report'],
    ['Curved MPR LAD', 'projection-name'],
    ['Thorax MPR cor', 'image-modality'],
    ['Subtraktion', 'subtraction-name'],
  ])('judge "%s" by %s', (seriesDescription, rule) => {
    expect(judgeSeries(named(seriesDescription), rules).rule).toBe(rule);
  });

  it.each([
    [{ modality: 'MR', seriesDescription: '* SAG LOC' }, 'localizer-name-mr'],
    [{ modality: 'CT', seriesDescription: 'CT head LOC after fall' }, 'image-modality'],
    [{ modality: 'MR', seriesDescription: 'Ax fMRI' }, 'functional'],
    [{ modality: 'MR', seriesDescription: '3DpCASL' }, 'functional'],
    [{ modality: 'MR', seriesDescription: 'Basal ganglia T2' }, 'image-modality'],
    [{ imageType: ['ORIGINAL', 'PRIMARY', 'DIFFUSION', 'MOSAIC'] }, 'mosaic-type'],
    [{ imageType: ['DERIVED', 'SECONDARY', 'REFORMATTED', 'MIP'] }, 'projection-type'],
    [{ imageType: ['DERIVED', 'SECONDARY', 'REFORMATTED', 'AVERAGE'] }, 'image-modality'],
    [{ imageType: ['DERIVED', 'PRIMARY', 'DIFFUSION', 'FA'] }, 'parametric-type'],
    [{ imageType: ['DERIVED', 'PRIMARY', 'DIFFUSION', 'ADC'] }, 'image-modality'],
    [{ imageType: ['DERIVED', 'SECONDARY', '', 'DOSEINFO'] }, 'screen-type'],
    [{ samplesPerPixel: 3 }, 'colour'],
    [{ sopClassUid: '1.2.840.10008.5.1.4.1.1.7.4' }, 'secondary-capture'],
    [{ sopClassUid: '1.2.840.10008.5.1.4.1.1.77.1.4' }, 'image-modality'],
  ] as const)('judge %o by %s', (more, rule) => {
    expect(judgeSeries(aVolume(20, more as Partial<IndexRow>), rules).rule).toBe(rule);
  });

  it('leave a single slice and a handful out, each with its reason', () => {
    expect([1, 2, 6, 7].map((slices) => judgeSeries(aVolume(slices), rules).rule)).toEqual([
      'single-slice',
      'few-slices',
      'few-slices',
      'image-modality',
    ]);
  });

  it('leave the second of two equal reformats out, and no original', () => {
    const stack = (series: number, more: Partial<IndexRow> = {}): IndexRow[] =>
      Array.from({ length: 8 }, (_, position) =>
        aRow(position, {
          seriesInstanceUid: `1.2.${series}`,
          sopInstanceUid: `1.2.${series}.${position}`,
          seriesNumber: series,
          volumeId: `vol-${series}`,
          imageType: ['DERIVED', 'SECONDARY', 'REFORMATTED'],
          ...more,
        }),
      );
    const judged = (...rows: IndexRow[][]) =>
      volumesOf(rows.flat().reverse()).map((volume) => judgeSeries(volume, rules).rule);
    expect(judged(stack(1), stack(2))).toEqual(['image-modality', 'repeated-reformat']);
    expect(judged(stack(1), stack(2, { sliceThicknessMm: 3 }))).toEqual(['image-modality', 'image-modality']);
    expect(judged(stack(1), stack(2, { caseId: 'case-2' }))).toEqual(['image-modality', 'image-modality']);
    // Two phases of one protocol look alike in all but what was given, or are originals.
    expect(judged(stack(1), stack(2, { contrastBolusAgent: 'given' }))).toEqual([
      'image-modality',
      'image-modality',
    ]);
    const original = { imageType: ['ORIGINAL', 'PRIMARY', 'AXIAL'] };
    expect(judged(stack(1, original), stack(2, original))).toEqual(['image-modality', 'image-modality']);
  });

  it('leave a stack out whose different slices have one SOP Instance UID: it names none of them', () => {
    const stack = (uidOf: (position: number) => string): IndexRow[] =>
      Array.from({ length: 20 }, (_, position) => aRow(position, { sopInstanceUid: uidOf(position) }));
    const judged = (rows: IndexRow[]) => volumesOf(rows).map((volume) => judgeSeries(volume, rules).rule);
    expect(judged(stack((i) => `1.2.${i}`))).toEqual(['image-modality']);
    expect(judged(stack((i) => `1.2.${i >> 1}`))).toEqual(['shared-uid']);
  });

  it('keep what is known about the slices beside the verdict', () => {
    const volume = aVolume(20);
    const measured = { spacingMm: 5, warnings: ['missing-slices'] } as unknown as Volume;
    expect(judgeSeries(volume, rules, measured)).toMatchObject({
      taken: true,
      spacingMm: 5,
      warnings: ['missing-slices'],
    });
    expect(judgeSeries(volume, rules)).not.toHaveProperty('warnings');
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
    [{ protocolName: '5CC/SEC INJECTION RATE' }, []],
    [{ seriesDescription: 'Femoral neck' }, ['limb']],
    [{ seriesDescription: 'BWS sag' }, ['spine']],
    [{ seriesDescription: 'Fuß links' }, ['limb']],
    [{ seriesDescription: 'Tête sans injection' }, ['head']],
    [{ seriesDescription: 'TAP' }, ['chest', 'abdomen', 'pelvis']],
    [{ seriesDescription: 'PET skull base to mid-thigh' }, ['head', 'whole-body']],
    [{ bodyPartExamined: ' chest ' }, ['chest']],
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
    ['* T1 AXIAL PRE GAD', 'non-contrast'],
    ['Abdomen ohne KM', 'non-contrast'],
    ['Abdomen mit KM', 'contrast'],
    ['Leber portalvenös', 'portal'],
    ['Spätphase', 'delayed'],
    ['Temps artériel', 'arterial'],
    ['Temps portal', 'portal'],
    ['Temps tardif', 'delayed'],
    ['Foie sans injection', 'non-contrast'],
    ['Crâne avec injection', 'contrast'],
    ['T1 +C', 'contrast'],
    ['Port-a-cath check', null],
    ['Party hat artefact', null],
    ['Native kidney', 'non-contrast'],
  ])('read the phase of "%s"', (seriesDescription, phase) => {
    expect(phaseOf(named(seriesDescription), rules)).toBe(phase);
  });

  it.each([
    { agent: 'OMNIPAQUE 350', description: 'Abdomen 5mm', phase: 'contrast' },
    { agent: 'OMNIPAQUE 350', description: 'Abdomen nativ', phase: 'non-contrast' },
    { agent: 'None', description: 'Abdomen 5mm', phase: null },
    { agent: 'N/A', description: 'Abdomen 5mm', phase: null },
    { agent: 'NON IONIC', description: 'Abdomen 5mm', phase: 'contrast' },
    { agent: null, description: 'Abdomen 5mm', phase: null },
  ])('take "$description" with agent $agent for $phase', ({ agent, description, phase }) => {
    expect(phaseOf(named(description, { contrastBolusAgent: agent }), rules)).toBe(phase);
  });

  it('know kernels by the names of several makers', () => {
    const because = (kernel: string, concept: string) => {
      const volume = { ...aVolume(24, { seriesDescription: 'Thorax', convolutionKernel: kernel }) };
      return rankVolumes([volume], { concept, region: null }, rules).ranked[0]!.because;
    };
    for (const kernel of ['B70f', 'Bl57', 'LUNG', 'FC51'])
      expect([kernel, because(kernel, 'nodule')]).toEqual([
        kernel,
        expect.arrayContaining(['lung-kernel-for-lung']),
      ]);
    for (const kernel of ['B40f', 'Br40', 'STANDARD', 'FC08']) {
      expect([kernel, because(kernel, 'mass')]).toEqual([kernel, expect.arrayContaining(['soft-kernel'])]);
      expect(because(kernel, 'nodule')).not.toContain('lung-kernel-for-lung');
    }
    expect(because('B70f', 'mass')).not.toContain('soft-kernel');
    expect(because('BONEPLUS', 'fracture')).toContain('bone-kernel-for-bone');
  });

  it('name concepts that reports can hold', async () => {
    const lexicon = await readDataYaml(
      'lexicons/concepts.yaml',
      z.looseObject({ concepts: z.array(z.looseObject({ id: z.string() })) }),
    );
    const known = new Set(lexicon.concepts.map(({ id }) => id));
    const used = rules.preferences.flatMap(({ concepts, conceptsNot }) => [
      ...(concepts ?? []),
      ...(conceptsNot ?? []),
    ]);
    expect(used.filter((concept) => !known.has(concept))).toEqual([]);
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
    // A PET shows more than its BodyPartExamined says.
    const pet = named('PET AC', { modality: 'PT', bodyPartExamined: 'EXTREMITY' });
    expect(rankVolumes([pet], { concept: 'uptake', region: 'chest' }, rules).left).toEqual([]);
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

  it.each([
    {
      why: 'a phase that nobody defined',
      from: 'phases: [portal]',
      to: 'phases: [potral]',
      message: /key preferences\.\d+\.phases\.0: no phase is called potral .*portal.*found "potral"/,
    },
    {
      why: 'an unknown condition',
      from: 'slicesBelow: 2',
      to: 'slicesBellow: 2',
      message: /f\.yaml, key rules\.\d+\.when: unknown key slicesBellow\. Did you mean slicesBelow\?/,
    },
    {
      why: 'an unknown key of a preference',
      from: 'otherRegion: true',
      to: 'otherRegon: true',
      message: /key preferences\.\d+: unknown key otherRegon\. Did you mean otherRegion\?/,
    },
    {
      why: 'a value of the wrong kind',
      from: 'slicesBelow: 7',
      to: 'slicesBelow: few',
      message: /key rules\.\d+\.when\.slicesBelow: .*found "few"/,
    },
    {
      why: 'a broken regular expression',
      from: "'flair'",
      to: "'(flair'",
      message: /regular expression; found/,
    },
    {
      why: 'a region that nobody defined',
      from: 'anyRegion: [spine,',
      to: 'anyRegion: [spien,',
      message: /key anyRegion\.0: no region is called spien/,
    },
    {
      why: 'an id given twice',
      from: 'id: few-slices',
      to: 'id: single-slice',
      message: /single-slice is there twice/,
    },
    {
      why: 'a plane that there is not',
      from: 'planes: [axial]',
      to: 'planes: [axal]',
      message: /key preferences\.\d+\.planes\.0: /,
    },
  ])('refuse $why when they are loaded', async ({ from, to, message }) => {
    const text = await readDataText('series-rules.yaml');
    expect(text).toContain(from);
    expect(() => checkYaml(text.replace(from, to), seriesRulesSchema, 'f.yaml')).toThrow(message);
  });
});

describeShared('The series rules on the shared studies', 'dicom', () => {
  it('judge each series of the named cases as its description asks', async () => {
    const root = sharedPath('dicom', 'cases');
    const { rows } = await runIndex({ sources: [{ caseId: 'c', root, shownRoot: '' }] }, testDeps());
    const judged = new Map<string, string>();
    for (const volume of volumesOf(rows)) {
      const { rule, seriesDescription } = judgeSeries(volume, rules);
      if (seriesDescription !== null) judged.set(seriesDescription, rule);
    }
    expect(Object.fromEntries(judged)).toMatchObject({
      'CT CH/AB/PEL': 'image-modality',
      'ThoraxRoutine  8.0.0  B70f': 'image-modality',
      'ThoraxRoutine  8.0.0  B40f': 'few-slices',
      'STD BRAIN 5MM': 'image-modality',
      'Exam Summary': 'secondary-capture',
      Scout: 'localizer-type',
      'FAST LOCALIZER': 'localizer-name',
      'T/S/C RF FAST PILOT': 'localizer-name-mr',
      'ANGIO Projected from   C': 'projection-type',
      'CHEST CORONAL': 'single-slice',
      '3-Plane Localizer': 'localizer-name',
      '* SAG LOC': 'localizer-name-mr',
      '* FLAIR AXIAL': 'image-modality',
      '* T1 AXIAL PRE GAD': 'image-modality',
      'Metabolite Maps': 'parametric-type',
      'Ax fMRI': 'functional',
      '3DpCASL': 'functional',
      ax_asc_35sl: 'mosaic',
      DWI_dir80_PA_ADC: 'image-modality',
      DWI_dir80_PA_TRACEW: 'image-modality',
      DWI_dir80_PA_ColFA: 'parametric-type',
      gre_field_mapping: 'parametric-map',
      'PET AC': 'image-modality',
      'AXIAL SE T2 FAT SAT - RESEARCH': 'image-modality',
    });
  });
});
