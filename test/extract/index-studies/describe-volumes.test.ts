import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { volumeSchema } from '../../../src/domain/volume.js';
import {
  assignVolumes,
  describeVolumes,
  runIndex,
  type CaseHeaderRow,
} from '../../../src/extract/index-studies/index.js';
import { testDeps } from '../../helpers/deps.js';
import { headerRow } from '../../helpers/header-row.js';
import { describeShared, sharedPath } from '../../helpers/shared.js';

const at = (z: number, more: Partial<CaseHeaderRow> = {}): CaseHeaderRow =>
  headerRow({
    sopInstanceUid: `1.3.${z}`,
    path: `${z}.dcm`,
    instanceNumber: z,
    imagePositionPatient: [0, 0, z],
    ...more,
  });

const describeOne = (headers: readonly CaseHeaderRow[]) => describeVolumes(assignVolumes(headers))[0]!;

describe('A stack described', () => {
  it('has the median step, no gap and no warning when every step is the same', () => {
    expect(describeOne([0, 5, 10, 15].map((z) => at(z)))).toMatchObject({
      plane: 'axial',
      slices: 4,
      spacingMm: 5,
      minStepMm: 5,
      maxStepMm: 5,
      uniform: true,
      gaps: [],
      shearDegrees: 0,
      orderedBy: 'position',
      warnings: [],
    });
  });

  it('names the gap where slices are missing', () => {
    // Steps 5, 5, 15, 5, 5: two slices are missing after the third.
    expect(describeOne([0, 5, 10, 25, 30, 35].map((z) => at(z)))).toMatchObject({
      spacingMm: 5,
      maxStepMm: 15,
      uniform: false,
      gaps: [{ afterPosition: 2, steps: 3 }],
      warnings: ['missing-slices'],
    });
  });

  it('calls steps that vary irregular, not missing', () => {
    expect(describeOne([0, 2, 5, 6, 10, 11].map((z) => at(z))).warnings).toEqual(['irregular-spacing']);
  });

  it('measures the lean of a tilted gantry, and whether the header agrees', () => {
    // The table moves 10 mm straight while the slices lean by 30 degrees: shear 30, step 10 · cos 30 = 8.6603.
    const iop = [1, 0, 0, 0, Math.cos(Math.PI / 6), -Math.sin(Math.PI / 6)];
    const tilted = (tilt: number): CaseHeaderRow[] =>
      [0, 10, 20].map((z) => at(z, { imageOrientationPatient: iop, gantryDetectorTiltDegrees: tilt }));
    expect(describeOne(tilted(-30))).toMatchObject({
      spacingMm: 8.6603,
      shearDegrees: 30,
      gantryTiltDegrees: -30,
      warnings: ['sheared'],
    });
    expect(describeOne(tilted(12)).warnings).toEqual(['sheared', 'tilt-disagrees']);
  });

  it('says what tells stacks of one place apart, and when nothing does', () => {
    const echoes = [1, 2].flatMap((echo) =>
      [0, 5].map((z) => at(z, { echoNumber: echo, sopInstanceUid: `1.3.${echo}.${z}` })),
    );
    expect(
      describeVolumes(assignVolumes(echoes))
        .map(({ splitBy }) => splitBy)
        .sort(),
    ).toEqual([['echo=1'], ['echo=2']]);
    const twice = [0, 0, 5, 5].map((z, i) => at(z, { sopInstanceUid: `1.3.${i}`, instanceNumber: i }));
    for (const { warnings } of describeVolumes(assignVolumes(twice)))
      expect(warnings).toEqual(['repeated-places']);
  });

  it('names what stands for the geometry where there is none', () => {
    const without = (z: number, more: Partial<CaseHeaderRow>): CaseHeaderRow =>
      at(z, { imagePositionPatient: null, ...more });
    const byNumber = [3, 1, 2].map((n) => without(n, {}));
    expect(describeOne(byNumber)).toMatchObject({ orderedBy: 'instance-number', warnings: ['no-geometry'] });
    const byLocation = [9, -4, 2].map((n) => without(n, { instanceNumber: 1, sliceLocation: n }));
    expect(assignVolumes(byLocation).map(({ position }) => position)).toEqual([2, 0, 1]);
    expect(describeOne(byLocation).orderedBy).toBe('slice-location');
    const byUid = [7, 5].map((n) => without(n, { instanceNumber: null }));
    expect(assignVolumes(byUid).map(({ position }) => position)).toEqual([1, 0]);
    expect(describeOne(byUid).warnings).toEqual(['no-geometry', 'ambiguous-order']);
    const frames = [1, 0].map((frame) => without(1, { frame, numberOfFrames: 2, sopInstanceUid: '1.3' }));
    expect(describeOne(frames)).toMatchObject({ orderedBy: 'frame-number', slices: 2 });
  });

  it('counts files that repeat a slice, and marks the stack of copies', () => {
    const copies = [at(0), at(5), at(5, { path: 'copy.dcm' })];
    const [stack, other] = describeVolumes(assignVolumes(copies)).sort((a, b) => b.slices - a.slices);
    expect(stack).toMatchObject({ slices: 2, duplicates: 1, warnings: [] });
    expect(other).toMatchObject({ slices: 1, warnings: ['copies'] });
  });

  it('does not depend on the order of the files', () => {
    const rows = [0, 5, 10, 25].map((z) => at(z));
    const described = (of: readonly CaseHeaderRow[]) =>
      describeVolumes(assignVolumes(of.map((row) => ({ ...row }))));
    expect(described([...rows].reverse())).toEqual(described(rows));
  });
});

interface Group {
  order: string[];
  shearDegrees?: number;
  step?: { min: number; median: number; max: number; uniform: boolean; largerStepAfterIndex?: number[] };
}

describeShared('The stacks of the shared DICOM set against TRUTH.json', 'dicom', () => {
  it('gives steps, gaps and shear as pydicom and numpy computed them', async () => {
    const truth = JSON.parse(readFileSync(sharedPath('dicom', 'TRUTH.json'), 'utf8')) as {
      series: Record<string, Record<string, { groups?: Group[] }>>;
    };
    const sources = [{ caseId: null, root: sharedPath('dicom'), shownRoot: '' }];
    const { rows } = await runIndex({ sources }, testDeps());
    const volumes = describeVolumes(rows);
    for (const volume of volumes) volumeSchema.parse(volume);
    const wrong: string[] = [];
    let compared = 0;
    for (const [folder, series] of Object.entries(truth.series)) {
      for (const [uid, { groups = [] }] of Object.entries(series)) {
        for (const { order, step, shearDegrees } of groups) {
          const own = rows.filter(
            (row) => row.path.startsWith(`${folder}/`) && row.seriesInstanceUid === uid,
          );
          const ids = new Set(
            own.filter((row) => order.includes(row.sopInstanceUid!)).map((row) => row.volumeId),
          );
          const [volume] = volumes.filter(({ volumeId }) => ids.has(volumeId));
          // Groups of TRUTH are by orientation alone; where we see several stacks in one, steps differ by right.
          if (ids.size !== 1 || !volume || volume.slices !== order.length || !step) continue;
          compared++;
          const where = `${folder} ${uid}`;
          const near = (a: number | null, b: number, by: number): boolean =>
            a !== null && Math.abs(a - b) <= by;
          if (!near(volume.spacingMm, step.median, 0.002))
            wrong.push(`${where} median ${volume.spacingMm} ${step.median}`);
          if (!near(volume.minStepMm, step.min, 0.002))
            wrong.push(`${where} min ${volume.minStepMm} ${step.min}`);
          if (!near(volume.maxStepMm, step.max, 0.002))
            wrong.push(`${where} max ${volume.maxStepMm} ${step.max}`);
          const gaps = volume.gaps.map(({ afterPosition }) => afterPosition);
          if (JSON.stringify(gaps) !== JSON.stringify(step.largerStepAfterIndex ?? []))
            wrong.push(`${where} gaps ${gaps.join()} ${step.largerStepAfterIndex?.join()}`);
          if (shearDegrees !== undefined && !near(volume.shearDegrees, shearDegrees, 0.06))
            wrong.push(`${where} shear ${volume.shearDegrees} ${shearDegrees}`);
        }
      }
    }
    expect(wrong).toEqual([]);
    process.stdout.write(`${compared} stacks compared with TRUTH.json: steps, gaps, shear\n`);
    expect(compared).toBeGreaterThan(20);
  });
});
