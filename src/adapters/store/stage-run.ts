import path from 'node:path';
import { z } from 'zod';
import { record, SCHEMA_VERSION } from '../../domain/record.js';
import { hashValue, sha256 } from '../../util/hash.js';
import { TEMPORARY } from './file-store.js';
import type { Store } from './store.js';
import type { WorkspacePaths } from './workspace.js';

/** What a stage ran with and what it left (`.groundmark/manifests/<stage>.json`). */
export const manifestSchema = record({
  stage: z.string(),
  codeVersion: z.string(),
  configHash: z.string(),
  seed: z.number().int(),
  inputs: z.record(z.string(), z.string()),
  outputs: z.record(z.string(), z.string()),
  summary: z.unknown(),
});
export type Manifest = z.infer<typeof manifestSchema>;

export interface StageRun<T> {
  readonly stage: string;
  readonly codeVersion: string;
  /** The part of the configuration that this stage looks at. */
  readonly config: unknown;
  readonly seed: number;
  /** Files (absolute) that the stage reads. */
  readonly inputs: readonly string[];
  /** Fingerprints of inputs that are no single file, such as image folders. */
  readonly fingerprints?: Readonly<Record<string, string>>;
  /** Files or folders (absolute) that the stage writes. */
  readonly outputs: readonly string[];
  readonly work: () => Promise<T>;
}

/**
 * Runs a stage, or gives its earlier summary when code, configuration, seed, inputs and outputs are what they were.
 *
 * The manifest is written last: a stage killed on the way runs again.
 */
export async function runStage<T>(
  store: Store,
  paths: WorkspacePaths,
  run: StageRun<T>,
): Promise<{ readonly summary: T; readonly skipped: boolean }> {
  const file = manifestFile(paths, run.stage);
  const before = await stageKey(store, paths, run);
  const earlier = await unchanged(store, paths, run, before);
  if (earlier !== null) return { summary: earlier.summary as T, skipped: true };
  await store.remove(file);
  await sweep(store, [...run.outputs, paths.manifests, paths.steps]);
  const summary = await run.work();
  const outputs = await hashAll(store, paths, run.outputs);
  const manifest: Manifest = { schemaVersion: SCHEMA_VERSION, ...before, outputs, summary };
  await store.write(file, `${JSON.stringify(manifest, null, 2)}\n`);
  return { summary, skipped: false };
}

/** Whether `runStage` would skip the stage. */
export async function willSkip(
  store: Store,
  paths: WorkspacePaths,
  run: StageRun<unknown>,
): Promise<boolean> {
  return (await unchanged(store, paths, run, await stageKey(store, paths, run))) !== null;
}

/**
 * Removes the half files that a killed run left in these folders and beside these files. Nobody else is writing: the
 * caller holds the workspace's lock.
 */
async function sweep(store: Store, places: readonly string[]): Promise<void> {
  const removeFrom = async (folder: string, isOurs: (file: string) => boolean): Promise<void> => {
    const files = await store.list(folder).catch(() => []);
    for (const file of files) {
      if (TEMPORARY.test(file) && isOurs(file)) await store.remove(path.join(folder, file));
    }
  };
  for (const place of places) {
    await removeFrom(place, () => true);
    await removeFrom(path.dirname(place), (file) => file.startsWith(`${path.basename(place)}.`));
  }
}

type StageKey = Pick<Manifest, 'stage' | 'codeVersion' | 'configHash' | 'seed' | 'inputs'>;

function manifestFile(paths: WorkspacePaths, stage: string): string {
  return path.join(paths.manifests, `${stage}.json`);
}

async function stageKey(store: Store, paths: WorkspacePaths, run: StageRun<unknown>): Promise<StageKey> {
  return {
    stage: run.stage,
    codeVersion: run.codeVersion,
    configHash: hashValue(run.config ?? null),
    seed: run.seed,
    inputs: { ...(await hashAll(store, paths, run.inputs)), ...run.fingerprints },
  };
}

/** The manifest of the earlier run when it still holds. */
async function unchanged(
  store: Store,
  paths: WorkspacePaths,
  run: StageRun<unknown>,
  before: StageKey,
): Promise<Manifest | null> {
  const earlier = await readManifest(store, manifestFile(paths, run.stage));
  if (earlier === null) return null;
  const { outputs, summary: _summary, schemaVersion: _version, ...key } = earlier;
  const same =
    hashValue(key) === hashValue(before) &&
    hashValue(await hashAll(store, paths, run.outputs)) === hashValue(outputs);
  return same ? earlier : null;
}

/** null when there is none, or when it was written by another version: then the stage simply runs. */
async function readManifest(store: Store, file: string): Promise<Manifest | null> {
  if (!(await store.exists(file))) return null;
  try {
    return manifestSchema.parse(JSON.parse((await store.read(file)).toString('utf8')));
  } catch {
    return null;
  }
}

/** Hashes by path relative to the workspace, so that a moved workspace stays whole. */
async function hashAll(
  store: Store,
  paths: WorkspacePaths,
  files: readonly string[],
): Promise<Record<string, string>> {
  const hashes: Record<string, string> = {};
  for (const file of files) {
    const name = path.relative(paths.root, file).split(path.sep).join('/');
    hashes[name] = await hashPath(store, file);
  }
  return hashes;
}

/** SHA-256 of a file, or of a folder's names and contents; 'absent' when there is neither. */
async function hashPath(store: Store, file: string): Promise<string> {
  if (!(await store.exists(file))) return 'absent';
  const inside = await store.list(file).catch(() => null);
  if (inside === null || inside.length === 0) {
    return store.read(file).then(sha256, () => 'empty-folder');
  }
  const parts: string[] = [];
  for (const entry of inside) parts.push(`${entry}\n${sha256(await store.read(path.join(file, entry)))}\n`);
  return sha256(parts.join(''));
}
