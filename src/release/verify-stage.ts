import path from 'node:path';
import type { Deps } from '../adapters/deps.js';
import { bundleSeal, commitTo, readIdentities } from '../adapters/seal/index.js';
import { parseJsonl, type Store, type WorkspacePaths } from '../adapters/store/index.js';
import type { Case } from '../domain/config.js';
import { GroundmarkError } from '../domain/error.js';
import { keyEntrySchema } from '../domain/item.js';
import type { VerifyCheck } from '../domain/release.js';
import { MANIFEST_FILE } from './bundle-texts.js';
import { checkBundle, type BundleReport } from './check-bundle.js';
import { gatherNeedles } from './leak/gather-needles.js';
import { keyProblems } from './public-items.js';
import { inForce } from './release-folders.js';
import { openFolder, type OpenedFolder } from './seal-key.js';
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
  const identities = await identitiesAtHand(input, deps.store);
  const opened =
    identities.keys === null || sealed === null
      ? null
      : await openFolder(deps.store, sealed, identities.keys);
  const checks = [
    ...report.checks,
    await bundleSealCheck(bundle, opened, deps.store),
    commitmentCheck(report, sealed, identities, opened),
  ];
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

interface Identities {
  /** null: the sealed side stays closed. */
  readonly keys: readonly string[] | null;
  readonly why: string;
}

/** The identities that were named, else the workspace's own when this user may read them. */
async function identitiesAtHand(input: VerifyInput, store: Store): Promise<Identities> {
  const read = (file: string): Promise<string[]> => readIdentities(file, (at) => store.read(at));
  if (input.identityFile !== null) return { keys: await read(input.identityFile), why: '' };
  const own = input.workspace ? identityFile(input.workspace.paths) : null;
  if (own === null || !(await store.exists(own))) {
    return { keys: null, why: 'name the secret key with --identity' };
  }
  try {
    return { keys: await read(own), why: '' };
  } catch (cause) {
    if (!(cause instanceof GroundmarkError) || cause.code !== 'no-permission') throw cause;
    return { keys: null, why: "this user may not read the workspace's secret key" };
  }
}

/** Is the bundle the one that was sealed with the key? A manifest made anew after a change passes every hash but this. */
async function bundleSealCheck(
  bundle: string,
  opened: OpenedFolder | null,
  store: Store,
): Promise<VerifyCheck> {
  const result = (ok: boolean, detail: string): VerifyCheck => ({ name: 'bundle-seal', ok, detail });
  if (opened === null) {
    return result(true, 'not opened: whether the bundle is the one that was sealed is not known');
  }
  if (opened.seal === null) {
    return result(
      false,
      `the sealed folder holds no readable seal of ${MANIFEST_FILE}; release again to make one`,
    );
  }
  const file = path.join(bundle, MANIFEST_FILE);
  const same = (await store.exists(file)) && bundleSeal(opened.salt, await store.read(file)) === opened.seal;
  return same
    ? result(true, `${MANIFEST_FILE} is the one that was sealed with the key`)
    : result(false, `${MANIFEST_FILE} is not the one that was sealed with the key: the bundle was changed`);
}

/** Does the sealed key open to what the bundle promised? Not opened is no failure; a broken promise is. */
function commitmentCheck(
  report: BundleReport,
  sealed: string | null,
  identities: Identities,
  opened: OpenedFolder | null,
): VerifyCheck {
  const result = (ok: boolean, detail: string): VerifyCheck => ({ name: 'commitment', ok, detail });
  if (report.commitmentProblem !== null) return result(false, report.commitmentProblem);
  if (identities.keys === null) return result(true, `a commitment is there; not opened (${identities.why})`);
  if (sealed === null) {
    return result(false, 'there is no sealed folder beside the bundle, so the commitment cannot be checked');
  }
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
