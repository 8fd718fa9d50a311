import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import sharp from 'sharp';
import type { Progress } from '../../../src/adapters/deps.js';
import { command as index } from '../../../src/cli/commands/index-command.js';
import { command as inspect } from '../../../src/cli/commands/inspect.js';
import { indexRowSchema, indexSummarySchema, type IndexSummary } from '../../../src/domain/index-row.js';
import { parseJsonl } from '../../../src/adapters/store/index.js';
import { runIndex } from '../../../src/extract/index-studies/index.js';
import { ctFile } from '../../adapters/dicom/make-ct.js';
import { testDeps } from '../../helpers/deps.js';
import { describeShared, sharedPath } from '../../helpers/shared.js';

let root: string;
const at = (...names: string[]): string => path.join(root, ...names);
const common = { workspace: '/nowhere', json: true, seedGiven: false };
const source = (folder: string) => ({ caseId: null, root: at(folder), shownRoot: folder });
const runCommand = (args: string[], options: Record<string, unknown> = {}) =>
  index.run(args, options, common, testDeps());

beforeAll(() => {
  root = mkdtempSync(path.join(tmpdir(), 'groundmark-index-'));
  for (const folder of ['scan/deep', 'empty', 'text', 'other']) mkdirSync(at(folder), { recursive: true });
  [20, 0, 10].forEach((z, i) => {
    writeFileSync(at('scan/deep', `${i}.dcm`), ctFile({ z, instanceNumber: i + 1 }));
    writeFileSync(at('other', `${i}.dcm`), ctFile({ z, instanceNumber: i + 1 }));
  });
  writeFileSync(at('scan', 'copy.dcm'), ctFile({ z: 20, instanceNumber: 1 }));
  writeFileSync(at('scan', 'half.dcm'), ctFile({ z: 30, instanceNumber: 9 }).subarray(0, 605));
  writeFileSync(at('scan', 'readme.txt'), 'notes '.repeat(50));
  writeFileSync(at('text', 'a.txt'), 'a');
  writeFileSync(at('text', 'b.txt'), 'b');
  writeFileSync(
    at('cases.csv'),
    'case_id,patient_id,dicom_path,report_path\nc1,p1,other,r.txt\nc2,p2,empty,r.txt\n',
  );
});
afterAll(() => rmSync(root, { recursive: true }));

describe('runIndex', () => {
  it('gives rows in path order with paths under the shown root, and a reason for every other file', async () => {
    const { rows, summary } = await runIndex({ sources: [source('scan')] }, testDeps());
    expect(rows.map((row) => [row.path, row.position, row.duplicateOf])).toEqual([
      ['scan/copy.dcm', 2, null],
      ['scan/deep/0.dcm', 0, 'scan/copy.dcm'],
      ['scan/deep/1.dcm', 0, null],
      ['scan/deep/2.dcm', 1, null],
    ]);
    expect(summary).toMatchObject({
      files: 6,
      instances: 3,
      frames: 4,
      studies: 1,
      series: 1,
      volumes: 2,
      duplicates: 1,
      seconds: 0,
    });
    expect(summary.skipped.map(({ path: file, reason }) => [file, reason])).toEqual([
      ['scan/half.dcm', 'cut-off-header'],
      ['scan/readme.txt', 'not-dicom'],
    ]);
    for (const row of rows) expect(indexRowSchema.parse(row)).toEqual(row);
    expect(indexSummarySchema.parse(summary)).toEqual(summary);
  });

  it.each([
    { folder: 'empty', code: 'empty-source' },
    { folder: 'text', code: 'no-dicom' },
    { folder: 'absent', code: 'no-such-folder' },
  ])('stops with $code when $folder is the only source', async ({ folder, code }) => {
    await expect(runIndex({ sources: [source(folder)] }, testDeps())).rejects.toMatchObject({ code });
  });

  it('says how many files were no DICOM and the commonest reason', async () => {
    await expect(runIndex({ sources: [source('text')] }, testDeps())).rejects.toThrow(
      '2 files and no usable DICOM image; the commonest reason is not-dicom (2)',
    );
  });

  it('lists every file of every source with its reason when none gave a row', async () => {
    const sources = [
      { ...source('text'), caseId: 'c1' },
      { ...source('empty'), caseId: 'c2' },
      source('text'),
    ];
    await expect(runIndex({ sources }, testDeps())).rejects.toMatchObject({
      code: 'empty-source',
      context: {
        reasons: { 'empty-source': 1, 'not-dicom': 4 },
        skipped: [
          { path: 'empty', reason: 'empty-source', caseId: 'c2' },
          { path: 'text/a.txt', reason: 'not-dicom', caseId: 'c1' },
          { path: 'text/b.txt', reason: 'not-dicom', caseId: 'c1' },
          { path: 'text/a.txt', reason: 'not-dicom' },
          { path: 'text/b.txt', reason: 'not-dicom' },
        ],
      },
    });
  });

  it('tells of its progress file by file', async () => {
    const steps: string[] = [];
    const progress: Progress = {
      start: (label, total) => {
        steps.push(`${label} of ${total}`);
        return { tick: (n = 1) => steps.push(`+${n}`), done: () => steps.push('done') };
      },
    };
    await runIndex({ sources: [source('scan')] }, testDeps({ progress }));
    expect(steps).toEqual(['index of 6', '+6', 'done']);
  });

  it('records a case without images beside a good one', async () => {
    const sources = [
      { ...source('empty'), caseId: 'c2' },
      { ...source('other'), caseId: 'c1' },
    ];
    const { rows, summary } = await runIndex({ sources }, testDeps());
    expect(rows.map((row) => row.caseId)).toEqual(['c1', 'c1', 'c1']);
    expect(summary.skipped).toEqual([{ path: 'empty', reason: 'empty-source', caseId: 'c2' }]);
  });

  it('stops when asked to', async () => {
    const stopped = AbortSignal.abort();
    await expect(runIndex({ sources: [source('scan')], signal: stopped }, testDeps())).rejects.toThrow();
  });
});

describeShared('runIndex on a part of a DICOMDIR medium', 'dicom', () => {
  it('has a record for each listed file that is neither there nor indexed under another name', async () => {
    const folder = sharedPath('dicom', 'cases', 'dicomdir-pydicom');
    mkdirSync(at('medium'));
    cpSync(path.join(folder, 'DICOMDIR'), at('medium', 'DICOMDIR'));
    cpSync(path.join(folder, '6154'), at('medium', '6154'));
    const { rows, summary } = await runIndex({ sources: [source('medium')] }, testDeps());
    const missing = summary.skipped.filter(({ reason }) => reason === 'missing-referenced-file');
    // pydicom: 31 records of the DICOMDIR name a file, and one of them is 77654033/CR1/6154.
    expect(missing).toHaveLength(30);
    expect(missing[0]!.path).toBe('medium/77654033/CR2/6247');
    expect(rows).toHaveLength(1);
    // One with a row, the DICOMDIR itself, and the missing ones.
    expect(summary.files).toBe(32);
    expect(summary.skipped).toHaveLength(31);
  });
});

describe('groundmark index', () => {
  it('writes rows that the schema takes and prints the summary', async () => {
    const { json } = await runCommand([at('scan')], { out: at('index.jsonl') });
    expect((json as IndexSummary).frames).toBe(4);
    const text = (await testDeps().store.read(at('index.jsonl'))).toString('utf8');
    const rows = parseJsonl(text, indexRowSchema, 'index.jsonl');
    expect(rows.map((row) => row.path)).toContain(`${at('scan')}/deep/1.dcm`);
  });

  it('takes a cases.csv and names the case in every row', async () => {
    const { json } = await runCommand([at('cases.csv')], { out: at('cases.jsonl') });
    expect(json).toMatchObject({ files: 3, frames: 3, skipped: [{ reason: 'empty-source', caseId: 'c2' }] });
    const text = (await testDeps().store.read(at('cases.jsonl'))).toString('utf8');
    expect(new Set(parseJsonl(text, indexRowSchema, 'cases.jsonl').map((row) => row.caseId))).toEqual(
      new Set(['c1']),
    );
  });

  it('refuses a source of another scheme and exits 2', async () => {
    await expect(runCommand(['s3://bucket/scans'])).rejects.toMatchObject({
      code: 'unknown-source',
      exit: 2,
    });
  });
});

describe('groundmark inspect', () => {
  const run = (options: Record<string, unknown>, file = at('other/0.dcm')) =>
    inspect.run([file], options, common, testDeps());

  it('gives shape, geometry, statistics and the sha256 of the stored values', async () => {
    const { json } = await run({ pixels: at('out.raw') });
    expect(json).toMatchObject({
      format: 'dicom',
      kind: 'image',
      shape: [4, 4],
      axes: ['row', 'column'],
      dtype: 'int16',
      spacingMm: [0.5, 0.75],
      affine: [
        [0.75, 0, 0, -10],
        [0, 0.5, 0, -20],
        [0, 0, 1, 20],
        [0, 0, 0, 1],
      ],
      min: 0,
      max: 15,
      mean: 7.5,
      rescaled: false,
      // python3 -c "import hashlib,struct;print(hashlib.sha256(struct.pack('<16h',*range(16))).hexdigest())"
      sha256: '64a240d34d0c29ec867f653721a1532de6e665e602e7c03e0b853c9ef3094126',
    });
    expect((await testDeps().store.read(at('out.raw'))).readInt16LE(30)).toBe(15);
  });

  it('writes a PNG in the window asked for', async () => {
    // Values are -1024 to -1009. Centre -1016, width 2: x <= -1017 black, x > -1016 white, -1016 between at 255.
    const { json } = await run({ render: at('out.png'), window: '-1016,2' });
    expect(json).toMatchObject({ rendered: { width: 4, height: 4, window: { center: -1016, width: 2 } } });
    const { data, info } = await sharp(at('out.png'))
      .toColourspace('b-w')
      .raw()
      .toBuffer({ resolveWithObject: true });
    expect(info.channels).toBe(1);
    expect([...data]).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 255, 255, 255, 255, 255, 255, 255, 255]);
  });

  it.each([
    { options: { window: 'lungs' }, code: 'bad-option' },
    { options: { window: '40,0' }, code: 'bad-option' },
    { options: { window: '40' }, code: 'bad-option' },
    { options: { frame: '-1' }, code: 'bad-option' },
    { options: { frame: '1' }, code: 'no-such-frame' },
  ])('refuses $options as $code', async ({ options, code }) => {
    await expect(run(options)).rejects.toMatchObject({ code });
  });

  it('says that other formats are not built yet', async () => {
    await expect(run({}, at('scan/readme.txt'))).rejects.toMatchObject({ code: 'not-built', exit: 2 });
  });
});
