import { describe, expect, it } from 'vitest';
import { assignVolumes, type CaseHeaderRow } from '../../../src/extract/index-studies/index.js';
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
});
