import { rm } from 'node:fs/promises';
import path from 'node:path';
import type { Deps } from '../../adapters/deps.js';
import { runStage, willSkip, type StageRun } from '../../adapters/store/index.js';
import { codeVersion } from '../version.js';
import type { Workspace } from '../workspace.js';
import { checkModels } from './check-models.js';
import { PIPELINE } from './definitions.js';
import type { PipelineStage, StageName } from './stages.js';

export interface StageReport {
  readonly stage: StageName;
  readonly skipped: boolean;
  readonly summary: Readonly<Record<string, unknown>>;
  readonly seconds: number;
}

export interface PipelineOptions {
  /** Only this stage. */
  readonly only?: StageName;
  /** This stage and all later ones run even when nothing changed. */
  readonly from?: StageName;
  /** The last stage to run. */
  readonly to?: StageName;
  readonly onStage?: (stage: PipelineStage, report: StageReport) => void;
}

/**
 * Runs the stages of PROTOCOL.md §3 in order, each skipped when nothing that it depends on changed. The
 * caller holds the workspace's lock.
 */
export async function runPipeline(
  workspace: Workspace,
  options: PipelineOptions,
  deps: Deps,
): Promise<StageReport[]> {
  await checkModels(workspace, deps);
  const reports: StageReport[] = [];
  const from =
    options.from === undefined ? Infinity : PIPELINE.findIndex(({ name }) => name === options.from);
  for (const [i, stage] of PIPELINE.entries()) {
    if (options.only !== undefined && stage.name !== options.only) continue;
    deps.signal.throwIfAborted();
    if (i >= from || options.only !== undefined) {
      await rm(path.join(workspace.paths.manifests, `${stage.name}.json`), { force: true });
    }
    const began = deps.clock().getTime();
    const run = await stageRun(stage, workspace, deps);
    const { summary, skipped } = await runStage(deps.store, workspace.paths, run);
    const seconds = Math.round((deps.clock().getTime() - began) / 100) / 10;
    const report = { stage: stage.name, skipped, summary, seconds };
    reports.push(report);
    options.onStage?.(stage, report);
    if (stage.name === options.to) break;
  }
  return reports;
}

/** What `build` would do: for each stage, whether it would run. After the first that runs, later ones may too. */
export async function planPipeline(
  workspace: Workspace,
  deps: Deps,
): Promise<{ readonly stage: StageName; readonly wouldRun: boolean }[]> {
  await checkModels(workspace, deps);
  const plan: { stage: StageName; wouldRun: boolean }[] = [];
  let running = false;
  for (const stage of PIPELINE) {
    running ||= !(await willSkip(deps.store, workspace.paths, await stageRun(stage, workspace, deps)));
    plan.push({ stage: stage.name, wouldRun: running });
  }
  return plan;
}

async function stageRun(
  stage: PipelineStage,
  workspace: Workspace,
  deps: Deps,
): Promise<StageRun<Readonly<Record<string, unknown>>>> {
  return {
    stage: stage.name,
    codeVersion: codeVersion(),
    config: stage.config(workspace),
    seed: deps.seed,
    inputs: stage.inputs(workspace),
    fingerprints: (await stage.fingerprints?.(workspace, deps)) ?? {},
    outputs: stage.outputs(workspace),
    work: () => stage.work(workspace, deps),
  };
}
