import { stat } from 'node:fs/promises';
import path from 'node:path';
import { pickWindow, renderPngs, windowRulesSchema } from '../../adapters/image/index.js';
import { walkFiles } from '../../adapters/dicom/index.js';
import {
  folderFingerprint,
  readDataYaml,
  readJsonl,
  workspaceSecret,
  writeJsonl,
} from '../../adapters/store/index.js';
import { runAudit } from '../../audit/index.js';
import { indexRowSchema, type IndexRow } from '../../domain/index-row.js';
import { dropSharedStudies } from '../../extract/drop-shared-studies.js';
import { describeVolumes, runIndex, writeIndex } from '../../extract/index-studies/index.js';
import { runFindings } from '../../extract/reports/index.js';
import { runMcq } from '../../mcq/index.js';
import {
  reviewerMaker,
  runCheck,
  runEvidence,
  runNominate,
  runPools,
  runSeries,
  runSheets,
} from '../../retrieve/index.js';
import type { Deps } from '../../adapters/deps.js';
import { codeVersion } from '../version.js';
import type { Workspace } from '../workspace.js';
import { skippedByServices } from './fetch-cases.js';
import type { PipelineStage } from './stages.js';

const retrieve = ({ paths }: Workspace) => ({ paths, codeVersion: codeVersion() });

const review = async (workspace: Workspace, deps: Deps) => ({
  ...retrieve(workspace),
  images: await imageFingerprints(workspace),
  reviewers: workspace.config.reviewers,
  makeReviewer: await reviewerMaker(workspace.paths.root, deps),
});

const readerFiles = ({ config, paths }: Workspace, kind: 'nominations' | 'ratings'): string[] =>
  config.reviewers.flatMap((reviewer) => {
    const file = reviewer.model === 'file' ? reviewer[kind] : undefined;
    return file === undefined ? [] : [path.resolve(paths.root, file)];
  });

/** A path as the index shows it: relative to the workspace, with `/`. */
function shownPath(root: string, absolute: string): string {
  return path.relative(root, absolute).split(path.sep).join('/');
}

/**
 * For each case, where its images lie as seen from the workspace, and what tells that one of them changed. Every stage
 * that looks at pixels depends on it: the index alone does not change with them.
 */
async function imageFingerprints({ cases, paths }: Workspace): Promise<Record<string, string>> {
  const prints: Record<string, string> = {};
  for (const { caseId, imagePath } of cases) {
    const files = imagePath === null ? [] : await walkFiles(imagePath).catch(() => []);
    const inside = await folderFingerprint(
      imagePath ?? '',
      stat,
      files.filter(({ problem }) => problem === null).map(({ relative }) => relative),
    );
    prints[`images of ${caseId}`] =
      imagePath === null ? inside : `${shownPath(paths.root, imagePath)} ${inside}`;
  }
  return prints;
}

/** The stages of PROTOCOL.md §3, in order. */
export const PIPELINE: readonly PipelineStage[] = [
  {
    name: 'index',
    label: 'Index',
    config: () => null,
    inputs: ({ casesFile }) => [casesFile],
    outputs: ({ paths }) => [paths.index, paths.volumes, paths.indexSkipped],
    fingerprints: imageFingerprints,
    async work(workspace, deps) {
      const { cases, paths } = workspace;
      const sources = cases.flatMap(({ caseId, imagePath }) =>
        imagePath === null ? [] : [{ caseId, root: imagePath, shownRoot: shownPath(paths.root, imagePath) }],
      );
      const { rows, summary } = await runIndex({ sources }, deps);
      const order = cases.map(({ caseId }) => caseId);
      const kept = dropSharedStudies(rows, order);
      const noImages = cases
        .filter(({ imagePath }) => imagePath === null)
        .map(({ caseId }) => ({ path: '', reason: 'no-image-path', caseId }));
      const sharedStudies = kept.shared.map(({ caseId, keptBy, frames }) => ({
        path: '',
        reason: 'study-of-another-case',
        caseId,
        keptBy,
        frames,
      }));
      const byServices = await skippedByServices(workspace, deps);
      const skipped = [...byServices, ...summary.skipped, ...noImages, ...sharedStudies];
      await writeIndex(
        { rows: kept.rows, skipped, rowsFile: paths.index, databaseFile: paths.indexDatabase },
        deps,
      );
      await writeJsonl(deps.store, paths.volumes, describeVolumes(kept.rows));
      await writeJsonl(
        deps.store,
        paths.indexSkipped,
        skipped.map((entry) => ({ schemaVersion: 1, ...entry })),
      );
      for (const { reason, caseId } of skipped) {
        if (caseId === undefined || caseId === null || !LOST_CASE.has(reason)) continue;
        deps.log.warn(`case ${caseId as string} has no images (${reason})`);
      }
      for (const { caseId, keptBy } of kept.shared) {
        deps.log.warn(
          `case ${caseId} holds a study of case ${keptBy} and is left out (study-of-another-case)`,
        );
      }
      const { files, frames, studies, series, volumes } = summary;
      return {
        files,
        frames,
        studies,
        series,
        volumes,
        skipped: countBy(skipped, ({ reason }) => reason),
      };
    },
  },
  {
    name: 'findings',
    label: 'Findings',
    config: ({ config }) => config.findings,
    inputs: ({ casesFile, cases, paths }) => [
      casesFile,
      paths.index,
      ...cases.flatMap(({ reportPath }) => (reportPath === null ? [] : [reportPath])),
    ],
    outputs: ({ paths }) => [paths.findings, paths.targets, paths.caseRecords],
    work: async ({ cases, paths, config }, deps) => ({
      ...(await runFindings(
        { cases, rows: await readRows(paths.index, deps), paths, engine: config.findings.engine },
        deps,
      )),
    }),
  },
  {
    name: 'series',
    label: 'Series',
    config: () => null,
    inputs: ({ paths }) => [paths.index, paths.volumes],
    outputs: ({ paths }) => [paths.series],
    work: (workspace, deps) => runSeries(retrieve(workspace), deps),
  },
  {
    name: 'sheets',
    label: 'Contact sheets',
    fingerprints: imageFingerprints,
    config: () => null,
    inputs: ({ paths }) => [paths.index, paths.series, paths.targets],
    outputs: ({ paths }) => [paths.sheets],
    work: (workspace, deps) => runSheets(retrieve(workspace), deps),
  },
  {
    name: 'nominate',
    label: 'Blind nomination',
    fingerprints: imageFingerprints,
    config: ({ config }) => config.reviewers,
    inputs: (workspace) => [
      workspace.paths.index,
      workspace.paths.sheets,
      ...readerFiles(workspace, 'nominations'),
    ],
    outputs: ({ paths }) => [paths.nominations],
    work: async (workspace, deps) => runNominate(await review(workspace, deps), deps),
  },
  {
    name: 'pools',
    label: 'Pools',
    config: () => null,
    inputs: ({ paths }) => [paths.index, paths.series, paths.targets, paths.nominations],
    outputs: ({ paths }) => [paths.pools],
    work: (workspace, deps) => runPools(retrieve(workspace), deps),
  },
  {
    name: 'check',
    label: 'Check',
    fingerprints: imageFingerprints,
    config: ({ config }) => config.reviewers,
    inputs: (workspace) => [
      workspace.paths.index,
      workspace.paths.targets,
      workspace.paths.pools,
      ...readerFiles(workspace, 'ratings'),
    ],
    outputs: ({ paths }) => [paths.ratings],
    work: async (workspace, deps) => runCheck(await review(workspace, deps), deps),
  },
  {
    name: 'evidence',
    label: 'Evidence',
    config: () => null,
    inputs: ({ paths }) => [paths.index, paths.targets, paths.pools, paths.ratings],
    outputs: ({ paths }) => [paths.evidence],
    work: (workspace, deps) => runEvidence(retrieve(workspace), deps),
  },
  {
    name: 'questions',
    label: 'Questions',
    fingerprints: imageFingerprints,
    config: ({ config }) => ({ questions: config.questions, splits: config.splits }),
    inputs: ({ casesFile, paths }) => [casesFile, paths.index, paths.targets, paths.evidence],
    outputs: ({ paths }) => [paths.items, paths.key, paths.splits, paths.contrastSets, paths.itemImages],
    async work({ cases, paths, config }, deps) {
      const windows = await readDataYaml('windows.yaml', windowRulesSchema);
      const secret = await workspaceSecret(deps.store, paths, deps.seed);
      const render = async (rows: readonly IndexRow[], region: string | null, concept: string | null) => {
        const [first] = rows;
        const description = `${first?.seriesDescription ?? ''} ${first?.convolutionKernel ?? ''}`;
        const window = pickWindow(windows, {
          modality: first?.modality ?? null,
          region,
          concept,
          description,
        });
        const slices = rows.map((row) => ({
          file: path.resolve(paths.root, row.path),
          frame: row.frame,
          orientation: row.imageOrientationPatient,
          pixelSpacingMm: row.pixelSpacingMm,
        }));
        // A window taken from the slices needs them together; a fixed one lets every core draw.
        const groups = 'percentiles' in window ? [slices] : slices.map((slice) => [slice]);
        const pictures = await renderPngs(
          deps.queue,
          groups.map((group) => ({ slices: group, window, size: null })),
          { signal: deps.signal },
        );
        return pictures.flat();
      };
      return {
        ...(await runMcq(
          { paths, cases, questions: config.questions, splits: config.splits, secret, render },
          deps,
        )),
      };
    },
  },
  {
    name: 'audit',
    label: 'Audit',
    config: () => null,
    inputs: ({ paths }) => [paths.items, paths.key, paths.evidence, paths.itemImages],
    outputs: ({ paths }) => [paths.audit, paths.auditHtml],
    async work({ paths }, deps) {
      if ((await deps.store.read(paths.items)).length === 0) {
        await Promise.all([deps.store.remove(paths.audit), deps.store.remove(paths.auditHtml)]);
        return { items: 0 };
      }
      const report = await runAudit(
        {
          items: paths.items,
          keyFile: paths.key,
          evidenceFile: paths.evidence,
          out: paths.audit,
          html: paths.auditHtml,
        },
        deps,
      );
      return { items: report.dataset.items, flags: countBy(report.flags, ({ rule }) => rule) };
    },
  },
];

/** Reasons of the index that cost a case all its images. */
const LOST_CASE: ReadonlySet<string> = new Set([
  'no-image-path',
  'no-such-folder',
  'empty-source',
  'unreadable-folder',
]);

async function readRows(file: string, deps: Deps): Promise<IndexRow[]> {
  return readJsonl(deps.store, file, indexRowSchema);
}

function countBy<T>(records: readonly T[], of: (entry: T) => string): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const entry of records) counts[of(entry)] = (counts[of(entry)] ?? 0) + 1;
  return counts;
}
