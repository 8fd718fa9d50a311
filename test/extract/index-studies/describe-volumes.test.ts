import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { measureStack } from '../../../src/domain/geometry-stack.js';
import { projection, sliceNormal, type Plane } from '../../../src/domain/geometry.js';
import type { IndexRow } from '../../../src/domain/index-row.js';
import { volumeSchema, type Volume } from '../../../src/domain/volume.js';
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
  normal: [number, number, number];
  positions: number[];
  shearDegrees?: number;
  step?: { min: number; median: number; max: number; uniform: boolean; largerStepAfterIndex?: number[] };
}

/** Series whose own names say the plane. */
const NAMED_PLANES: Readonly<Record<string, Plane>> = {
  'CHEST CORONAL': 'coronal',
  '1 25 MM CORONAL': 'coronal',
  'CHEST SAGITTAL': 'sagittal',
  '1 25 MM SAGITAL': 'sagittal',
  t1_fl2d_sag: 'sagittal',
  'AXIAL SE T2 FAT SAT - RESEARCH': 'axial',
  'ADNI_Sag3D MPRAGE': 'sagittal',
  'FSE PD AXIAL OBL': 'axial',
  'Ax fMRI': 'axial',
  ax_asc_35sl: 'axial',
  cor_int_36sl: 'coronal',
  sag_desc_35sl: 'sagittal',
};

describeShared('The stacks of the shared DICOM set against TRUTH.json', 'dicom', () => {
  let rows: Awaited<ReturnType<typeof runIndex>>['rows'];
  let volumes: Volume[];
  const groups: (Group & { where: string; rows: typeof rows })[] = [];

  beforeAll(async () => {
    const truth = JSON.parse(readFileSync(sharedPath('dicom', 'TRUTH.json'), 'utf8')) as {
      series: Record<string, Record<string, { groups?: Group[] }>>;
    };
    const sources = [{ caseId: null, root: sharedPath('dicom'), shownRoot: '' }];
    ({ rows } = await runIndex({ sources }, testDeps()));
    volumes = describeVolumes(rows);
    for (const [folder, series] of Object.entries(truth.series)) {
      for (const [uid, { groups: own = [] }] of Object.entries(series)) {
        const ofSeries = rows.filter(
          (row) => row.path.startsWith(`${folder}/`) && row.seriesInstanceUid === uid,
        );
        for (const group of own) {
          const known = new Set(group.order);
          const ofGroup = ofSeries.filter((row) => known.has(row.sopInstanceUid!));
          groups.push({ ...group, where: `${folder} ${uid}`, rows: ofGroup });
        }
      }
    }
  });

  it('keep to the schema', () => {
    for (const volume of volumes) volumeSchema.parse(volume);
    expect(volumes.reduce((sum, { slices }) => sum + slices, 0)).toBe(rows.length);
  });

  it('give steps, gaps and shear as pydicom and numpy computed them', () => {
    const wrong: string[] = [];
    let compared = 0;
    let inParts = 0;
    for (const { where, order, step, shearDegrees, normal, positions, rows: own } of groups) {
      if (!step) continue;
      const ids = new Set(own.map((row) => row.volumeId));
      const [volume] = volumes.filter(({ volumeId }) => ids.has(volumeId));
      const whole = ids.size === 1 && volume?.slices === order.length;
      // Groups of TRUTH are by orientation alone. Where we see several stacks, their places together must be its places.
      const places = placesOf(own, normal);
      const found = whole ? volume : measureStack(places, normal);
      compared++;
      if (!whole) inParts++;
      const near = (what: string, a: number | null, b: number, by: number): void => {
        if (a === null || Math.abs(a - b) > by) wrong.push(`${where} ${what} ${a}, not ${b}`);
      };
      near('median', found.spacingMm, step.median, 0.002);
      near('shortest', found.minStepMm, step.min, 0.002);
      near('longest', found.maxStepMm, step.max, 0.002);
      if (shearDegrees !== undefined) near('shear', found.shearDegrees, shearDegrees, 0.06);
      if (step.uniform !== found.uniform) wrong.push(`${where} uniform ${found.uniform}`);
      const gaps = found.gaps.map(({ afterPosition }) => projection(places[afterPosition]!, normal));
      const larger = (step.largerStepAfterIndex ?? []).map((i) => positions[i]!);
      if (gaps.length !== larger.length) wrong.push(`${where} gaps ${gaps.join()}, not ${larger.join()}`);
      else gaps.forEach((gap, i) => near('gap', gap, larger[i]!, 0.01));
    }
    expect(wrong).toEqual([]);
    process.stdout.write(`${compared} stacks compared with TRUTH.json, ${inParts} of them in parts\n`);
    expect([compared, inParts]).toEqual([26, 2]);
  });

  it('lie in the plane that their own names say', () => {
    const seen = new Set<string>();
    for (const { seriesDescription, plane } of volumes) {
      const named = NAMED_PLANES[seriesDescription ?? ''];
      if (named === undefined || plane === null) continue;
      expect([seriesDescription, plane]).toEqual([seriesDescription, named]);
      seen.add(seriesDescription!);
    }
    expect([...seen].sort()).toEqual(Object.keys(NAMED_PLANES).sort());
  });

  it('have the normal of their group', () => {
    let compared = 0;
    for (const { where, normal, rows: own } of groups) {
      for (const { imageOrientationPatient } of own) {
        const found = sliceNormal(imageOrientationPatient);
        // TRUTH rounds to six digits, and takes one file's cosines for the group.
        const cosine = found === null ? 0 : projection(found, normal);
        expect([where, cosine > 0.99999]).toEqual([where, true]);
        compared++;
      }
    }
    expect(compared).toBeGreaterThan(550);
  });

  it('warn of what each case is there to show', () => {
    const warned = (folder: string, description: string | null) => {
      const ids = new Set(rows.filter((row) => row.path.startsWith(folder)).map((row) => row.volumeId));
      const own = volumes.filter((volume) => ids.has(volume.volumeId));
      return own
        .filter(({ seriesDescription: name }) => name === description)
        .map(({ warnings }) => warnings);
    };
    expect(warned('cases/ct-abdomen-gap', 'CT CH/AB/PEL')).toEqual([['missing-slices']]);
    // 5 and 7 mm apart: the head is scanned in two parts.
    expect(warned('cases/ct-head-tilt-ge', null)).toEqual([['irregular-spacing', 'sheared']]);
    expect(warned('cases/mr-decubitus-hfdl', 't1_fl2d_sag')).toEqual([[]]);
    expect(warned('cases/mr-siemens-mosaic-orient', 'ax_asc_35sl')).toEqual([['mosaic'], ['mosaic']]);
  });
});

/** The corners of rows along the normal, one a place. */
function placesOf(rows: readonly IndexRow[], normal: readonly [number, number, number]): number[][] {
  const corners = rows.map((row) => row.imagePositionPatient!);
  corners.sort((a, b) => projection(a, normal) - projection(b, normal));
  return corners.filter(
    (corner, i) => i === 0 || projection(corner, normal) - projection(corners[i - 1]!, normal) > 0.01,
  );
}
