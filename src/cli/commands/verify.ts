import path from 'node:path';
import type { Deps } from '../../adapters/deps.js';
import { EXIT } from '../../domain/error.js';
import { runVerify } from '../../release/index.js';
import type { Command } from '../command.js';
import { loadWorkspace, type Workspace } from '../workspace.js';

export const command: Command = {
  arguments: '<dir>',
  options: [
    {
      flags: '--identity <file>',
      description: 'age secret key that opens the sealed key, to check the commitment',
    },
  ],
  example: 'npx groundmark verify my-benchmark/release/public',
  details:
    'DIR is a public bundle, a release folder or a workspace. Exit 1 when a check fails. Inside a workspace its private\n' +
    'values are looked for as well; anyone else gets the general patterns (UIDs, dates, paths, field names).',
  async run([dir], options, common, deps) {
    const folder = path.resolve(dir!);
    const identity = options.identity as string | undefined;
    const report = await runVerify(
      {
        folder,
        identityFile: identity === undefined ? null : path.resolve(identity),
        workspace: await workspaceAround(folder, common.workspace, deps),
      },
      deps,
    );
    const mark = (ok: boolean): string => (ok ? 'ok  ' : 'FAIL');
    return {
      json: report,
      text: [
        ...report.checks.map(({ name, ok, detail }) => `${mark(ok)}  ${name.padEnd(12)}  ${detail}`),
        report.ok ? `${report.folder} is sound.` : `${report.folder} is NOT sound.`,
      ],
      exit: report.ok ? EXIT.done : EXIT.checkFailed,
    };
  },
};

/** The workspace that a bundle lies in, or the one that was named; null when there is neither. */
async function workspaceAround(
  folder: string,
  named: string,
  deps: Pick<Deps, 'store'>,
): Promise<Workspace | null> {
  for (const root of [folder, path.dirname(folder), path.dirname(path.dirname(folder)), named]) {
    if (await deps.store.exists(path.join(root, 'groundmark.yaml'))) return loadWorkspace(root, deps);
  }
  return null;
}
