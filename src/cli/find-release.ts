import path from 'node:path';
import type { Deps } from '../adapters/deps.js';
import { workspacePaths } from '../adapters/store/index.js';
import { GroundmarkError } from '../domain/error.js';

export interface Release {
  readonly itemsFile: string;
  /** The workspace's private key, when RELEASE is a workspace that has one. */
  readonly keyFile: string | null;
  readonly workspace: string | null;
}

/** @throws {GroundmarkError} `no-release` when the folder is neither a bundle nor a workspace with one */
export async function findRelease(folder: string, deps: Pick<Deps, 'store'>): Promise<Release> {
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
