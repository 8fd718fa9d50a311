import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { copyDeidentified, keyedNames, parseKeep } from '../../../../src/adapters/dicom/deid/index.js';
import { KEEP_NAMES, methodCodes } from '../../../../src/adapters/dicom/deid/options.js';
import { walkFiles } from '../../../../src/adapters/dicom/index.js';
import { element, partTen, sequence } from './build-file.js';

const PYTHON = '/usr/bin/python3';
const hasPydicom =
  existsSync(PYTHON) && spawnSync(PYTHON, ['-c', 'from pydicom.sr import _cid_dict']).status === 0;

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'groundmark-codes-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** What pydicom reads of a copy. */
async function readCopy(keep: string): Promise<Record<string, unknown>> {
  const file = path.join(folder, 'in.dcm');
  const foreign = sequence(0x00120064, 'SQ', [
    element(0x00080100, 'SH', '113101'),
    element(0x00080102, 'SH', 'DCM'),
    element(0x00080104, 'LO', 'Clean Pixel Data Option'),
  ]);
  await writeFile(
    file,
    partTen('1.2.840.10008.1.2.1', [
      element(0x00080016, 'UI', '1.2.840.10008.5.1.4.1.1.2'),
      element(0x00080018, 'UI', '1.2.840.99999.5.1'),
      element(0x00080020, 'DA', '20240229'),
      element(0x00080080, 'LO', 'Saint Elsewhere'),
      element(0x00081010, 'SH', 'CT-ROOM-4'),
      element(0x00081030, 'LO', 'Thorax of Mrs Quint, 03.04.2023'),
      element(0x00100010, 'PN', 'Quint^Ada'),
      element(0x00100020, 'LO', 'Q-1'),
      element(0x00101010, 'AS', '044Y'),
      element(0x00104000, 'LT', 'comment'),
      foreign,
      element(0x00181000, 'LO', 'SERIAL-88'),
      element(0x0020000d, 'UI', '1.2.840.99999.5'),
      element(0x0020000e, 'UI', '1.2.840.99999.5.2'),
    ]),
  );
  const out = path.join(folder, 'out');
  await copyDeidentified(file, {
    out,
    names: keyedNames(Buffer.alloc(32, 1)),
    keep: parseKeep(keep),
    allowBurnedIn: false,
  });
  const script = `
import json, sys, pydicom
d = pydicom.dcmread(sys.argv[1])
get = lambda k: (lambda v: None if v in (None, '') else str(v))(d.get(k))
print(json.dumps(dict(
  codes=[f'{i.CodeValue} {i.CodingSchemeDesignator} {i.CodeMeaning}' for i in d.DeidentificationMethodCodeSequence],
  method=[str(v) for v in (d.DeidentificationMethod if d['DeidentificationMethod'].VM > 1 else [d.DeidentificationMethod])],
  dates=d.LongitudinalTemporalInformationModified, age=get('PatientAge'), serial=get('DeviceSerialNumber'),
  station=get('StationName'), study=get('StudyDescription'), comments=get('PatientComments'),
  institution=get('InstitutionName'), dated=get('StudyDate') == '20240229', uid=str(d.StudyInstanceUID).startswith('2.25.'))))`;
  const [copy] = await walkFiles(out);
  const run = spawnSync(PYTHON, ['-c', script, copy!.path], { encoding: 'utf8' });
  expect(run.status, run.stderr).toBe(0);
  return JSON.parse(run.stdout) as Record<string, unknown>;
}

const BASIC = '113100 DCM Basic Application Confidentiality Profile';
const DATES = '113107 DCM Retain Longitudinal Temporal Information Modified Dates Option';

describe.skipIf(!hasPydicom)('The stamp of a copy', () => {
  it('names the codes of CID 7050 as pydicom has them', () => {
    const script = `
from pydicom.sr import _cid_dict, _concepts_dict
for k in _cid_dict.cid_concepts[7050]['DCM']:
  for code, entry in _concepts_dict.concepts['DCM'][k].items(): print(code, entry[0])`;
    const known = spawnSync(PYTHON, ['-c', script], { encoding: 'utf8' }).stdout.trim().split('\n');
    expect(known).toHaveLength(13);
    for (const { value, meaning } of methodCodes(new Set(KEEP_NAMES)))
      expect(known).toContain(`${value} ${meaning}`);
  });

  const gone = { age: null, serial: null, station: null, study: null };
  it.each<[string, string[], Record<string, unknown>]>([
    ['', [], gone],
    [
      'patient-characteristics',
      ['113108 DCM Retain Patient Characteristics Option'],
      { ...gone, age: '044Y' },
    ],
    [
      'device',
      ['113109 DCM Retain Device Identity Option'],
      { ...gone, serial: 'SERIAL-88', station: 'CT-ROOM-4' },
    ],
    ['descriptors', ['113105 DCM Clean Descriptors Option'], { ...gone, study: 'Thorax of' }],
  ])('says what --keep "%s" did, and nothing that was not done', async (keep, codes, kept) => {
    const copy = await readCopy(keep);
    // 113105 sorts before 113107, the others after it. The 113101 of the original is not ours to repeat.
    expect(copy['codes']).toEqual([BASIC, DATES, ...codes].sort());
    expect(copy).toMatchObject({ dates: 'MODIFIED', dated: false, uid: true, comments: null });
    // Of Type 2 and dummy values: that is not what the file said.
    for (const [name, value] of Object.entries(kept)) {
      if (value === null) expect(['SERIAL-88', 'CT-ROOM-4', '044Y']).not.toContain(copy[name]);
      else expect(copy[name]).toBe(value);
    }
    expect(copy['institution']).not.toBe('Saint Elsewhere');
    const method = copy['method'] as string[];
    expect(method[0]).toBe('Groundmark: PS3.15 2024b Basic Profile, dates shifted');
    // Cleaned by rule is less than the option asks for: a reader of the file is told.
    expect(method.slice(1)).toEqual(
      keep === 'descriptors' ? ['Descriptors cleaned by rule, not read by a person'] : [],
    );
    for (const value of method) expect(value.length).toBeLessThanOrEqual(64);
  });
});
