import { describe, expect, it } from 'vitest';
import {
  assignVolumes,
  describeVolumes,
  type CaseHeaderRow,
} from '../../../src/extract/index-studies/index.js';
import { rng } from '../../../src/util/rng.js';
import { headerRow } from '../../helpers/header-row.js';

const base = headerRow();

/** A slice named for its SOPInstanceUID, at z. */
const slice = (sopInstanceUid: string, z: number, more: Partial<CaseHeaderRow> = {}): CaseHeaderRow => ({
  ...base,
  sopInstanceUid,
  path: `${sopInstanceUid}.dcm`,
  imagePositionPatient: [0, 0, z],
  ...more,
});

/** Volumes as lists of SOPInstanceUIDs in position order, sorted. */
function stacks(headers: readonly CaseHeaderRow[]): string[] {
  const volumes = new Map<string, string[]>();
  for (const row of assignVolumes(headers)) {
    const volume = volumes.get(row.volumeId) ?? [];
    volume[row.position] = row.sopInstanceUid!;
    volumes.set(row.volumeId, volume);
  }
  return [...volumes.values()].map((volume) => volume.join(' ')).sort();
}

describe('assignVolumes', () => {
  it('orders by position, not by InstanceNumber', () => {
    const headers = [
      slice('top', 30, { instanceNumber: 1 }),
      slice('low', -5, { instanceNumber: 2 }),
      slice('mid', 10, { instanceNumber: 3 }),
    ];
    expect(stacks(headers)).toEqual(['low mid top']);
    expect(assignVolumes(headers).map((row) => row.position)).toEqual([2, 0, 1]);
  });

  it('follows the normal, which points down when the rows run backwards', () => {
    const flipped = { imageOrientationPatient: [-1, 0, 0, 0, 1, 0] };
    expect(stacks([slice('low', 0, flipped), slice('top', 9, flipped)])).toEqual(['top low']);
  });

  it('parts two orientations and two matrices of one series, and keeps rounding noise together', () => {
    const coronal = { imageOrientationPatient: [1, 0, 0, 0, 0, -1] };
    const noisy = { imageOrientationPatient: [1, 0.0004, 0, 0, 1, 0] };
    const small = { rows: 2 };
    const headers = [slice('a', 0), slice('b', 5, noisy), slice('c', 5, coronal), slice('d', 10, small)];
    expect(stacks(headers)).toEqual(['a b', 'c', 'd']);
  });

  it('parts two echoes of the same places', () => {
    const headers = [1, 2].flatMap((echo) => [
      slice(`e${echo}-low`, 0, { echoNumber: echo }),
      slice(`e${echo}-top`, 5, { echoNumber: echo }),
    ]);
    expect(stacks(headers)).toEqual(['e1-low e1-top', 'e2-low e2-top']);
  });

  it('keeps one stack whose acquisition number changes from slice to slice', () => {
    const headers = [0, 1, 2].map((i) => slice(`s${i}`, i * 5, { acquisitionNumber: i }));
    expect(stacks(headers)).toEqual(['s0 s1 s2']);
  });

  it('parts repeats that nothing else tells apart by InstanceNumber', () => {
    const headers = [
      slice('t1-low', 0, { instanceNumber: 1, acquisitionNumber: 1 }),
      slice('t1-top', 5, { instanceNumber: 2, acquisitionNumber: 2 }),
      slice('t2-low', 0, { instanceNumber: 3, acquisitionNumber: 3 }),
      slice('t2-top', 5, { instanceNumber: 4, acquisitionNumber: 4 }),
    ];
    expect(stacks(headers)).toEqual(['t1-low t1-top', 't2-low t2-top']);
  });

  it('falls back to InstanceNumber without a position, and says so', () => {
    const lost = { imagePositionPatient: null };
    const headers = [
      slice('b', 0, { ...lost, instanceNumber: 2 }),
      slice('a', 0, { ...lost, instanceNumber: 1 }),
    ];
    expect(stacks(headers)).toEqual(['a b']);
    expect(assignVolumes(headers).map((row) => row.orderedBy)).toEqual([
      'instance-number',
      'instance-number',
    ]);
    expect(assignVolumes([slice('c', 0)])[0]!.orderedBy).toBe('position');
  });

  it('puts a second file of one instance into a volume of copies that names the first', () => {
    const headers = [slice('a', 0), slice('b', 5), slice('a', 0, { path: 'copy.dcm' })];
    const rows = assignVolumes(headers);
    expect(rows.map((row) => row.duplicateOf)).toEqual([null, null, 'a.dcm']);
    expect(stacks(headers)).toEqual(['a', 'a b']);
  });

  it('never mixes cases, and gives the same ids whatever the order of the files', () => {
    const headers = [
      slice('a', 0),
      slice('b', 5),
      slice('a', 0, { caseId: 'c2' }),
      slice('b', 5, { caseId: 'c2' }),
    ];
    const ids = new Map(
      assignVolumes(headers).map((row) => [`${row.caseId} ${row.sopInstanceUid}`, row.volumeId]),
    );
    expect(new Set(ids.values()).size).toBe(2);
    for (const row of assignVolumes([...headers].reverse())) {
      expect(row.volumeId).toBe(ids.get(`${row.caseId} ${row.sopInstanceUid}`));
    }
  });

  it('keeps one volume when a converter gave each slice a study of its own', () => {
    expect(
      stacks([slice('a', 0, { studyInstanceUid: '1' }), slice('b', 5, { studyInstanceUid: '2' })]),
    ).toEqual(['a b']);
  });

  it('keeps the frames of a multi-frame object without positions together, apart from other objects', () => {
    const cine = (sop: string, frame: number) =>
      slice(sop, 0, { frame, numberOfFrames: 2, imagePositionPatient: null });
    const rows = assignVolumes([cine('a', 0), cine('a', 1), cine('b', 0), cine('b', 1)]);
    expect(rows.map((row) => row.position)).toEqual([0, 1, 0, 1]);
    expect(rows[0]!.volumeId).toBe(rows[1]!.volumeId);
    expect(rows[0]!.volumeId).not.toBe(rows[2]!.volumeId);
  });

  it('gives the same ids, positions and copies whatever the order of the rows', () => {
    const headers = (): CaseHeaderRow[] => [
      ...[0, 5, 10].map((z) => slice(`a${z}`, z)),
      // Rounding noise: either orientation could stand for both.
      slice('noisy', 15, { imageOrientationPatient: [1, 0.0004, 0, 0, 1, 0] }),
      ...['x.dcm', 'b.dcm'].map((path) => slice('a5', 5, { path })),
      ...[1, 2].map((echo) => slice(`e${echo}`, 20, { echoNumber: echo })),
      slice('other', 0, { seriesInstanceUid: '1.2.9', imagePositionPatient: null }),
    ];
    const placed = (rows: readonly CaseHeaderRow[]) =>
      new Map(
        assignVolumes(rows).map((row) => [
          row.path,
          [row.volumeId, row.position, row.duplicateOf, row.splitBy.join()],
        ]),
      );
    const inOrder = placed(headers());
    const random = rng(7, 'rows');
    for (let round = 0; round < 20; round++) {
      const shuffled = placed(random.shuffle(headers()));
      for (const [path, place] of inOrder) expect([path, shuffled.get(path)]).toEqual([path, place]);
    }
    // Of the three files of a5 the first by its path counts.
    expect(['a5.dcm', 'b.dcm', 'x.dcm'].map((path) => inOrder.get(path)![2])).toEqual([
      null,
      'a5.dcm',
      'a5.dcm',
    ]);
  });

  it('parts two fields of view side by side at the same places along the normal', () => {
    // Two stations of a coronal whole-body series: the same two places from front to back, 300 mm apart in height.
    const coronal = (sop: string, y: number, z: number): CaseHeaderRow =>
      slice(sop, 0, {
        imageOrientationPatient: [1, 0, 0, 0, 0, -1],
        imagePositionPatient: [0, y, z],
        instanceNumber: null,
      });
    const headers = [
      coronal('up-front', -5, 300),
      coronal('low-front', -5, 0),
      coronal('up-back', 5, 300),
      coronal('low-back', 5, 0),
    ];
    expect(stacks(headers)).toEqual(['low-front low-back', 'up-front up-back']);
    expect(assignVolumes(headers).map(({ splitBy }) => splitBy)).toContainEqual(['station=0,-300']);
  });

  it('keeps a sheared stack of two echoes whole, however far its corners move in the plane', () => {
    const headers = [1, 2].flatMap((echo) =>
      [0, 1, 2].map((i) =>
        slice(`e${echo}-${i}`, i * 5, { imagePositionPatient: [0, i * 20, i * 5], echoNumber: echo }),
      ),
    );
    expect(stacks(headers)).toEqual(['e1-0 e1-1 e1-2', 'e2-0 e2-1 e2-2']);
  });

  it.each([
    { jitterMm: 0.03, expected: ['e1-0 e1-5', 'e2-0 e2-5'], why: 'within 1 % of 5 mm: the same place' },
    { jitterMm: 0.2, expected: ['e1-0 e2-0 e1-5 e2-5'], why: 'places of their own' },
  ])('places $jitterMm mm apart of 5 mm slices are $why', ({ jitterMm, expected }) => {
    const headers = [1, 2].flatMap((echo) =>
      [0, 5].map((z) => slice(`e${echo}-${z}`, z + (echo - 1) * jitterMm, { echoNumber: echo })),
    );
    expect(stacks(headers)).toEqual(expected);
  });

  it('orders the phases of a heart at each place by trigger time, which no two slices share', () => {
    // Two phases a slice; InstanceNumber runs against them at the upper slice.
    const phase = (sop: string, z: number, triggerTimeMs: number, instanceNumber: number): CaseHeaderRow =>
      slice(sop, z, { triggerTimeMs, instanceNumber });
    const headers = [
      phase('low-early', 0, 11, 1),
      phase('low-late', 0, 411, 2),
      phase('top-early', 5, 14, 4),
      phase('top-late', 5, 414, 3),
    ];
    expect(stacks(headers)).toEqual(['low-early top-early', 'low-late top-late']);
  });

  it('never puts a mosaic and a slice into one stack, and parts two time points of mosaics', () => {
    const mosaic = {
      images: 9,
      rows: 4,
      columns: 4,
      imagePositionPatient: null,
      spacingMm: null,
      sliceNormal: null,
    };
    const headers = [
      slice('plain', 0),
      slice('t1', 10, { mosaic, acquisitionNumber: 1 }),
      slice('t2', 10, { mosaic, acquisitionNumber: 2 }),
    ];
    expect(stacks(headers)).toEqual(['plain', 't1', 't2']);
    expect(assignVolumes(headers).map(({ splitBy }) => splitBy)).toEqual([
      ['mosaic=none'],
      ['mosaic=9', 'acquisition=1'],
      ['mosaic=9', 'acquisition=2'],
    ]);
  });

  it('names what sets stacks of other orientation, size or kind apart', () => {
    const labels = (more: Partial<CaseHeaderRow>) =>
      assignVolumes([slice('a', 0), slice('b', 5, more)]).map(({ splitBy }) => splitBy);
    expect(labels({ imageOrientationPatient: [1, 0, 0, 0, 0, -1] })).toEqual([
      ['normal=0.00,0.00,1.00'],
      ['normal=0.00,1.00,0.00'],
    ]);
    expect(labels({ rows: 2 })).toEqual([['size=4×4'], ['size=2×4']]);
    expect(labels({ imageType: ['ORIGINAL', 'PRIMARY', 'P'] })).toEqual([['kind=M'], ['kind=P']]);
    expect(labels({})).toEqual([[], []]);
    // Turned about the same normal: the cosines must tell.
    expect(labels({ imageOrientationPatient: [0, 1, 0, -1, 0, 0] })).toEqual([
      ['orientation=1,0,0,0,1,0'],
      ['orientation=0,1,0,-1,0,0'],
    ]);
  });

  it('takes images of other places for no copies, though a careless anonymiser gave them one UID', () => {
    const headers = [30, 10, 20].map((z, i) => slice('same', z, { path: `${z}.dcm`, instanceNumber: i + 1 }));
    const copy = slice('same', 20, { path: '20-again.dcm', instanceNumber: 3 });
    const rows = assignVolumes([...headers, copy]);
    expect(rows.map(({ position, duplicateOf }) => [position, duplicateOf])).toEqual([
      [2, null],
      [0, null],
      [0, '20-again.dcm'],
      [1, null],
    ]);
    const described = describeVolumes(assignVolumes(headers));
    expect(described).toMatchObject([{ slices: 3, warnings: ['conflicting-uid'] }]);
    expect(describeVolumes(assignVolumes([headers[0]!, headers[1]!].map((row, i) => ({ ...row, sopInstanceUid: `own-${i}` }))))).toMatchObject([{ warnings: [] }]); // prettier-ignore
  });

  it('parts stacks that were put into each other a fraction of a slice apart, by what tells them', () => {
    const echoes = [0, 5, 10].flatMap((z) => [
      slice(`e1-${z}`, z, { echoNumber: 1 }),
      slice(`e2-${z}`, z + 0.6, { echoNumber: 2 }),
    ]);
    expect(stacks(echoes)).toEqual(['e1-0 e1-5 e1-10', 'e2-0 e2-5 e2-10']);
    const contrast = [0, 5, 10].flatMap((z) => [
      slice(`pre-${z}`, z),
      slice(`post-${z}`, z + 1.3, { contrastBolusAgent: 'IOMERON' }),
    ]);
    expect(stacks(contrast)).toEqual(['post-0 post-5 post-10', 'pre-0 pre-5 pre-10']);
  });

  it('keeps a stack whole whose halves differ in what tells echoes apart, or that has one odd slice', () => {
    const halves = [0, 5, 10, 15, 20, 25].map((z) => slice(`z${z}`, z, { echoNumber: z < 15 ? 1 : 2 }));
    expect(stacks(halves)).toEqual(['z0 z5 z10 z15 z20 z25']);
    const odd = [0, 5, 10, 15, 20, 25].map((z) =>
      slice(`z${z}`, z, z === 10 ? { contrastBolusAgent: 'x' } : {}),
    );
    expect(stacks(odd)).toEqual(['z0 z5 z10 z15 z20 z25']);
  });

  it('parts b-values that only the sequence name tells', () => {
    const rows = ['*ep_b0', '*ep_b500', '*ep_b1000'].flatMap((sequenceName) =>
      [0, 5].map((z) => slice(`${sequenceName}-${z}`, z, { sequenceName })),
    );
    expect(stacks(rows)).toEqual(['*ep_b0-0 *ep_b0-5', '*ep_b1000-0 *ep_b1000-5', '*ep_b500-0 *ep_b500-5']);
    expect(assignVolumes(rows)[0]!.splitBy).toEqual(['sequence=*ep_b0']);
  });

  it('orders by position along its line when only the orientation is missing, and says so', () => {
    const flat = { imageOrientationPatient: null };
    const rows = [15, 35, 5, 25].map((z, i) => slice(`s${i}`, z, { ...flat, instanceNumber: i }));
    expect(stacks(rows)).toEqual(['s2 s0 s3 s1']);
    expect(assignVolumes(rows)[0]!.orderedBy).toBe('image-position');
    // Along x, whose coordinate falls with the line's first two points: still towards the growing one.
    const across = [3, 1, 2].map((x, i) =>
      slice(`x${i}`, 0, { ...flat, imagePositionPatient: [x, -x / 2, 0] }),
    );
    expect(stacks(across)).toEqual(['x1 x2 x0']);
    const scattered = [[0, 0, 0], [9, 0, 1], [0, 9, 2]].map((imagePositionPatient, i) => slice(`p${i}`, 0, { ...flat, imagePositionPatient, instanceNumber: 3 - i })); // prettier-ignore
    expect(assignVolumes(scattered)[0]!.orderedBy).toBe('instance-number');
    expect(stacks(scattered)).toEqual(['p2 p1 p0']);
  });
});
