import path from 'node:path';
import { withLock, workspaceSecret } from '../../adapters/store/index.js';
import { runRelease, type ReleaseSummary } from '../../release/index.js';
import type { Command } from '../command.js';
import { loadWorkspace } from '../workspace.js';

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
    const { paths, config, cases } = await loadWorkspace(common.workspace, deps);
    return withLock(paths.lock, deps.clock(), async () => {
      const sealTo = options.sealTo as readonly string[] | undefined;
      const out = options.out as string | undefined;
      const summary = await runRelease(
        {
          paths,
          ...(out === undefined ? {} : { out: path.resolve(out) }),
          recipients: sealTo ?? config.seal.recipients,
          cases,
          secret: await workspaceSecret(deps.store, paths, common.seedGiven ? deps.seed : config.seed),
        },
        deps,
      );
      return { json: summary, text: lines(summary) };
    });
  },
};

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
    `leak scan   nothing found; ${leakScan.values} private values looked for, ${leakScan.tooCommon} too short or common to look for, ${leakScan.unread} files unread`,
  ];
}
