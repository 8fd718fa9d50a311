import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import dcmjs from 'dcmjs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  copyDeidentified,
  deidKey,
  keyedNames,
  loadProfile,
  parseKeep,
  scanIdentifiers,
  type CopyResult,
  type KeepOptions,
} from '../../../../src/adapters/dicom/deid/index.js';
import { run as judge } from '../../../../src/adapters/dicom/deid/gate-job.js';
import { textInFrame } from '../../../../src/adapters/dicom/deid/text-in-frame.js';
import { inspectDicom, readFramePixels, walkFiles } from '../../../../src/adapters/dicom/index.js';
import { runDeid } from '../../../../src/extract/deid/index.js';
import { testDeps } from '../../../helpers/deps.js';
import { describeShared, sharedPath } from '../../../helpers/shared.js';

const KEY = Buffer.alloc(32, 7);
const PRIVATE = {
  name: 'Vandersloot^Hermione',
  id: 'MRN-99187-QX',
  birth: '19310415',
  study: '20240229',
  accession: 'ACC77120031',
  institution: 'Sint Nicolaas Ziekenhuis',
  physician: 'Grimwald^Oskar',
  uid: '1.2.840.99999.7.20240229.1',
  hidden: 'Vandersloot seen by Grimwald',
};

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'groundmark-deid-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

function element(tag: number, vr: string, value: string | Buffer): Buffer {
  const raw = typeof value === 'string' ? Buffer.from(value, 'latin1') : value;
  const bytes = raw.length % 2 ? Buffer.concat([raw, Buffer.from(vr === 'UI' ? '\0' : ' ')]) : raw;
  const long = ['OB', 'OW', 'SQ', 'UN', 'UT'].includes(vr);
  const head = Buffer.alloc(long ? 12 : 8);
  head.writeUInt16LE(tag >>> 16, 0);
  head.writeUInt16LE(tag & 0xffff, 2);
  head.write(vr, 4, 'latin1');
  if (long) head.writeUInt32LE(bytes.length, 8);
  else head.writeUInt16LE(bytes.length, 6);
  return Buffer.concat([head, bytes]);
}

function sequence(tag: number, vr: string, ...content: Buffer[]): Buffer {
  const inside = Buffer.concat(content);
  const item = Buffer.alloc(8);
  item.writeUInt16LE(0xfffe, 0);
  item.writeUInt16LE(0xe000, 2);
  item.writeUInt32LE(inside.length, 4);
  return element(tag, vr, Buffer.concat([item, inside]));
}

const us = (value: number): Buffer => {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16LE(value);
  return bytes;
};

/** A CT slice with identifiers planted at every level. */
function plantedFile(instance = 1, more: { burnedIn?: string } = {}): Buffer {
  const pixels = Buffer.from(Array.from({ length: 32 * 32 * 2 }, (_, i) => (i * 7) % 251));
  return Buffer.concat([
    Buffer.alloc(128),
    Buffer.from('DICM'),
    element(0x00020002, 'UI', '1.2.840.10008.5.1.4.1.1.2'),
    element(0x00020003, 'UI', `${PRIVATE.uid}.9.${instance}`),
    element(0x00020010, 'UI', '1.2.840.10008.1.2.1'),
    element(0x00020016, 'AE', 'WARD7CT'),
    element(0x00080005, 'CS', 'ISO_IR 100'),
    element(0x00080008, 'CS', 'ORIGINAL\\PRIMARY\\AXIAL'),
    element(0x00080016, 'UI', '1.2.840.10008.5.1.4.1.1.2'),
    element(0x00080018, 'UI', `${PRIVATE.uid}.9.${instance}`),
    element(0x00080020, 'DA', PRIVATE.study),
    element(0x00080021, 'DA', '20240301'),
    element(0x00080030, 'TM', '101500'),
    element(0x00080050, 'SH', PRIVATE.accession),
    element(0x00080060, 'CS', 'CT'),
    element(0x00080080, 'LO', PRIVATE.institution),
    element(0x00080090, 'PN', PRIVATE.physician),
    sequence(0x00081110, 'SQ', element(0x00081155, 'UI', `${PRIVATE.uid}.5`)),
    element(0x00090010, 'LO', 'SOME VENDOR'),
    sequence(0x00091001, 'SQ', element(0x00100010, 'PN', PRIVATE.name)),
    element(0x00100010, 'PN', PRIVATE.name),
    element(0x00100020, 'LO', PRIVATE.id),
    element(0x00100030, 'DA', PRIVATE.birth),
    element(0x00101010, 'AS', '093Y'),
    element(0x00104000, 'LT', PRIVATE.hidden),
    element(0x00180050, 'DS', '2.5'),
    element(0x0020000d, 'UI', PRIVATE.uid),
    element(0x0020000e, 'UI', `${PRIVATE.uid}.9`),
    element(0x00200032, 'DS', `0\\0\\${instance}`),
    element(0x00280002, 'US', us(1)),
    element(0x00280004, 'CS', 'MONOCHROME2'),
    element(0x00280010, 'US', us(32)),
    element(0x00280011, 'US', us(32)),
    element(0x00280100, 'US', us(16)),
    element(0x00280101, 'US', us(16)),
    element(0x00280102, 'US', us(15)),
    element(0x00280103, 'US', us(0)),
    ...(more.burnedIn === undefined ? [] : [element(0x00280301, 'CS', more.burnedIn)]),
    sequence(
      0x00400275,
      'SQ',
      element(0x00400007, 'LO', PRIVATE.hidden),
      sequence(0x0040a730, 'SQ', element(0x0040a123, 'PN', PRIVATE.name)),
    ),
    element(0x7fe00010, 'OW', pixels),
  ]);
}

async function put(name: string, bytes: Buffer): Promise<string> {
  const file = path.join(folder, name);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, bytes);
  return file;
}

async function copy(
  file: string,
  options: { out?: string; keep?: KeepOptions; allowBurnedIn?: boolean; key?: Uint8Array } = {},
): Promise<{ result: CopyResult; files: string[] }> {
  const out = path.join(folder, options.out ?? 'out');
  const result = await copyDeidentified(file, {
    out,
    names: keyedNames(options.key ?? KEY),
    keep: options.keep ?? new Set(),
    allowBurnedIn: options.allowBurnedIn ?? false,
  });
  const files = await walkFiles(out).catch(() => []);
  return { result, files: files.map((found) => found.path) };
}

describe('PS3.15 table E.1-1 as data', () => {
  it('has the rows of edition 2024b, and every keyword is that of its tag in the dictionary', async () => {
    const { rows } = await loadProfile();
    const table = rows.filter(({ source }) => source === 'E.1-1');
    expect(table.length).toBe(621);
    const { nameMap } = dcmjs.data.DicomMetaDictionary as {
      nameMap: Record<string, { tag: string } | undefined>;
    };
    const wrong = rows.filter(({ keyword, tag }) => {
      const known = nameMap[keyword]?.tag;
      // Repeating groups stand under another spelling there.
      return known !== undefined && !/x/u.test(tag) && known.toUpperCase() !== tag.toUpperCase();
    });
    expect(wrong.map(({ tag, keyword }) => `${tag} ${keyword}`)).toEqual([]);
  });

  it.each([
    ['(0010,0010)', 'Z'],
    ['(0010,4000)', 'X'],
    ['(0008,0018)', 'U'],
    ['(0008,0050)', 'Z'],
    ['(0008,0080)', 'X/Z/D'],
    ['(0020,000D)', 'U'],
    ['(0040,A123)', 'D'],
  ])('gives %s the action %s, as the standard prints it', async (tag, action) => {
    const { rows } = await loadProfile();
    expect(rows.find((row) => row.tag === tag)?.basicProfile).toBe(action);
  });
});

describe('A scan for identifiers', () => {
  it('finds what is planted at every level, and tells no value', async () => {
    const scan = await scanIdentifiers(await put('in.dcm', plantedFile()));
    const paths = scan.findings.map((finding) => finding.path);
    for (const expected of [
      '(0010,0010)',
      '(0010,0020)',
      '(0010,4000)',
      '(0008,0080)',
      '(0002,0016)',
      '(0040,0275)[0].(0040,a730)[0].(0040,a123)',
    ]) {
      expect(paths.map((one) => one.toLowerCase())).toContain(expected);
    }
    const told = JSON.stringify(scan);
    for (const value of Object.values(PRIVATE)) expect(told).not.toContain(value);
    expect(scan.identityRemoved).toBeNull();
  });

  it.each([
    ['YES', ['burned-in-annotation']],
    ['NO', []],
  ])('takes BurnedInAnnotation %s at its word', async (burnedIn, rules) => {
    const scan = await scanIdentifiers(await put('in.dcm', plantedFile(1, { burnedIn })));
    expect(scan.flags.map(({ rule }) => rule)).toEqual(rules);
  });
});

describe('A de-identified copy', () => {
  it('holds no planted value in any byte, and the same pixels', async () => {
    const file = await put('Vandersloot/in.dcm', plantedFile());
    const { result, files } = await copy(file);
    expect(result.outcome).toBe('written');
    const bytes = await readFile(files[0]!);
    for (const value of [...Object.values(PRIVATE), 'Vandersloot', 'Grimwald', 'WARD7CT', 'SOME VENDOR']) {
      expect(bytes.includes(value), value).toBe(false);
      expect(files[0]).not.toContain(value.split('^')[0] === 'Vandersloot' ? 'out/Vandersloot' : value);
    }
    expect((await inspectDicom(files[0]!, null)).sha256).toBe((await inspectDicom(file, null)).sha256);
    const scan = await scanIdentifiers(files[0]!);
    expect(scan.findings).toEqual([]);
    expect(scan.identityRemoved).toBe(true);
  });

  it('moves dates by whole days, the same for every file of a patient, and keeps their distance', async () => {
    const { files } = await copy(await put('in.dcm', plantedFile()));
    const text = (await readFile(files[0]!)).toString('latin1');
    const days = keyedNames(KEY).shiftDays(`id\0${PRIVATE.id}`);
    expect(Math.abs(days)).toBeLessThanOrEqual(730);
    const shown = (date: string): string => {
      const moved = new Date(Date.parse(date) + days * 86_400_000);
      return moved.toISOString().slice(0, 10).replaceAll('-', '');
    };
    // Study on 29 February 2024, series the day after: still a day apart.
    expect(text).toContain(shown('2024-02-29'));
    expect(text).toContain(shown('2024-03-01'));
  });

  it('is the same again with the same key, and another with another', async () => {
    const file = await put('in.dcm', plantedFile());
    const first = await copy(file, { out: 'a' });
    const again = await copy(file, { out: 'b' });
    const other = await copy(file, { out: 'c', key: Buffer.alloc(32, 8) });
    const bytes = await Promise.all([first, again, other].map(({ files }) => readFile(files[0]!)));
    expect(bytes[0]!.equals(bytes[1]!)).toBe(true);
    expect(bytes[0]!.equals(bytes[2]!)).toBe(false);
    expect((await copy(file, { out: 'a' })).result.outcome).toBe('kept');
  });

  it('is never written over one of other options, or of the file as it was', async () => {
    const file = await put('in.dcm', plantedFile());
    const { files } = await copy(file, { out: 'a' });
    const before = await readFile(files[0]!);
    const other = { outcome: 'refused', reason: 'other-copy' };
    expect((await copy(file, { out: 'a', keep: new Set(['device']) })).result).toMatchObject(other);
    const changed = plantedFile();
    changed[changed.length - 1]! ^= 1;
    await put('in.dcm', changed);
    expect((await copy(file, { out: 'a' })).result).toMatchObject(other);
    expect((await readFile(files[0]!)).equals(before)).toBe(true);
  });

  it('is refused for burned-in text, unless it is allowed', async () => {
    const file = await put('in.dcm', plantedFile(1, { burnedIn: 'YES' }));
    expect((await copy(file)).result).toMatchObject({ outcome: 'refused', reason: 'burned-in-annotation' });
    expect((await copy(file, { allowBurnedIn: true })).result).toMatchObject({
      outcome: 'written',
      allowed: ['burned-in-annotation'],
    });
  });

  it('keeps patient characteristics on request, and says so by code', async () => {
    const { files } = await copy(await put('in.dcm', plantedFile()), {
      keep: parseKeep('patient-characteristics'),
    });
    const text = (await readFile(files[0]!)).toString('latin1');
    // An age above 89 years is told as 90.
    expect(text).toContain('090Y');
    expect(text).toContain('113108');
    expect(text).toContain('113100');
    expect(text).toContain('113107');
    expect(() => parseKeep('patient-charactristics')).toThrow('patient-characteristics');
  });
});

describe('The stage over folders', () => {
  it('counts every file, and a broken one is one record', async () => {
    await put('in/1.dcm', plantedFile(1));
    await put('in/2.dcm', plantedFile(2));
    await put('in/3.dcm', plantedFile(3).subarray(0, 700));
    await put('in/notes.txt', Buffer.from('nothing'));
    const input = {
      sources: [path.join(folder, 'in')],
      out: path.join(folder, 'out'),
      key: KEY,
      keep: [],
      allowBurnedIn: false,
    };
    const summary = await runDeid(input, testDeps());
    expect(summary).toMatchObject({ files: 4, written: 2, kept: 0, patients: 1 });
    expect(summary.skipped.map(({ reason }) => reason).sort()).toEqual(['cut-off-header', 'not-dicom']);
    expect(await runDeid(input, testDeps())).toMatchObject({ written: 0, kept: 2 });
    const [record, study] = await readdir(path.join(folder, 'out'));
    expect(record).toBe('.groundmark-deid.json');
    expect(study).toMatch(/^2\.25\.\d+$/u);
  });
});

describe('The key of de-identification', () => {
  it('is made for its owner alone, and read again', async () => {
    const file = path.join(folder, 'deid.key');
    const made = await deidKey(file);
    expect(made.made).toBe(true);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const again = await deidKey(file);
    expect(again.made).toBe(false);
    expect(Buffer.from(again.key).equals(Buffer.from(made.key))).toBe(true);
  });

  it('is refused without its content when it is something else', async () => {
    const file = await put('deid.key', Buffer.from('my secret words'));
    await expect(deidKey(file)).rejects.toMatchObject({ code: 'bad-key-file' });
    await expect(deidKey(file)).rejects.not.toThrow('my secret words');
  });
});

describeShared('De-identification of the shared DICOM set', 'dicom', () => {
  const tools = ['/usr/bin/dcmdump', '/usr/bin/python3'].every(existsSync);

  it('copies files that pydicom and dcmtk read, with the same pixels and nothing left to find', async () => {
    const kinds = [
      'cases/ct-chest-two-kernels/2-B70f/1-06.dcm',
      'cases/mr-enhanced-brain-nema/BRTUM001',
      'cases/pet-raw-sts001/FDG_PET/1-085.dcm',
      'singles/ts-ctimage/CTImage.dcm_BigEndianExplicitTransferSyntax_1.2.840.10008.1.2.2.dcm',
      'singles/ts-ctimage/CTImage.dcm_DeflatedExplicitVRLittleEndianTransferSyntax_1.2.840.10008.1.2.1.99.dcm',
      'singles/wg04/MR1_JPLL',
    ];
    for (const [i, kind] of kinds.entries()) {
      const source = sharedPath('dicom', ...kind.split('/'));
      const { result, files } = await copy(source, { out: `shared-${i}` });
      expect(result.outcome, kind).toBe('written');
      expect((await inspectDicom(files[0]!, null)).sha256, kind).toBe(
        (await inspectDicom(source, null)).sha256,
      );
      expect((await scanIdentifiers(files[0]!)).findings, kind).toEqual([]);
      if (!tools) continue;
      const dump = spawnSync('dcmdump', [files[0]!], { encoding: 'latin1' });
      expect(dump.status, `${kind}: ${dump.stderr}`).toBe(0);
      expect(dump.stdout).toContain('(0012,0062) CS [YES]');
    }
  }, 60_000);

  it('finds the text in 13 of the 14 pictures that were seen to show some, and none in the others', async () => {
    // The truth is a reader's, not the detector's: looked-at.json says how every picture was looked at.
    const seen = JSON.parse(await readFile(path.join(import.meta.dirname, 'looked-at.json'), 'utf8')) as {
      pictures: Record<string, string>;
    };
    const pictures = Object.entries(seen.pictures);
    const withText = pictures.flatMap(([file, verdict]) => (verdict.startsWith('text') ? [file] : []));
    expect([pictures.length, withText.length]).toEqual([159, 14]);
    const place = (file: string): string => sharedPath('dicom', ...file.split('/'));
    const look = async (file: string): Promise<boolean> => textInFrame(await readFramePixels(place(file), 0));
    const missed: string[] = [];
    for (const file of withText) if (!(await look(file))) missed.push(file);
    // Beside those looked at, plain slices of the cases; a third, by a hash: all take a quarter of a minute.
    const truth = JSON.parse(readFileSync(sharedPath('dicom', 'TRUTH.json'), 'utf8')) as {
      files: Record<string, { pixels?: { status: string } }>;
    };
    const slices = Object.entries(truth.files).flatMap(([file, { pixels }]) =>
      pixels?.status === 'ok' && !(file in seen.pictures) ? [file] : [],
    );
    const some = slices.filter((file) => createHash('md5').update(file).digest()[0]! % 3 === 0);
    expect(some.length).toBeGreaterThan(120);
    const without = [...pictures.map(([file]) => file).filter((file) => !withText.includes(file)), ...some];
    const wrong: string[] = [];
    for (const file of without) if (await look(file)) wrong.push(file);
    // The gate asks the header too: an ultrasound picture that does not say NO is kept out whatever is seen in it.
    const gate = await judge(withText.map((file) => ({ file: place(file), frames: [0] })));
    const refused = gate.filter((result) => 'rules' in result && result.rules.length > 0).length;
    process.stdout.write(
      `burned-in text: sensitivity ${withText.length - missed.length} of ${withText.length}, ` +
        `${refused} of ${withText.length} refused with the header's rules; ` +
        `false positives ${wrong.length} of ${without.length}\n`,
    );
    // Grey letters on black, fainter than a third of the picture's range.
    expect(missed).toEqual(['singles/pydicom/examples_ybr_color.dcm']);
    expect(refused).toBe(14);
    expect(wrong).toEqual([]);
  }, 60_000);
});
