import { mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { scanHeader } from '../../src/adapters/dicom/index.js';
import { command as build } from '../../src/cli/commands/build.js';
import { command as index } from '../../src/cli/commands/index-command.js';
import { demoConfig } from '../../src/cli/demo/demo-config.js';
import { readCases } from '../../src/cli/read-cases.js';
import { runPhantoms } from '../../src/demo/index.js';
import type { IndexRow, IndexSummary, SkippedFile } from '../../src/domain/index-row.js';
import { testDeps } from '../helpers/deps.js';
import {
  standInServer,
  type Behaviour,
  type StandIn,
  type StandInInstance,
} from '../helpers/dicomweb-server.js';
import { jsonLines } from '../helpers/e2e.js';

const AUTH = 'Bearer t0ken.of-the-test';
const environment = (name: string): string | undefined => (name === 'PACS' ? AUTH : undefined);

/** A phantom head CT whose images are in a PACS; the same images on disk for comparison. */
describe('cases whose images are in a PACS', () => {
  let home: string;
  let workspace: string;
  let images: string;
  let instances: StandInInstance[];
  let server: StandIn;
  let broken: string | null = null;

  const behaviour: Behaviour = {
    authorization: AUTH,
    pageCap: 20,
    instead: (asked, response) =>
      broken !== null && asked.path.endsWith(broken) && (response.writeHead(404).end(), true),
  };

  beforeAll(async () => {
    home = await mkdtemp(path.join(tmpdir(), 'gm-pacs-cases-'));
    workspace = path.join(home, 'workspace');
    images = path.join(home, 'images');
    await runPhantoms({ out: workspace, patients: 1 }, testDeps());
    const csv = path.join(workspace, 'cases.csv');
    const [only] = readCases(await readFile(csv, 'utf8'), csv);
    await rename(only!.imagePath!, images);
    instances = await Promise.all((await filesOf(images)).map(held));
    server = await standInServer(instances, behaviour);
    const url = `${server.source}?StudyInstanceUID=${instances[0]!.study}`;
    const report = path.relative(workspace, only!.reportPath!);
    await writeFile(
      csv,
      `case_id,patient_id,dicom_path,report_path\n${only!.caseId},${only!.patientId},${url},${report}\n`,
    );
    await writeFile(
      path.join(workspace, 'groundmark.yaml'),
      (await demoConfig(0)).replace('auth: null', 'auth: env:PACS'),
    );
  });
  afterAll(async () => {
    await server?.close();
    await rm(home, { recursive: true, force: true });
  });

  const common = () => ({ workspace, json: true, seedGiven: false });
  const rowsOf = async (): Promise<IndexRow[]> => jsonLines<IndexRow>(workspace, 'extract', 'index.jsonl');
  const runBuild = async (options: Record<string, unknown> = {}) => {
    const deps = testDeps({ environment });
    const { json } = await build.run([], options, common(), deps);
    return { stages: (json as { stages: { stage: string; skipped: boolean }[] }).stages, lines: deps.lines };
  };

  it('are not fetched by a dry run', async () => {
    await build.run([], { dryRun: true }, common(), testDeps({ environment }));
    expect(server.asked).toHaveLength(0);
  });

  it('are recorded one by one when the PACS does not give them', async () => {
    broken = `/instances/${instances[3]!.uid}`;
    await runBuild({ only: 'index' });
    expect(await rowsOf()).toHaveLength(instances.length - 1);
    const skipped = await jsonLines<SkippedFile>(workspace, 'extract', 'index-skipped.jsonl');
    expect(skipped).toMatchObject([{ reason: 'dicomweb-404', caseId: (await rowsOf())[0]!.caseId }]);
    expect(skipped[0]!.path.endsWith(broken)).toBe(true);
  });

  it('are completed by the next build, and give the rows that the folder gives', async () => {
    broken = null;
    const before = server.asked.length;
    await runBuild({ only: 'index' });
    expect(
      server.asked.slice(before).filter(({ path: asked }) => asked.split('/').length === 6),
    ).toHaveLength(1);
    const rows = await rowsOf();
    const out = path.join(home, 'disk.jsonl');
    await index.run([images], { out }, { ...common(), workspace: home }, testDeps());
    const disk = await jsonLines<IndexRow>(out);
    const plain = (list: IndexRow[]): unknown[] =>
      list
        .map(({ path: _path, caseId: _caseId, volumeId: _volumeId, ...row }) => row)
        .sort((a, b) => (a.sopInstanceUid! < b.sopInstanceUid! ? -1 : 1));
    expect(plain(rows)).toEqual(plain(disk));
    for (const { path: shown } of rows) {
      expect(shown).toMatch(
        /^\.groundmark\/dicomweb\/[0-9a-f]{16}\/dicom\/studies\/[\d.]+\/series\/[\d.]+\/instances\/[\d.]+$/u,
      );
    }
    expect(await jsonLines(workspace, 'extract', 'index-skipped.jsonl')).toEqual([]);
  });

  it('are built to the end, and a second build asks the PACS nothing and skips every stage', async () => {
    const first = await runBuild();
    expect(first.stages).toHaveLength(10);
    await server.close();
    const second = await runBuild();
    expect(second.stages.filter(({ skipped }) => !skipped)).toEqual([]);
    expect(JSON.stringify([first, second])).not.toContain('t0ken');
    server = await standInServer(instances, behaviour, Number(new URL(server.base).port));
  });

  it('are indexed from their cases.csv with instance URLs', async () => {
    const out = path.join(home, 'rows.jsonl');
    const deps = testDeps({ environment });
    const { json } = await index.run([path.join(workspace, 'cases.csv')], { out }, common(), deps);
    expect(json as IndexSummary).toMatchObject({
      files: instances.length,
      frames: instances.length,
      skipped: [],
    });
    const [first] = await jsonLines<IndexRow>(out);
    expect(first!.path.startsWith(`${server.base}/studies/`)).toBe(true);
    expect(first!.caseId).not.toBeNull();
  });

  it('count as files that were skipped when `index` cannot have them', async () => {
    broken = `/instances/${instances[3]!.uid}`;
    const outside = path.join(home, 'elsewhere');
    const deps = testDeps({ environment });
    const run = index.run(
      [server.source],
      { dicomwebAuth: 'env:PACS' },
      { ...common(), workspace: outside },
      deps,
    );
    const { json } = await run;
    broken = null;
    expect(json as IndexSummary).toMatchObject({
      files: instances.length,
      frames: instances.length - 1,
      skipped: [{ reason: 'dicomweb-404', path: `${server.base}/${place(instances[3]!)}` }],
    });
    expect((await readdir(tmpdir())).filter((name) => name.startsWith('groundmark-dicomweb-'))).toEqual([]);
  });

  it('are told apart from a URL that cannot be used, by file and line', async () => {
    const text = 'case_id,patient_id,dicom_path\na,P,dicomweb+http://u:hunter2@pacs/x\n';
    expect(() => readCases(text, '/data/cases.csv')).toThrow(
      /^\/data\/cases\.csv, line 2: .*--dicomweb-auth/u,
    );
    expect(() => readCases(text, '/data/cases.csv')).not.toThrow(/hunter2/u);
  });
});

function place({ study, series, uid }: StandInInstance): string {
  return `studies/${study}/series/${series}/instances/${uid}`;
}

async function filesOf(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
}

async function held(file: string): Promise<StandInInstance> {
  const [row] = await scanHeader(file);
  return {
    study: row!.studyInstanceUid!,
    series: row!.seriesInstanceUid!,
    uid: row!.sopInstanceUid!,
    file: await readFile(file),
  };
}
