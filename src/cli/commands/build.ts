import { withLock } from '../../adapters/store/index.js';
import type { Deps } from '../../adapters/deps.js';
import { EXIT, GroundmarkError } from '../../domain/error.js';
import type { Command } from '../command.js';
import { fetchCases } from '../pipeline/fetch-cases.js';
import { planPipeline, runPipeline, type StageReport } from '../pipeline/run-pipeline.js';
import { STAGE_NAMES, type StageName } from '../pipeline/stages.js';
import { stageLine } from '../pipeline/stage-line.js';
import { loadWorkspace, type Workspace } from '../workspace.js';

export const command: Command = {
  arguments: '',
  options: [
    { flags: '--only <stage>', description: `run one stage: ${STAGE_NAMES.join(', ')}` },
    { flags: '--from <stage>', description: 'run this stage and all later ones, changed or not' },
    { flags: '--dry-run', description: 'say what would run, and the calls and cost; run nothing' },
  ],
  example: 'npx groundmark build -w my-benchmark',
  details:
    'Stages whose inputs, configuration, seed and code did not change are skipped. A stopped build goes on where it was.\n' +
    'Afterwards: `groundmark release` writes the public bundle and the sealed key.',
  async run(_args, options, common, given) {
    const workspace = await loadWorkspace(common.workspace, given);
    const deps = { ...given, seed: common.seedGiven ? given.seed : workspace.config.seed };
    warnOfClassicalReviewers(workspace, deps);
    if (options['dryRun'] === true) {
      const plan = await planPipeline(workspace, deps);
      return {
        json: { plan, calls: 0, usd: 0 },
        text: [
          ...plan.map(
            ({ stage, wouldRun }) => `${stage}: ${wouldRun ? 'would run' : 'unchanged, would be skipped'}`,
          ),
          'Model calls: 0 (the offline engines and reader files need none). Cost: 0 USD.',
        ],
      };
    }
    const only = stageName(options['only'], '--only');
    const from = stageName(options['from'], '--from');
    const reports = await withLock(workspace.paths.lock, deps.clock(), async () => {
      if ((only ?? from ?? 'index') === 'index') await fetchCases(workspace, deps);
      return runPipeline(
        workspace,
        {
          ...(only && { only }),
          ...(from && { from }),
          onStage: (stage, report) => deps.log.info(stageLine(stage.label, report)),
        },
        deps,
      );
    });
    return { json: { stages: reports }, text: closing(reports, workspace.paths.root) };
  },
};

/** Says what offline/saliency is not, when nobody else looks at the images. */
function warnOfClassicalReviewers({ config }: Workspace, deps: Deps): void {
  if (!config.reviewers.every(({ model }) => model === 'offline/saliency')) return;
  deps.log.warn(
    'every reviewer is offline/saliency: classical image analysis, fit for phantoms and gross findings. ' +
      'On real cases its slices can be wrong; use readers’ files (model: file).',
  );
}

function closing(reports: readonly StageReport[], root: string): string[] {
  const items = reports.find(({ stage }) => stage === 'questions')?.summary['items'];
  if (typeof items !== 'number') return [`Done in ${root}.`];
  return [
    `${items} items in ${root}/mcq. Next: npx groundmark release -w ${root}`,
    ...(items === 0
      ? ['No item came out: retrieve/evidence.jsonl and mcq/contrast-sets.jsonl say why, target by target.']
      : []),
  ];
}

function stageName(value: unknown, option: string): StageName | undefined {
  if (value === undefined) return undefined;
  const known = STAGE_NAMES.find((name) => name === value);
  if (known !== undefined) return known;
  throw new GroundmarkError(
    'usage',
    `${option} ${value as string}: no such stage. Stages: ${STAGE_NAMES.join(', ')}.`,
    {},
    { exit: EXIT.usage },
  );
}
