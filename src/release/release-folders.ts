import path from 'node:path';
import { moveFolder } from '../adapters/store/move-folder.js';
import { byCodeUnit, type Store } from '../adapters/store/index.js';
import { GroundmarkError } from '../domain/error.js';
import { commitmentSchema, releaseManifestSchema, sealedSchema } from '../domain/release.js';
import { sha256 } from '../util/hash.js';

/**
 * A release folder holds `public` and `sealed`. New ones are built beside them as `*.partial` and come in by renames:
 * sealed → sealed.previous, sealed.partial → sealed, then the same for public, then the previous ones are removed.
 * Whatever step a run is killed at, `inForce` tells which pair belongs together.
 */
export interface ReleaseFolders {
  readonly public: string;
  readonly sealed: string;
}

export function releaseFolders(out: string): ReleaseFolders {
  return { public: path.join(out, 'public'), sealed: path.join(out, 'sealed') };
}

export const partial = (folder: string): string => `${folder}.partial`;
const previous = (folder: string): string => `${folder}.previous`;

/** The bundle that counts, and the sealed key that belongs to it; each null when there is none. Changes nothing. */
export async function inForce(
  out: string,
  store: Store,
): Promise<{ readonly public: string | null; readonly sealed: string | null }> {
  const folders = releaseFolders(out);
  const bundle = await firstThere(store, [folders.public, previous(folders.public)]);
  const sealed: string[] = [];
  for (const folder of [folders.sealed, previous(folders.sealed)]) {
    if (await store.exists(folder)) sealed.push(folder);
  }
  if (sealed.length < 2 || bundle === null) return { public: bundle, sealed: sealed[0] ?? null };
  const promise = commitmentSchema.safeParse(await readJson(store, path.join(bundle, 'commitment.json')));
  const manifest = path.join(bundle, 'manifest.json');
  const manifestSha256 = (await store.exists(manifest)) ? sha256(await store.read(manifest)) : null;
  // The key can be the same in both while the public side was changed: then only the manifest tells.
  let best = { folder: sealed[0]!, rank: 0 };
  for (const folder of sealed) {
    const own = sealedSchema.safeParse(await readJson(store, path.join(folder, 'sealed.json')));
    if (!own.success || !promise.success || own.data.commitment !== promise.data.commitment) continue;
    const rank = own.data.manifestSha256 === manifestSha256 ? 2 : 1;
    if (rank > best.rank) best = { folder, rank };
  }
  return { public: bundle, sealed: best.folder };
}

async function firstThere(store: Store, folders: readonly string[]): Promise<string | null> {
  for (const folder of folders) if (await store.exists(folder)) return folder;
  return null;
}

/** Ends what a killed release left: the pair in force gets its plain names, all else is removed. */
export async function settle(out: string, store: Store): Promise<void> {
  const folders = releaseFolders(out);
  const now = await inForce(out, store);
  for (const name of ['public', 'sealed'] as const) {
    const folder = folders[name];
    if (now[name] === previous(folder)) {
      await store.remove(folder);
      await moveFolder(previous(folder), folder);
    }
    await store.remove(previous(folder));
    await store.remove(partial(folder));
  }
}

/** Brings in what was built as `*.partial`; a folder without a partial stays. */
export async function swapIn(out: string, store: Store): Promise<void> {
  const folders = releaseFolders(out);
  for (const folder of [folders.sealed, folders.public]) {
    if (!(await store.exists(partial(folder)))) continue;
    if (await store.exists(folder)) await moveFolder(folder, previous(folder));
    await moveFolder(partial(folder), folder);
  }
  await store.remove(previous(folders.public));
  await store.remove(previous(folders.sealed));
}

/**
 * Refuses a folder that `release` did not write, or that holds files of someone else: it is going to be replaced whole.
 *
 * @throws {GroundmarkError} `not-ours` naming the folder and one file
 */
export async function refuseForeign(store: Store, folders: ReleaseFolders): Promise<void> {
  for (const [folder, mark, schema] of [
    [folders.public, 'manifest.json', releaseManifestSchema],
    [folders.sealed, 'sealed.json', sealedSchema],
  ] as const) {
    const files = await store.list(folder);
    if (files.length === 0) continue;
    const parsed = schema.safeParse(await readJson(store, path.join(folder, mark)));
    const known = new Set(parsed.success ? [mark, ...parsed.data.files.map((file) => file.path)] : []);
    const foreign = files.filter((file) => !known.has(file)).sort(byCodeUnit);
    if (foreign.length === 0) continue;
    const why = parsed.success
      ? `holds ${foreign[0]}, which release did not write`
      : `was not written by release`;
    throw new GroundmarkError(
      'not-ours',
      `${folder} ${why}, and a release replaces the folder whole. Move it away or choose another folder with --out.`,
      { folder, foreign: foreign.length },
    );
  }
}

/** The JSON of a file, or null when it is absent or broken. */
export async function readJson(store: Store, file: string): Promise<unknown> {
  if (!(await store.exists(file))) return null;
  const text = (await store.read(file)).toString('utf8');
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}
