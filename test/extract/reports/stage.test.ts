import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { fileStore, readJsonl, workspacePaths } from '../../../src/adapters/store/index.js';
import type { Case } from '../../../src/domain/config.js';
import { reportFindingsSchema, targetSchema } from '../../../src/domain/finding.js';
import { runFindings } from '../../../src/extract/reports/index.js';
import { testDeps } from '../../helpers/deps.js';
import { aRow } from '../../helpers/volumes.js';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(path.join(os.tmpdir(), 'findings-'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

async function caseWith(caseId: string, bytes: string | Uint8Array | null, exists = true): Promise<Case> {
  const reportPath = bytes === null ? null : path.join(root, `${caseId}.txt`);
  if (reportPath !== null && exists) await writeFile(reportPath, bytes!);
  return { caseId, patientId: caseId, imagePath: null, reportPath };
}

describe('runFindings', () => {
  it('writes one record for every case, also for those without a usable report', async () => {
    const latin1 = Buffer.from(
      'EXAM: CT of the head.\nFINDINGS: There is a mass in the left frontal lobe (5 \xb5m).',
      'latin1',
    );
    const cases = [
      await caseWith(
        'good',
        'EXAM: CT of the chest.\nFINDINGS: There is a mass in the right lower lobe. It measures 2 cm.',
      ),
      await caseWith('latin', latin1),
      await caseWith('none', null),
      await caseWith('gone', '', false),
      await caseWith('empty', ' \n'),
    ];
    const paths = workspacePaths(root);
    const deps = testDeps();
    const rows = cases.map(({ caseId }) => aRow(0, { caseId }));
    const summary = await runFindings({ cases, rows, paths }, deps);
    expect(summary).toMatchObject({
      cases: 5,
      reports: 2,
      targets: 2,
      dropped: { 'needs-measurement': 1 },
      statuses: { 'empty-report': 1, 'no-report': 1, ok: 2, 'unreadable-report': 1 },
      windows1252: 1,
    });
    const store = fileStore();
    const records = await readJsonl(store, paths.caseRecords, z.looseObject({ caseId: z.string() }));
    expect(records).toMatchObject([
      { caseId: 'good', status: 'ok', encoding: 'utf-8', targets: 1, dropped: { 'needs-measurement': 1 } },
      { caseId: 'latin', status: 'ok', encoding: 'windows-1252', targets: 1 },
      { caseId: 'none', status: 'no-report', encoding: null, targets: 0 },
      { caseId: 'gone', status: 'unreadable-report', encoding: null },
      { caseId: 'empty', status: 'empty-report', encoding: 'utf-8' },
    ]);
    const findings = await readJsonl(store, paths.findings, reportFindingsSchema);
    expect(findings.map((one) => one.reportId)).toEqual(['good.txt', 'latin.txt']);
    const targets = await readJsonl(store, paths.targets, targetSchema);
    expect(targets.map(({ targetId, region, modality }) => [targetId, region, modality])).toEqual([
      ['good/01', 'chest', 'CT'],
      ['good/02', 'chest', 'CT'],
      ['latin/01', 'head', 'CT'],
    ]);
    expect(deps.lines.join('\n')).not.toMatch(/mass|lobe/);
  });

  it('drops the targets of a case without images and says so', async () => {
    const text =
      'EXAM: CT of the chest.\nFINDINGS: There is a mass in the right lower lobe. It measures 2 cm.';
    const cases = [await caseWith('good', text), await caseWith('bare', text)];
    const paths = workspacePaths(root);
    const summary = await runFindings({ cases, rows: [aRow(0, { caseId: 'good' })], paths }, testDeps());
    expect(summary).toMatchObject({
      targets: 1,
      dropped: { 'needs-measurement': 2, 'no-images': 1 },
      statuses: { ok: 1, 'no-images': 1 },
    });
  });

  it('refuses a model engine before it reads anything', async () => {
    const input = { cases: [], rows: [], paths: workspacePaths(root), engine: 'openai/some-model' };
    await expect(runFindings(input, testDeps())).rejects.toMatchObject({ code: 'not-built-yet', exit: 2 });
  });
});
