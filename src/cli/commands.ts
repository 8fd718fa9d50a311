import type { Command } from './command.js';

interface CommandEntry {
  readonly name: string;
  readonly summary: string;
  readonly load: () => Promise<{ command: Command }>;
}

/** Every command that is built, in the order of `--help`. A command's code is loaded when it is called. */
export const COMMANDS: readonly CommandEntry[] = [
  {
    name: 'demo',
    summary:
      'make phantom cases, build a benchmark from them offline, score the baselines, write report.html',
    load: () => import('./commands/demo.js'),
  },
  {
    name: 'init',
    summary: 'make a workspace with a commented groundmark.yaml',
    load: () => import('./commands/init.js'),
  },
  {
    name: 'index',
    summary: 'list the studies, series and slices of DICOM folders in spatial order',
    load: () => import('./commands/index-command.js'),
  },
  {
    name: 'deid',
    summary: 'write de-identified copies of DICOM files',
    load: () => import('./commands/deid.js'),
  },
  { name: 'inspect', summary: 'show what one image file holds', load: () => import('./commands/inspect.js') },
  {
    name: 'findings',
    summary: 'find what radiology reports state',
    load: () => import('./commands/findings.js'),
  },
  {
    name: 'mentions',
    summary: 'tell whether sentences affirm, doubt or deny a concept',
    load: () => import('./commands/mentions.js'),
  },
  {
    name: 'sheets',
    summary: 'draw contact sheets of 12 labelled slices',
    load: () => import('./commands/sheets.js'),
  },
  {
    name: 'build',
    summary: 'turn a workspace into a benchmark, stage by stage, resumable',
    load: () => import('./commands/build.js'),
  },
  {
    name: 'audit',
    summary: 'find shortcuts in a multiple-choice set, ours or anyone’s',
    load: () => import('./commands/audit.js'),
  },
  {
    name: 'split',
    summary: 'split an item file by patient and case',
    load: () => import('./commands/split.js'),
  },
  {
    name: 'release',
    summary: 'write the public bundle and the sealed key',
    load: () => import('./commands/release.js'),
  },
  {
    name: 'verify',
    summary: 'check a released bundle: hashes, leaks, commitment',
    load: () => import('./commands/verify.js'),
  },
  { name: 'run', summary: 'run models on a released bundle', load: () => import('./commands/run.js') },
  {
    name: 'fake-provider',
    summary: 'stand in for the providers of models, to rehearse a run',
    load: () => import('./commands/fake-provider.js'),
  },
  {
    name: 'score',
    summary: 'score responses: answer, evidence and both together',
    load: () => import('./commands/score.js'),
  },
];

/** Commands of the contract that are not built yet: they say so, exit 2, and are not in `--help`. */
export const NOT_BUILT: readonly string[] = ['review', 'export', 'import', 'standardize', 'serve', 'worker'];
