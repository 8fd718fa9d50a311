import path from 'node:path';
import { withLock, workspaceSecret } from '../../adapters/store/index.js';
import type { Deps } from '../../adapters/deps.js';
import { GroundmarkError } from '../../domain/error.js';
import { runRelease, type ReleaseSummary } from '../../release/index.js';
import type { Command } from '../command.js';
import { planPipeline } from '../pipeline/run-pipeline.js';
import { loadWorkspace, type Workspace } from '../workspace.js';

export const command: Command = {
  arguments: '',
  options: [
    {
      flags: '--out <dir>',
      description: 'folder that gets public/ and sealed/ (default: release in the workspace)',
    },
    {
      flags: '--seal-to <recipient...>',
      description: 'age public keys that can open the key (default: seal.recipients, else an own key pair)',
    },
  ],
  example: 'npx groundmark release --workspace my-benchmark --seal-to age1…',
  details:
    'Writes public/ (items, images, dataset card, manifest, commitment), which is all that may leave the workspace,\n' +
    'and sealed/ (the encrypted key). Refuses when private data would be published.',
  async run(_args, options, common, deps) {
    const workspace = await loadWorkspace(common.workspace, deps);
    const { paths, config, cases } = workspace;
    const seed = common.seedGiven ? deps.seed : config.seed;
    return withLock(paths.lock, deps.clock(), async () => {
      // Under the lock: a build that runs right now is no stale one.
      await refuseStale(workspace, { ...deps, seed });
      const sealTo = options.sealTo as readonly string[] | undefined;
      const out = options.out as string | undefined;
      const summary = await runRelease(
        {
          paths,
          ...(out === undefined ? {} : { out: path.resolve(out) }),
          recipients: sealTo ?? config.seal.recipients,
          cases,
          allow: config.release.allow,
          secret: await workspaceSecret(deps.store, paths, seed),
        },
        deps,
      );
      return { json: summary, text: lines(summary) };
    });
  },
};

/**
 * A release holds what was built from the workspace as it is now: a case that was withdrawn, or a changed report, must
 * not be published from an older build.
 */
async function refuseStale(workspace: Workspace, deps: Deps): Promise<void> {
  const stale = (await planPipeline(workspace, deps)).find(({ wouldRun }) => wouldRun);
  if (stale === undefined) return;
  throw new GroundmarkError(
    'stale-build',
    `${workspace.paths.root} changed since it was built, or its build did not end (stage ${stale.stage}). ` +
      `Run \`groundmark build\` first, then release.`,
    { stage: stale.stage },
  );
}

function lines(summary: ReleaseSummary): string[] {
  const { leakScan } = summary;
  const sealed = summary.sealedKept ? 'unchanged' : `sealed for ${summary.recipients.length}`;
  const identity =
    summary.identityFile === null
      ? []
      : [
          `secret key  ${summary.identityFile}${summary.identityMade ? ' (made now; back it up and keep it private)' : ''}`,
        ];
  return [
    `public      ${summary.public} (${summary.items} items, ${summary.images} images, ${summary.files} files)`,
    `key         ${summary.sealed} (${sealed})`,
    ...identity,
    `commitment  ${summary.commitment}`,
    `pixel gate  ${summary.pixelGate.slices} slices of ${summary.pixelGate.files} files looked at, ${summary.pixelGate.allowed} findings allowed by groundmark.yaml`,
    `leak scan   nothing found; ${leakScan.values} private values looked for, ${leakScan.tooCommon} too short or common to look for, ${leakScan.unread} files unread`,
  ];
}
