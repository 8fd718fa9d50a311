import path from 'node:path';
import type { Deps } from '../adapters/deps.js';
import { commitTo, readIdentities } from '../adapters/seal/index.js';
import { parseJsonl, type Store, type WorkspacePaths } from '../adapters/store/index.js';
import type { Case } from '../domain/config.js';
import { GroundmarkError } from '../domain/error.js';
import { keyEntrySchema } from '../domain/item.js';
import type { VerifyCheck } from '../domain/release.js';
import { checkBundle, type BundleReport } from './check-bundle.js';
import { gatherNeedles } from './leak/gather-needles.js';
import { keyProblems } from './public-items.js';
import { inForce } from './release-folders.js';
import { openFolder } from './seal-key.js';
import { identityFile } from './stage.js';

export interface VerifyInput {
  /** A public bundle, a release folder (with `public`), or a workspace (with `release/public`). Absolute. */
  readonly folder: string;
  /** File with age identities; null: the workspace's own is used when there is a workspace that has one. */
  readonly identityFile: string | null;
  /** The workspace whose private values are looked for; null for someone who has only the bundle. */
  readonly workspace: { readonly paths: WorkspacePaths; readonly cases: readonly Case[] } | null;
}

export interface VerifyReport {
  readonly ok: boolean;
  readonly folder: string;
  readonly items: number;
  readonly checks: readonly VerifyCheck[];
}

/**
 * Checks a released bundle without changing anything.
 *
 * @throws {GroundmarkError} `not-found` when no bundle is there
 */
export async function runVerify(
  input: VerifyInput,
  deps: Pick<Deps, 'store' | 'queue' | 'progress' | 'signal'>,
): Promise<VerifyReport> {
  const { bundle, sealed } = await locateBundle(input.folder, deps.store);
  const gathered = input.workspace
    ? await gatherNeedles(input.workspace.paths, input.workspace.cases, deps)
    : null;
  const report = await checkBundle(bundle, gathered?.needles ?? [], deps);
  const own = input.workspace ? identityFile(input.workspace.paths) : null;
  const identities = input.identityFile ?? (own !== null && (await deps.store.exists(own)) ? own : null);
  const checks = [...report.checks, await commitmentCheck(report, sealed, identities, deps.store)];
  return { ok: checks.every(({ ok }) => ok), folder: bundle, items: report.items.length, checks };
}

/** The bundle in force at or below a folder, and the sealed folder beside it. */
export async function locateBundle(
  folder: string,
  store: Store,
): Promise<{ readonly bundle: string; readonly sealed: string | null }> {
  const outs = [folder, path.join(folder, 'release')];
  if (path.basename(folder) === 'public') outs.push(path.dirname(folder));
  const isBundle = await anyExists(store, folder, ['items.jsonl', 'manifest.json']);
  if (isBundle) {
    const beside = path.basename(folder) === 'public' ? await inForce(path.dirname(folder), store) : null;
    return { bundle: folder, sealed: beside?.sealed ?? null };
  }
  for (const out of outs) {
    const found = await inForce(out, store);
    if (found.public !== null) return { bundle: found.public, sealed: found.sealed };
  }
  throw new GroundmarkError(
    'not-found',
    `${folder} holds no released bundle: no items.jsonl or manifest.json there, in public/ or in release/public/. Name the folder that \`groundmark release\` wrote.`,
    { folder },
  );
}

async function anyExists(store: Store, folder: string, names: readonly string[]): Promise<boolean> {
  for (const name of names) if (await store.exists(path.join(folder, name))) return true;
  return false;
}

/** Does the sealed key open to what the bundle promised? Not opened is no failure; a broken promise is. */
async function commitmentCheck(
  report: BundleReport,
  sealed: string | null,
  identities: string | null,
  store: Store,
): Promise<VerifyCheck> {
  const result = (ok: boolean, detail: string): VerifyCheck => ({ name: 'commitment', ok, detail });
  if (report.commitment === null) return result(false, 'commitment.json is missing or holds no commitment');
  if (identities === null) {
    return result(true, 'a commitment is there; not opened (name the secret key with --identity)');
  }
  if (sealed === null) {
    return result(false, 'there is no sealed folder beside the bundle, so the commitment cannot be checked');
  }
  const opened = await openFolder(store, sealed, await readIdentities(identities));
  if (opened === null) {
    return result(false, 'the sealed key is incomplete, damaged, or not sealed for this identity');
  }
  if (commitTo(opened.salt, opened.key) !== report.commitment) {
    return result(false, 'the sealed key is not the one that the commitment promised');
  }
  const key = parseJsonl(Buffer.from(opened.key).toString('utf8'), keyEntrySchema, 'key.jsonl');
  const problems = keyProblems(report.items, key);
  return problems.length === 0
    ? result(
        true,
        `the sealed key opens, is what was promised, and has the ${key.length} items of the bundle`,
      )
    : result(false, `the sealed key does not belong to these items (${problems.length} differences)`);
}
