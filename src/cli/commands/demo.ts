import path from 'node:path';
import type { Deps } from '../../adapters/deps.js';
import { withLock, workspacePaths, workspaceSecret } from '../../adapters/store/index.js';
import { runPhantoms } from '../../demo/index.js';
import { auditSchema } from '../../domain/audit.js';
import { EXIT } from '../../domain/error.js';
import type { ScoreReport } from '../../domain/score.js';
import { runRelease } from '../../release/index.js';
import { percent, renderReport, runFolderName, runModel, runScore } from '../../score/index.js';
import type { Command, CommandResult } from '../command.js';
import { auditSummary } from '../demo/audit-summary.js';
import { demoConfig } from '../demo/demo-config.js';
import { demoFacts, type DemoFacts } from '../demo/figures.js';
import { demoGallery } from '../demo/gallery.js';
import { runPipeline } from '../pipeline/run-pipeline.js';
import { stageLine } from '../pipeline/stage-line.js';
import { packageVersion } from '../version.js';
import { loadWorkspace, type Workspace } from '../workspace.js';

const BASELINES = [
  'baseline/random',
  'baseline/longest',
  'baseline/most-similar',
  'baseline/most-central',
  'baseline/majority-letter',
  'baseline/oracle',
] as const;

export const command: Command = {
  arguments: '',
  options: [{ flags: '--out <dir>', description: 'the workspace that is made', default: 'groundmark-demo' }],
  example: 'npx groundmark demo --out groundmark-demo',
  details:
    'Phantom patients with planted findings and matching reports go the whole road: index, findings, contact sheets,\n' +
    'blind nomination, check, questions, audit, release, baselines, scores, report.html. Nothing leaves the machine.',
  async run(_args, options, _common, deps) {
    const out = path.resolve(options['out'] as string);
    return withLock(workspacePaths(out).lock, deps.clock(), () => makeDemo(out, deps));
  },
};

async function makeDemo(out: string, deps: Deps): Promise<CommandResult> {
  const made = await runPhantoms({ out }, deps);
  deps.log.info(
    `Phantoms: ${made.cases} cases of ${made.patients} patients, ${made.files} DICOM files, ${made.planted} findings to ask about`,
  );
  await deps.store.write(path.join(out, 'groundmark.yaml'), await demoConfig(deps.seed));
  const workspace = await loadWorkspace(out, deps);
  await runPipeline(
    workspace,
    { onStage: ({ label }, report) => deps.log.info(stageLine(label, report)) },
    deps,
  );
  const release = await releaseOf(workspace, deps);
  deps.log.info(
    `Release: ${release.items} items, ${release.images} images; leak scan found nothing (${release.leakScan.values} private values looked for)`,
  );
  const scores = await scoreBaselines(workspace, deps);
  const facts = await demoFacts(workspace, scores, deps);
  await writeReport(workspace, scores, facts, deps);
  const failed = facts.figures.filter(({ ok }) => !ok);
  return {
    json: {
      workspace: out,
      report: workspace.paths.report,
      ...made,
      items: facts.items.length,
      agreement: facts.agreement,
      figures: facts.figures,
      commitment: release.commitment,
    },
    text: [
      ...headline(scores),
      '',
      ...facts.figures.map(
        ({ name, value, bar, ok }) => `${ok ? 'ok  ' : 'MISS'} ${name}: ${value} (${bar})`,
      ),
      '',
      `Report: ${workspace.paths.report}`,
    ],
    exit: failed.length === 0 ? EXIT.done : EXIT.checkFailed,
  };
}

async function releaseOf({ paths, config, cases }: Workspace, deps: Deps) {
  const secret = await workspaceSecret(deps.store, paths, deps.seed);
  return runRelease({ paths, recipients: config.seal.recipients, cases, secret }, deps);
}

async function scoreBaselines({ paths }: Workspace, deps: Deps): Promise<ScoreReport> {
  await runModel(
    {
      itemsFile: path.join(paths.public, 'items.jsonl'),
      keyFile: paths.key,
      models: BASELINES,
      condition: 'real',
      outDir: paths.runs,
    },
    deps,
  );
  return runScore(
    {
      keyFile: paths.key,
      responseFiles: BASELINES.map((model) => path.join(paths.runs, runFolderName(model), 'responses.jsonl')),
      out: path.join(paths.runs, 'scores.json'),
    },
    deps,
  );
}

async function writeReport(
  workspace: Workspace,
  scores: ScoreReport,
  facts: DemoFacts,
  deps: Deps,
): Promise<void> {
  const { paths, cases } = workspace;
  const html = renderReport({
    title: 'Groundmark demo benchmark',
    subtitle: 'Made from phantom patients with planted findings; every step ran offline.',
    scores,
    dataset: {
      items: facts.items.length,
      cases: cases.length,
      patients: new Set(cases.map(({ patientId }) => patientId)).size,
      splits: facts.splits,
      letters: facts.letters,
    },
    audit: auditSummary(auditSchema.parse(JSON.parse((await deps.store.read(paths.audit)).toString('utf8')))),
    gallery: await demoGallery(workspace, facts.items, facts.key, deps),
    figures: facts.figures,
    footer: `groundmark ${packageVersion()}, seed ${deps.seed}`,
  });
  await deps.store.write(paths.report, html);
}

function headline({ models }: ScoreReport): string[] {
  const width = Math.max(...models.map(({ model }) => model.length));
  const cell = (rate: number | null): string => percent(rate).padStart(9);
  return [
    `${'model'.padEnd(width)}${'answer'.padStart(9)}${'evidence'.padStart(9)}${'joint'.padStart(9)}`,
    ...models.map(
      ({ model, answer, evidence, joint }) =>
        `${model.padEnd(width)}${cell(answer.rate)}${cell(evidence.rate)}${cell(joint.rate)}`,
    ),
  ];
}
