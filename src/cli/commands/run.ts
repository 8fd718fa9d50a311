import path from 'node:path';
import type { Deps } from '../../adapters/deps.js';
import { workspacePaths } from '../../adapters/store/index.js';
import { EXIT, GroundmarkError } from '../../domain/error.js';
import { conditions, conditionSchema, type Condition } from '../../domain/response.js';
import { runModel, type RunSummary } from '../../score/index.js';
import type { Command } from '../command.js';

/** `groundmark run`. CONTRACT.md. */
export const command: Command = {
  arguments: '<release>',
  options: [
    { flags: '--model <model...>', description: 'baseline/NAME or scripted/FILE; several may be named' },
    { flags: '--condition <name>', description: `one of ${conditions.join(', ')}`, default: 'real' },
    {
      flags: '--key <file>',
      description: 'the private key, for baseline/oracle and baseline/majority-letter',
    },
    { flags: '--out <dir>', description: 'where the run folders go (default: runs/ of the workspace)' },
  ],
  example: 'npx groundmark run release/public --model baseline/random baseline/longest',
  details:
    'RELEASE is a folder with items.jsonl, or a workspace that holds a release. Replies go to <out>/<model>/responses.jsonl\n' +
    'as they come; a run that was stopped goes on where it was.\n' +
    'Baselines: random, longest, most-similar, most-central, majority-letter, oracle.\n' +
    'scripted/FILE reads JSONL lines {"itemId", "reply"} where reply is the raw text of an answer.',
  async run(args, options, common, deps) {
    const models = (options.model as string[] | undefined) ?? [];
    if (models.length === 0) throw usage('run needs --model, such as --model baseline/random', '--model');
    const release = await findRelease(args[0]!, deps);
    const keyFile = typeof options.key === 'string' ? path.resolve(options.key) : release.keyFile;
    const outDir =
      typeof options.out === 'string'
        ? path.resolve(options.out)
        : workspacePaths(release.workspace ?? common.workspace).runs;
    const runs = await runModel(
      {
        itemsFile: release.itemsFile,
        keyFile,
        models,
        condition: readCondition(options.condition ?? 'real'),
        outDir,
      },
      deps,
    );
    return { json: { runs }, text: runs.map(summaryLine) };
  },
};

interface Release {
  readonly itemsFile: string;
  /** The workspace's private key, when RELEASE is a workspace that has one. */
  readonly keyFile: string | null;
  readonly workspace: string | null;
}

/** @throws {GroundmarkError} `no-release` when the folder is neither a bundle nor a workspace with one */
async function findRelease(folder: string, deps: Pick<Deps, 'store'>): Promise<Release> {
  const root = path.resolve(folder);
  const itemsFile = path.join(root, 'items.jsonl');
  if (await deps.store.exists(itemsFile)) return { itemsFile, keyFile: null, workspace: null };
  const paths = workspacePaths(root);
  const released = path.join(paths.public, 'items.jsonl');
  if (await deps.store.exists(released)) {
    const keyFile = (await deps.store.exists(paths.key)) ? paths.key : null;
    return { itemsFile: released, keyFile, workspace: root };
  }
  throw new GroundmarkError(
    'no-release',
    `${root} holds no items.jsonl and no release/public/items.jsonl. Name a released bundle, or run \`groundmark release\` first.`,
    { path: root },
  );
}

function readCondition(value: unknown): Condition {
  const parsed = conditionSchema.safeParse(value);
  if (!parsed.success)
    throw usage(`--condition ${String(value)} is none of ${conditions.join(', ')}`, '--condition');
  return parsed.data;
}

function usage(what: string, option: string): GroundmarkError {
  return new GroundmarkError(
    'usage',
    `${what}. See \`groundmark run --help\`.`,
    { option },
    { exit: EXIT.usage },
  );
}

function summaryLine(run: RunSummary): string {
  const outcomes = Object.entries(run.outcomes).map(([name, n]) => `${n} ${name}`);
  const notes = [
    ...(run.kept > 0 ? [`${run.kept} kept from before`] : []),
    ...(run.torn > 0 ? ['1 torn line dropped'] : []),
    ...(run.missing > 0 ? [`${run.missing} without a reply`] : []),
  ];
  return `${run.model}: ${[...outcomes, ...notes].join(', ')} -> ${run.responsesFile}`;
}
