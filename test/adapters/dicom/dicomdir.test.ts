import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { missingReferences, readDicomdir, scanHeader } from '../../../src/adapters/dicom/index.js';
import {
  IMPLICIT,
  dicomFile,
  openSequence,
  sequence,
  type Element,
  type Items,
} from '../../helpers/dicom-bytes.js';
import { describeShared, sharedPath } from '../../helpers/shared.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'groundmark-dicomdir-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const at = (name: string): string => path.join(folder, name);

function put(name: string): void {
  mkdirSync(path.dirname(at(name)), { recursive: true });
  writeFileSync(at(name), 'x');
}

/** A directory record; `inUse` 0 for one that was taken out. */
function record(
  recordType: string,
  fileId: string | null,
  { uid, inUse = 0xffff }: { uid?: string; inUse?: number } = {},
): Element[] {
  return [
    [0x00041400, 'UL', 0],
    [0x00041410, 'US', inUse],
    [0x00041420, 'UL', 0],
    [0x00041430, 'CS', recordType],
    ...(fileId === null ? [] : [[0x00041500, 'CS', fileId] as const]),
    ...(uid === undefined ? [] : [[0x00041511, 'UI', uid] as const]),
    ...(recordType === 'PATIENT' ? [[0x00100010, 'PN', 'Nobody^Known'] as const] : []),
  ];
}

function dicomdir(records: Items, syntax?: string): string {
  const elements: Element[] = [
    [0x00041130, 'CS', 'DISK'],
    [0x00041220, 'SQ', records],
  ];
  writeFileSync(at('DICOMDIR'), dicomFile(elements, syntax === undefined ? {} : { syntax }));
  return at('DICOMDIR');
}

describe('readDicomdir', () => {
  it.each([
    ['with lengths', sequence, undefined],
    ['without lengths', openSequence, undefined],
    ['in implicit VR', sequence, IMPLICIT],
  ])('gives the files that records name, with their place, of sequences %s', async (_, wrap, syntax) => {
    put('PAT1/CT2/IM1');
    const file = dicomdir(
      wrap(
        record('PATIENT', null),
        record('IMAGE', 'PAT1\\CT2\\IM1', { uid: '2.25.1' }),
        record('SR DOCUMENT', 'PAT1\\SR1\\DOC1', { uid: '2.25.2' }),
      ),
      syntax,
    );
    const found = {
      fileId: 'PAT1/CT2/IM1',
      recordType: 'IMAGE',
      sopInstanceUid: '2.25.1',
      path: at('PAT1/CT2/IM1'),
    };
    const lost = {
      fileId: 'PAT1/SR1/DOC1',
      recordType: 'SR DOCUMENT',
      sopInstanceUid: '2.25.2',
      path: null,
    };
    expect(await readDicomdir(file)).toEqual([found, lost]);
    expect(await missingReferences(file)).toEqual([lost]);
    expect(await missingReferences(file, (uid) => uid === '2.25.2')).toEqual([]);
  });

  it('leaves out records that are not in use, and names a file of several records once', async () => {
    const file = dicomdir(
      sequence(
        record('IMAGE', 'A', { inUse: 0 }),
        record('IMAGE', 'B'),
        record('IMAGE', 'B'),
        record('IMAGE', 'C', { inUse: 1 }),
      ),
    );
    expect((await readDicomdir(file)).map(({ fileId }) => fileId)).toEqual(['B', 'C']);
  });

  it('finds names in another case, with a version or a point, and takes an exact one before them', async () => {
    ['pat1/im1', 'PAT2/IM1.;1', 'PAT2/IM2;1', 'PAT3/im1', 'PAT3/IM1', 'PAT3/IM11'].forEach(put);
    const file = dicomdir(
      sequence(
        ...['PAT1\\IM1', 'PAT2\\IM1', 'PAT2\\IM2', 'PAT3\\IM1', 'PAT3\\IM'].map((id) => record('IMAGE', id)),
      ),
    );
    expect((await readDicomdir(file)).map(({ path: found }) => found)).toEqual([
      at('pat1/im1'),
      at('PAT2/IM1.;1'),
      at('PAT2/IM2;1'),
      at('PAT3/IM1'),
      null,
    ]);
  });

  it('finds no folder, nothing below a file and nothing outside of its own folder', async () => {
    put('inner/PAT1/IM1');
    put('secret');
    const records = [
      'PAT1',
      '..\\secret',
      'PAT1\\..\\..\\secret',
      '../../secret',
      'PAT1\\IM1\\IM1',
      at('secret'),
    ];
    const file = dicomdir(sequence(...records.map((id) => record('IMAGE', id))));
    cpSync(file, at('inner/DICOMDIR'));
    const references = await readDicomdir(at('inner/DICOMDIR'));
    expect(references).toHaveLength(6);
    expect(references.map(({ path: found }) => found)).toEqual(Array(6).fill(null));
  });

  it('refuses an image, which lists nothing, and a list that is cut off', async () => {
    writeFileSync(at('image'), dicomFile([[0x00080060, 'CS', 'CT']]));
    await expect(readDicomdir(at('image'))).rejects.toMatchObject({ code: 'not-a-dicomdir' });
    const bytes = dicomFile([[0x00041220, 'SQ', sequence(record('IMAGE', 'A'))]]);
    writeFileSync(at('DICOMDIR'), bytes.subarray(0, -4));
    await expect(missingReferences(at('DICOMDIR'))).rejects.toMatchObject({ code: 'cut-off-header' });
  });
});

describeShared('A real DICOMDIR', 'dicom', () => {
  const file = sharedPath('dicom', 'cases', 'dicomdir-pydicom', 'DICOMDIR');

  // pydicom lists 52 records, of which 31 name a file.
  it('names the 31 files that pydicom sees, all of which lie elsewhere here', async () => {
    const references = await readDicomdir(file);
    expect(references).toHaveLength(31);
    expect(new Set(references.map(({ recordType }) => recordType))).toEqual(new Set(['IMAGE']));
    expect(references[0]!.fileId).toBe('77654033/CR1/6154');
    expect(references.at(-1)!.fileId).toBe('98892003/MR700/4648');
    expect(await missingReferences(file)).toHaveLength(31);
  });

  it('misses none of the files that were copied flat, when the instances are known', async () => {
    const uids = new Set<string | null>();
    for (const name of readdirSync(path.dirname(file))) {
      if (name === 'DICOMDIR') continue;
      const [row] = await scanHeader(path.join(path.dirname(file), name));
      uids.add(row!.sopInstanceUid);
    }
    expect(uids.size).toBe(31);
    expect(await missingReferences(file, (uid) => uids.has(uid))).toEqual([]);
  });

  it('finds them where they should be, and misses the one that is not', async () => {
    for (const { fileId } of await readDicomdir(file)) put(fileId);
    rmSync(at('77654033/CR2/6247'));
    cpSync(file, at('DICOMDIR'));
    expect((await missingReferences(at('DICOMDIR'))).map(({ fileId }) => fileId)).toEqual([
      '77654033/CR2/6247',
    ]);
  });
});
