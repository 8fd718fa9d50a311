import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { COPY_FOLDER_FILE, type KeepName } from '../../../../src/adapters/dicom/deid/index.js';
import { walkFiles } from '../../../../src/adapters/dicom/index.js';
import { runDeid, type DeidSummary } from '../../../../src/extract/deid/index.js';
import { testDeps } from '../../../helpers/deps.js';
import { groundmark } from '../../../helpers/e2e.js';
import { element, partTen } from './build-file.js';

const UID = '1.2.840.99999.44';
const KEY = Buffer.alloc(32, 3);
const OTHER_KEY = Buffer.alloc(32, 4);

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'groundmark-copies-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

function slice(instance: string, { maker = 'Maker', series = '1', patient = 'P-1' } = {}): Buffer {
  return partTen('1.2.840.10008.1.2.1', [
    element(0x00080016, 'UI', '1.2.840.10008.5.1.4.1.1.2'),
    element(0x00080018, 'UI', `${UID}.${instance}`),
    element(0x00080060, 'CS', 'CT'),
    element(0x00080070, 'LO', maker),
    element(0x00100020, 'LO', patient),
    element(0x0020000d, 'UI', `${UID}.0`),
    element(0x0020000e, 'UI', `${UID}.${series}`),
  ]);
}

async function put(files: Readonly<Record<string, Buffer>>): Promise<void> {
  for (const [name, bytes] of Object.entries(files)) {
    const file = path.join(folder, 'in', name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, bytes);
  }
}

interface Options {
  readonly out?: string;
  readonly key?: Uint8Array;
  readonly keep?: readonly KeepName[];
  readonly sources?: readonly string[];
}

function run({ out = 'out', key = KEY, keep = [], sources = ['in'] }: Options = {}): Promise<DeidSummary> {
  const input = {
    sources: sources.map((source) => path.join(folder, source)),
    out: path.join(folder, out),
    key,
    keep,
    allowBurnedIn: false,
  };
  return runDeid(input, testDeps());
}

const told = ({ skipped }: Pick<DeidSummary, 'skipped'>): string[] =>
  skipped.map((one) => `${path.relative(path.join(folder, 'in'), one.path)} ${one.reason}`);

/** Every file of a folder with its content. */
async function contents(out = 'out'): Promise<Record<string, string>> {
  const all: Record<string, string> = {};
  for (const { path: file, relative } of await walkFiles(path.join(folder, out))) {
    all[relative] = (await readFile(file)).toString('latin1');
  }
  return all;
}

describe('Files of one SOP Instance UID', () => {
  it('are copied once, the first by path: the others are duplicates, or have other content, and are told', async () => {
    await put({
      'a/1.dcm': slice('7'),
      'b/1.dcm': slice('7'),
      'b/2.dcm': slice('7', { maker: 'Another' }),
      'b/3.dcm': slice('7', { series: '2' }),
      'c.dcm': slice('8'),
    });
    const first = await run();
    expect(first).toMatchObject({ files: 5, written: 2, kept: 0, patients: 1 });
    expect(told(first)).toEqual(['b/1.dcm duplicate', 'b/2.dcm same-uid', 'b/3.dcm same-uid']);
    const before = await contents();
    const again = await run();
    expect(again).toMatchObject({ files: 5, written: 0, kept: 2 });
    expect(told(again)).toEqual(told(first));
    expect(await contents()).toEqual(before);
  });

  it('lets the second be copied when the first cannot be', async () => {
    await put({ 'a.dcm': slice('7').subarray(0, 300), 'b.dcm': slice('7'), 'c.dcm': slice('7') });
    const summary = await run();
    expect(summary).toMatchObject({ written: 1 });
    expect(told(summary)).toEqual(['a.dcm cut-off-header', 'c.dcm duplicate']);
  });

  it('stay apart from a copy of an earlier run, at its place and at another', async () => {
    await put({ 'b.dcm': slice('7', { series: '2' }), 'c.dcm': slice('8') });
    expect(await run()).toMatchObject({ written: 2 });
    const before = await contents();
    await put({
      'a.dcm': slice('7', { series: '3' }),
      'c.dcm': slice('8', { maker: 'Another' }),
      'd.dcm': slice('9'),
    });
    const second = await run();
    expect(second).toMatchObject({ files: 4, written: 1, kept: 1 });
    expect(told(second)).toEqual(['a.dcm same-uid', 'c.dcm other-copy']);
    expect(await contents()).toMatchObject(before);
  });

  it('count a file once that two sources lead to', async () => {
    await put({ 'sub/a.dcm': slice('7') });
    expect(await run({ sources: ['in', 'in/sub'] })).toMatchObject({ files: 1, written: 1, skipped: [] });
  });

  it('are told alike in JSON by one worker and by two, and when a run is taken up again', async () => {
    const many: Record<string, Buffer> = {};
    for (let i = 0; i < 60; i++) {
      many[`${100 + i}.dcm`] = slice(String(i));
      if (i % 7 === 0) many[`z/${100 + i}.dcm`] = slice(String(i), { maker: i % 2 ? 'Another' : 'Maker' });
    }
    await put(many);
    await writeFile(path.join(folder, 'key'), Buffer.from(KEY).toString('hex'));
    const summaries: unknown[] = [];
    for (const [out, workers] of [
      ['one', '1'],
      ['two', '2'],
    ] as const) {
      const args = ['deid', path.join(folder, 'in'), '--out', path.join(folder, out), '--json', '--quiet'];
      const more = ['--key-file', path.join(folder, 'key'), '--workers', workers];
      const { code, stdout } = await groundmark([...args, ...more]);
      expect(code).toBe(0);
      const summary = JSON.parse(stdout) as DeidSummary;
      summaries.push({ ...summary, seconds: 0, out: '' });
      expect(summary).toMatchObject({ files: 69, written: 60, kept: 0 });
      // 0, 14, 28, 42, 56 are equal; 7, 21, 35, 49 are not.
      const reasons = told(summary).sort();
      expect(reasons.filter((one) => one.endsWith('duplicate'))).toEqual(
        [100, 114, 128, 142, 156].map((n) => `z/${n}.dcm duplicate`),
      );
      expect(reasons.filter((one) => one.endsWith('same-uid'))).toEqual(
        [107, 121, 135, 149].map((n) => `z/${n}.dcm same-uid`),
      );
      // A run that was killed: one copy is missing, and one was being written.
      const before = await contents(out);
      const [copy, other] = Object.keys(before).filter((name) => name.endsWith('.dcm'));
      await rm(path.join(folder, out, copy!));
      await rename(path.join(folder, out, other!), path.join(folder, out, `${other!}.4711-0.tmp`));
      const resumed = JSON.parse((await groundmark([...args, ...more])).stdout) as DeidSummary;
      expect(resumed).toMatchObject({ files: 69, written: 2, kept: 58 });
      expect(told(resumed)).toEqual(told(summary));
      expect(await contents(out)).toEqual(before);
    }
    expect(summaries[0]).toEqual(summaries[1]);
    expect(await contents('one')).toEqual(await contents('two'));
  });
});

describe('A folder of copies', () => {
  const refused = (says: string) => ({
    code: 'other-copies',
    exit: 3,
    message: expect.stringMatching(new RegExp(`${says}.*name another folder with --out`, 'su')) as string,
  });

  it.each<[string, Options, string]>([
    ['another key', { key: OTHER_KEY }, 'another key'],
    ['an option more', { keep: ['device'] }, 'no --keep option'],
  ])('is not mixed with copies of %s, and stays as it was', async (_, options, says) => {
    await put({ 'a.dcm': slice('7') });
    await run();
    const before = await contents();
    await put({ 'b.dcm': slice('8') });
    await expect(run(options)).rejects.toMatchObject(refused(says));
    expect(await contents()).toEqual(before);
    expect(await run({ ...options, out: 'fresh' })).toMatchObject({ written: 2 });
  });

  it('names the options it was made with, in whatever order they are given', async () => {
    await put({ 'a.dcm': slice('7') });
    await run({ keep: ['device', 'descriptors'] });
    expect(await run({ keep: ['descriptors', 'device'] })).toMatchObject({ kept: 1 });
    await expect(run()).rejects.toMatchObject(refused('--keep descriptors,device'));
  });

  it('is not added to when nothing says how its copies were made, or what says so is spoiled', async () => {
    await put({ 'a.dcm': slice('7') });
    await run();
    const record = path.join(folder, 'out', COPY_FOLDER_FILE);
    await writeFile(record, '{"schemaVersion":1');
    await expect(run()).rejects.toMatchObject(refused('cannot be read'));
    await rm(record);
    await expect(run()).rejects.toMatchObject(refused('nothing says with which key'));
  });

  it('may hold other things, and its record tells neither the key nor a patient', async () => {
    await put({ 'a.dcm': slice('7', { patient: 'MRN-777-XY' }) });
    await mkdir(path.join(folder, 'out'));
    await writeFile(path.join(folder, 'out', 'README.md'), 'mine');
    expect(await run()).toMatchObject({ written: 1 });
    const names = (await readdir(path.join(folder, 'out'))).sort();
    expect(names[0]).toBe(COPY_FOLDER_FILE);
    const record = await readFile(path.join(folder, 'out', COPY_FOLDER_FILE), 'utf8');
    expect(JSON.parse(record)).toEqual({
      schemaVersion: 1,
      profile: '2024b',
      keep: [],
      keyCheck: expect.stringMatching(/^[0-9a-f]{16}$/u) as string,
    });
    expect(record).not.toContain('MRN');
    expect(record).not.toContain(KEY.toString('hex').slice(0, 16));
  });
});
