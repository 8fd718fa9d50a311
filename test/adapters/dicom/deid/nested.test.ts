import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { deflateRawSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { copyDeidentified } from '../../../../src/adapters/dicom/deid/copy-file.js';
import { keyedNames } from '../../../../src/adapters/dicom/deid/keyed-names.js';
import { parseKeep } from '../../../../src/adapters/dicom/deid/options.js';
import { scanIdentifiers } from '../../../../src/adapters/dicom/deid/scan-identifiers.js';
import { walkFiles } from '../../../../src/adapters/dicom/index.js';
import { runDeid } from '../../../../src/extract/deid/index.js';
import { testDeps } from '../../../helpers/deps.js';
import { element, partTen, sequence, type Written } from './build-file.js';

/** Invented. */
const SECRET = {
  name: 'Quillfeather^Ambrose',
  uid: '1.2.840.99999.8.4711.20230405',
  study: '20230405',
  id: 'MRN-77-1234567',
};
const KEY = Buffer.alloc(32, 5);
const EXPLICIT = '1.2.840.10008.1.2.1';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'groundmark-nested-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const us = (value: number, { bigEndian }: Written): Buffer => {
  const bytes = Buffer.alloc(2);
  if (bigEndian) bytes.writeUInt16BE(value);
  else bytes.writeUInt16LE(value);
  return bytes;
};

/** A file with identifiers at every level, in any encoding. */
function planted(written: Written, more: readonly Buffer[] = [], instance = '1'): Buffer[] {
  const at = (tag: number, vr: string, value: string | Buffer): Buffer => element(tag, vr, value, written);
  const person = at(0x0040a123, 'PN', SECRET.name);
  return [
    at(0x00080016, 'UI', '1.2.840.10008.5.1.4.1.1.2'),
    at(0x00080018, 'UI', `${SECRET.uid}.${instance}`),
    at(0x00080020, 'DA', SECRET.study),
    at(0x00080060, 'CS', 'CT'),
    sequence(0x00081140, 'SQ', [at(0x00081155, 'UI', `${SECRET.uid}.77`)], { ...written, delimited: true }),
    sequence(0x00082112, 'SQ', [at(0x00081155, 'UI', `${SECRET.uid}.78`)], written),
    ...more,
    at(0x00100010, 'PN', SECRET.name),
    at(0x00100020, 'LO', SECRET.id),
    at(0x0020000d, 'UI', SECRET.uid),
    at(0x0020000e, 'UI', `${SECRET.uid}.9`),
    at(0x00280010, 'US', us(8, written)),
    sequence(
      0x00400555,
      'SQ',
      [sequence(0x0040a730, 'SQ', [person], { ...written, delimited: true })],
      written,
    ),
    sequence(0x00409096, 'SQ', [sequence(0x00401101, 'SQ', [person], written)], written),
  ];
}

async function deidentified(bytes: Buffer, keep = ''): Promise<Buffer> {
  const file = path.join(folder, 'in.dcm');
  await writeFile(file, bytes);
  const out = path.join(folder, 'out');
  const result = await copyDeidentified(file, {
    out,
    names: keyedNames(KEY),
    keep: parseKeep(keep),
    allowBurnedIn: false,
  });
  expect(result).toMatchObject({ outcome: 'written' });
  const [copy] = await walkFiles(out);
  expect((await scanIdentifiers(copy!.path)).findings).toEqual([]);
  return readFile(copy!.path);
}

function expectGone(bytes: Buffer, ...more: readonly string[]): void {
  for (const value of [...Object.values(SECRET), 'Quillfeather', 'Ambrose', ...more]) {
    expect(bytes.includes(value), value).toBe(false);
  }
}

describe('De-identification in every encoding', () => {
  it.each<[string, string, Written]>([
    ['explicit little endian', EXPLICIT, {}],
    ['implicit little endian', '1.2.840.10008.1.2', { implicit: true }],
    ['explicit big endian', '1.2.840.10008.1.2.2', { bigEndian: true }],
  ])('leaves nothing of a nested person, date or UID in %s', async (_, syntax, written) => {
    const file = partTen(syntax, planted(written));
    const before = path.join(folder, 'before.dcm');
    await writeFile(before, file);
    const paths = (await scanIdentifiers(before)).findings.map((finding) => finding.path);
    expect(paths).toContain('(0008,1140)[0].(0008,1155)');
    expect(paths).toContain('(0040,9096)[0].(0040,1101)[0].(0040,A123)');
    expectGone(await deidentified(file));
  });

  it('leaves nothing in a deflated data set', async () => {
    const start = partTen('1.2.840.10008.1.2.1.99', []);
    const copy = await deidentified(Buffer.concat([start, deflateRawSync(Buffer.concat(planted({})))]));
    expectGone(copy);
  });

  it('looks into a UN that is a sequence, whether its length is told or not', async () => {
    const person = element(0x00100010, 'PN', SECRET.name, { implicit: true });
    const more = [
      sequence(0x00081115, 'UN', [person], { delimited: true }),
      sequence(0x0008114a, 'UN', [element(0x00081155, 'UI', SECRET.uid, { implicit: true })]),
    ];
    expectGone(await deidentified(partTen(EXPLICIT, planted({}, more))));
  });

  it('removes private sequences whole, and what no dictionary knows', async () => {
    const more = [
      element(0x00090010, 'LO', 'ACME 1.1'),
      sequence(0x00091002, 'SQ', [element(0x00100010, 'PN', SECRET.name)], { delimited: true }),
      element(0x00091003, 'UN', `hidden ${SECRET.id}`),
      element(0x000a0001, 'LO', 'a group that is none'),
    ];
    expectGone(await deidentified(partTen(EXPLICIT, planted({}, more))), 'ACME', 'a group that is none');
  });

  it('finds names in other character sets, in the scan and in descriptions that are kept', async () => {
    // Yamada^Tarou in half-width katakana, and its kanji in ISO 2022.
    const name = Buffer.concat([
      Buffer.from([0xd4, 0xcf, 0xc0, 0xde, 0x5e, 0xc0, 0xdb, 0xb3, 0x3d]),
      Buffer.from('\x1b$B;3ED\x1b(J^\x1b$BB@O:\x1b(J', 'latin1'),
    ]);
    const utf8 = [
      element(0x00080005, 'CS', 'ISO_IR 192'),
      element(0x0008103e, 'LO', Buffer.from('Thorax für Møller, Dr. Grün 03.04.2023 axial', 'utf8')),
      element(0x00080090, 'PN', Buffer.from('Møller^Åse', 'utf8')),
    ];
    const copy = await deidentified(partTen(EXPLICIT, planted({}, utf8)), 'descriptors');
    expectGone(copy, 'Møller', 'Mller', 'Grün', 'Grn', 'Dr.', '03.04.2023');
    expect(copy.includes('Thorax')).toBe(true);
    expect(copy.includes('axial')).toBe(true);
    expect(copy.includes('113105')).toBe(true);

    await rm(path.join(folder, 'out'), { recursive: true });
    const japanese = [
      element(0x00080005, 'CS', 'ISO 2022 IR 13\\ISO 2022 IR 87'),
      element(0x00080090, 'PN', name),
    ];
    const other = await deidentified(partTen(EXPLICIT, planted({}, japanese)));
    expect(other.includes(name.subarray(0, 8))).toBe(false);
    expect(other.includes('$B;3ED')).toBe(false);
  });

  it('has nothing to say of a file without identifiers', async () => {
    const file = path.join(folder, 'clean.dcm');
    const clean = [
      element(0x00080016, 'UI', '1.2.840.10008.5.1.4.1.1.2'),
      element(0x00080018, 'UI', '2.25.123456789'),
      element(0x00080060, 'CS', 'CT'),
      element(0x00080090, 'PN', ''),
      element(0x00100010, 'PN', 'ANONYMOUS'),
      element(0x00100020, 'LO', ''),
      element(0x00180050, 'DS', '2.5'),
    ];
    await writeFile(file, partTen(EXPLICIT, clean));
    const scan = await scanIdentifiers(file);
    expect([scan.findings, scan.flags]).toEqual([[], []]);
  });

  const python =
    existsSync('/usr/bin/python3') && spawnSync('/usr/bin/python3', ['-c', 'import pydicom']).status === 0;
  it.skipIf(!python)('is read by pydicom, which counts the same items as before', async () => {
    const copy = path.join(folder, 'copy.dcm');
    await writeFile(copy, await deidentified(partTen(EXPLICIT, planted({}))));
    const script =
      'import sys, pydicom; d = pydicom.dcmread(sys.argv[1]); ' +
      'print(len(d.ReferencedImageSequence), d.file_meta.MediaStorageSOPInstanceUID == d.SOPInstanceUID, ' +
      'd.PatientIdentityRemoved, [i.CodeValue for i in d.DeidentificationMethodCodeSequence], ' +
      'd.LongitudinalTemporalInformationModified)';
    const run = spawnSync('/usr/bin/python3', ['-c', script, copy], { encoding: 'utf8' });
    expect(run.stdout.trim()).toBe("1 True YES ['113100', '113107'] MODIFIED");
  });
});

describe('A run over broken files', () => {
  it('tells no value in what it reports and logs', async () => {
    await writeFile(path.join(folder, '1.dcm'), partTen(EXPLICIT, planted({})).subarray(0, 500));
    await writeFile(path.join(folder, '2.dcm'), partTen(EXPLICIT, planted({}, [Buffer.from(SECRET.name)])));
    const deps = testDeps();
    const input = { sources: [folder], out: `${folder}-out`, key: KEY, keep: [], allowBurnedIn: false };
    const summary = await runDeid(input, deps);
    expect(summary.skipped).toHaveLength(2);
    const told = JSON.stringify([summary, deps.lines]);
    for (const value of Object.values(SECRET)) expect(told).not.toContain(value);
    expect(told).not.toContain('Quillfeather');
  });
});
