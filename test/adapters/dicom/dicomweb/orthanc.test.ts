import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readDataText } from '../../../../src/adapters/store/index.js';
import { command } from '../../../../src/cli/commands/index-command.js';
import type { IndexRow, IndexSummary } from '../../../../src/domain/index-row.js';
import { testDeps } from '../../../helpers/deps.js';
import { jsonLines } from '../../../helpers/e2e.js';
import { describeOrthanc, startOrthanc, type Orthanc } from '../../../helpers/orthanc.js';
import { describeShared, sharedPath } from '../../../helpers/shared.js';

/** CT with a SEG, enhanced MR, PET: every file. */
const CASES = ['ct-3slice-liver-seg', 'mr-enhanced-brain-nema', 'pet-raw-sts001'].map(
  (name) => `cases/${name}/`,
);
/** Of these, up to three single files each. */
const SYNTAXES = {
  '1.2.840.10008.1.2.2': 'Explicit VR Big Endian',
  '1.2.840.10008.1.2.4.50': 'JPEG',
  '1.2.840.10008.1.2.4.51': 'JPEG, 12 bits',
  '1.2.840.10008.1.2.4.57': 'JPEG lossless',
  '1.2.840.10008.1.2.4.70': 'JPEG lossless, first order',
  '1.2.840.10008.1.2.4.80': 'JPEG-LS',
  '1.2.840.10008.1.2.4.81': 'JPEG-LS, near lossless',
  '1.2.840.10008.1.2.4.90': 'JPEG 2000, lossless',
  '1.2.840.10008.1.2.4.91': 'JPEG 2000',
  '1.2.840.10008.1.2.5': 'RLE',
} as const;
const MOST = 3;

interface Sent {
  readonly file: string;
  readonly sha256: string;
  readonly syntax: string;
}

/** Files of MANIFEST.tsv, whose syntax and hash other software wrote down. */
function chosen(): Sent[] {
  const lines = readFileSync(sharedPath('dicom', 'MANIFEST.tsv'), 'utf8').trim().split('\n').slice(1);
  const counts = new Map<string, number>();
  return lines.flatMap((line) => {
    const [file, , sha256, , , , , syntax] = line.split('\t');
    const of: Sent = { file: sharedPath('dicom', file!), sha256: sha256!, syntax: syntax! };
    if (CASES.some((folder) => file!.startsWith(folder))) return [of];
    const count = (counts.get(syntax!) ?? 0) + 1;
    if (!file!.startsWith('singles/') || !(syntax! in SYNTAXES) || count > MOST) return [];
    counts.set(syntax!, count);
    return [of];
  });
}

const suite: typeof describeOrthanc = existsSync(sharedPath('dicom'))
  ? describeOrthanc
  : (title, body) => describeShared(title, 'dicom', body);

suite('a real PACS (Orthanc)', () => {
  let orthanc: Orthanc;
  let folder: string;
  /** What Orthanc took, one file an instance. */
  let sent: Sent[];
  const workspace = (): string => path.join(folder, 'workspace');

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'gm-pacs-'));
    orthanc = await startOrthanc();
    await mkdir(path.join(folder, 'disk'));
    await mkdir(workspace());
    const yaml = (await readDataText('templates/groundmark.yaml')).replace('auth: null', 'auth: env:PACS');
    await writeFile(path.join(workspace(), 'groundmark.yaml'), yaml);
    sent = [];
    for (const one of chosen()) {
      // Some singles are one instance in several syntaxes; a PACS keeps the first of them.
      if ((await orthanc.upload(one.file)) !== 'stored') continue;
      await symlink(one.file, path.join(folder, 'disk', `${String(sent.length).padStart(4, '0')}.dcm`));
      sent.push(one);
    }
  }, 120_000);
  afterAll(async () => {
    await orthanc?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const deps = (password?: string) =>
    testDeps({
      environment: (name) =>
        name === 'PACS' ? (password === undefined ? orthanc.credentials : `reader:${password}`) : undefined,
    });

  async function index(source: string, options: Record<string, unknown>, at: string) {
    const out = path.join(folder, 'rows.jsonl');
    const common = { workspace: at, json: true, seedGiven: false };
    const own = deps();
    const { json } = await command.run([source], { out, ...options }, common, own);
    return { summary: json as IndexSummary, rows: await jsonLines<IndexRow>(out), lines: own.lines };
  }

  const comparable = (rows: readonly IndexRow[]): Omit<IndexRow, 'path'>[] =>
    rows
      .map(({ path: _path, ...row }) => row)
      .sort((a, b) =>
        a.sopInstanceUid! < b.sopInstanceUid!
          ? -1
          : a.sopInstanceUid! > b.sopInstanceUid!
            ? 1
            : a.frame - b.frame,
      );

  it('was given CT, enhanced MR, PET, and every compressed syntax', () => {
    for (const [syntax, name] of Object.entries(SYNTAXES)) {
      expect([name, sent.some((one) => one.syntax === syntax)]).toEqual([name, true]);
    }
    for (const part of CASES)
      expect([part, sent.some(({ file }) => file.includes(part))]).toEqual([part, true]);
  });

  it('gives the same rows as the disk, with instance URLs for paths', async () => {
    const disk = await index(path.join(folder, 'disk'), {}, folder);
    const pacs = await index(orthanc.source, {}, workspace());
    expect(comparable(pacs.rows)).toEqual(comparable(disk.rows));
    const { instances, frames, studies, series, volumes } = disk.summary;
    expect(pacs.summary).toMatchObject({ instances, frames, studies, series, volumes });
    expect(pacs.summary.files).toBe(disk.summary.files);
    const reasons = ({ skipped }: IndexSummary): string[] => skipped.map(({ reason }) => reason).sort();
    expect(reasons(pacs.summary)).toEqual(reasons(disk.summary));
    for (const row of pacs.rows) {
      expect(row.path).toBe(
        `${orthanc.base}/studies/${row.studyInstanceUid}/series/${row.seriesInstanceUid}/instances/${row.sopInstanceUid}`,
      );
    }
    expect(JSON.stringify([pacs.summary, pacs.rows, pacs.lines])).not.toMatch(/s3cret|cmVhZGVy/u);
  });

  it('gives every file byte for byte, in its own transfer syntax', async () => {
    const { rows } = await index(orthanc.source, {}, workspace());
    const copies = path.join(workspace(), '.groundmark', 'dicomweb');
    const byHash = new Map<string, string>();
    for (const row of rows) {
      const place = row.path.slice(`${orthanc.base}/`.length);
      const [copy] = (await readdirOf(copies))
        .map((own) => path.join(copies, own, 'dicom', place))
        .filter(existsSync);
      byHash.set(
        createHash('sha256')
          .update(await readFile(copy!))
          .digest('hex'),
        row.transferSyntaxUid!,
      );
    }
    const indexed = sent.filter(({ sha256 }) => byHash.has(sha256));
    expect(indexed.length).toBe(new Set(rows.map((row) => row.sopInstanceUid)).size);
    for (const { sha256, syntax } of indexed) expect(byHash.get(sha256)).toBe(syntax);
  });

  it('is not asked again for what is here', async () => {
    const { lines } = await index(orthanc.source, {}, workspace());
    expect(lines.join('\n')).toMatch(
      new RegExp(`${sent.length} instances, 0 fetched, ${sent.length} here already`, 'u'),
    );
  });

  it('gives one series when asked for one, from a temporary folder without a workspace', async () => {
    const all = await index(orthanc.source, {}, workspace());
    const [row] = all.rows.filter(({ modality }) => modality === 'PT');
    const source = `${orthanc.source}?StudyInstanceUID=${row!.studyInstanceUid}&SeriesInstanceUID=${row!.seriesInstanceUid}`;
    const one = await index(source, { dicomwebAuth: 'env:PACS' }, folder);
    const wanted = all.rows.filter((other) => other.seriesInstanceUid === row!.seriesInstanceUid);
    expect(comparable(one.rows)).toEqual(comparable(wanted));
    expect(await readdirOf(folder)).not.toContain('.groundmark');
  });

  it('refuses a wrong password clearly, without repeating it', async () => {
    const common = { workspace: folder, json: true, seedGiven: false };
    const error: unknown = await command
      .run([orthanc.source], { dicomwebAuth: 'env:PACS' }, common, deps('hunter2'))
      .catch((cause: unknown) => cause);
    expect(error).toMatchObject({ code: 'dicomweb-401', exit: 4 });
    const { message, stack } = error as Error;
    expect(message).toContain('--dicomweb-auth env:NAME');
    expect(`${message} ${stack} ${JSON.stringify(error)}`).not.toMatch(/hunter2|cmVhZGVy/u);
  });

  it('says when nothing matches', async () => {
    const common = { workspace: workspace(), json: true, seedGiven: false };
    await expect(
      command.run([`${orthanc.source}?StudyInstanceUID=9.9.9`], {}, common, deps()),
    ).rejects.toMatchObject({ code: 'dicomweb-no-match' });
  });
});

async function readdirOf(folder: string): Promise<string[]> {
  return (await readdir(folder)).sort();
}
