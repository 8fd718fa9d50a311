import type { Deps } from '../../adapters/deps.js';
import type { Workspace } from '../workspace.js';

/** A stage as the pipeline runs it. */
export interface PipelineStage {
  readonly name: StageName;
  /** What it does, for people. */
  readonly label: string;
  /** The part of groundmark.yaml that it looks at. */
  config(workspace: Workspace): unknown;
  /** Files (absolute) that it reads. */
  inputs(workspace: Workspace): readonly string[];
  /** Files and folders (absolute) that it writes. */
  outputs(workspace: Workspace): readonly string[];
  fingerprints?(workspace: Workspace, deps: Deps): Promise<Readonly<Record<string, string>>>;
  /** @returns counts for the manifest; plain data */
  work(workspace: Workspace, deps: Deps): Promise<Readonly<Record<string, unknown>>>;
}

export const STAGE_NAMES = [
  'index',
  'findings',
  'series',
  'sheets',
  'nominate',
  'pools',
  'check',
  'evidence',
  'questions',
  'audit',
] as const;
export type StageName = (typeof STAGE_NAMES)[number];
