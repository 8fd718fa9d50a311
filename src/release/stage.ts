import path from 'node:path';
import type { Deps } from '../adapters/deps.js';
import {
  checkRecipients,
  commitmentSalt,
  commitTo,
  ownIdentity,
  type OwnIdentity,
} from '../adapters/seal/index.js';
import {
  byCodeUnit,
  parseJsonl,
  readDataText,
  readJsonl,
  type WorkspacePaths,
} from '../adapters/store/index.js';
import type { Case, Config } from '../domain/config.js';
import { EXIT, GroundmarkError } from '../domain/error.js';
import { itemSchema, keyEntrySchema } from '../domain/item.js';
import { bundleTexts, MANIFEST_FILE } from './bundle-texts.js';
import { chanceLevels } from './chance-levels.js';
import { checkBundle } from './check-bundle.js';
import { describeHits } from './leak/describe-hits.js';
import { gatherNeedles } from './leak/gather-needles.js';
import { judgePixels, refuseFlagged } from './pixel-gate.js';
import { keyProblems, toPublicItems } from './public-items.js';
import { partial, refuseForeign, releaseFolders, settle, swapIn } from './release-folders.js';
import { sealedHolds, writeSealed, type SealContent } from './seal-key.js';
import { writeBundle } from './write-bundle.js';

export interface ReleaseInput {
  readonly paths: WorkspacePaths;
  /** Folder that gets `public` and `sealed`; the workspace's `release` when absent. */
  readonly out?: string;
  /** age public keys; empty: the workspace's own key pair is used, and made when there is none. */
  readonly recipients: readonly string[];
  readonly cases: readonly Case[];
  /** Findings of the pixel gate that do not keep the release back. */
  readonly allow?: Config['release']['allow'];
  /** The workspace's secret (`workspaceSecret`): the salt comes from it. */
  readonly secret: string;
}

export type ReleaseDeps = Pick<Deps, 'store' | 'queue' | 'progress' | 'signal' | 'log'> & {
  /** Makes an age identity; age's own generator when absent. */
  readonly makeIdentity?: () => Promise<string>;
};

export interface ReleaseSummary {
  readonly public: string;
  readonly sealed: string;
  readonly items: number;
  readonly images: number;
  readonly files: number;
  readonly bytes: number;
  readonly commitment: string;
  readonly recipients: readonly string[];
  /** Where the workspace's own secret key lies; null when others hold the keys. */
  readonly identityFile: string | null;
  /** Whether this run made it. */
  readonly identityMade: boolean;
  /** Whether the sealed key of an earlier release was still right and stayed. */
  readonly sealedKept: boolean;
  readonly pixelGate: { readonly files: number; readonly slices: number; readonly allowed: number };
  readonly leakScan: { readonly values: number; readonly tooCommon: number; readonly unread: number };
}

/**
 * Writes the public bundle and the sealed key of a built workspace. The same workspace and seed give the same public
 * bytes. A run killed anywhere leaves the old pair or the new one (`release-folders.ts`).
 *
 * @throws {GroundmarkError} `leak` (exit 1) when a private value was found in what would be published, `bad-bundle`
 * (exit 1) when another check of `verify` fails; in both cases nothing is released and an earlier release stays
 */
export async function runRelease(input: ReleaseInput, deps: ReleaseDeps): Promise<ReleaseSummary> {
  const { store } = deps;
  const { paths } = input;
  checkRecipients(input.recipients);
  const items = await readJsonl(store, paths.items, itemSchema);
  const keyBytes = await store.read(paths.key);
  const key = parseJsonl(keyBytes.toString('utf8'), keyEntrySchema, paths.key);
  if (items.length === 0) {
    throw new GroundmarkError('no-items', `${paths.items} has no item. Run \`groundmark build\` first.`, {});
  }
  const published = toPublicItems(items);
  const mismatch = keyProblems(published, key);
  if (mismatch.length > 0) {
    throw new GroundmarkError(
      'key-mismatch',
      `mcq/items.jsonl and mcq/key.jsonl do not belong together: ${mismatch[0]}. Run \`groundmark build --from questions\`.`,
      { problems: mismatch.length },
    );
  }

  const gate = await judgePixels({ paths, allow: input.allow ?? [] }, deps);
  await store.write(paths.deidReport, `${JSON.stringify(gate, null, 2)}\n`);
  refuseFlagged(gate, paths.deidReport);

  const out = input.out ?? path.dirname(paths.public);
  const folders = releaseFolders(out);
  await settle(out, store);
  await refuseForeign(store, folders);
  const salt = commitmentSalt(input.secret, keyBytes);
  const commitment = commitTo(salt, keyBytes);
  const texts = bundleTexts(
    published,
    commitment,
    chanceLevels(key),
    await readDataText('prompts/answer.md'),
  );
  try {
    const files = await writeBundle(partial(folders.public), texts, items, path.dirname(paths.items), deps);
    const gathered = await gatherNeedles(paths, input.cases, deps);
    if (gathered.unread > 0) {
      deps.log.warn(
        `${gathered.unread} DICOM headers or reports could not be read; their values were not looked for in the bundle.`,
      );
    }
    await refuseBadBundle(partial(folders.public), gathered.needles, deps);

    const own = await ownKey(input, deps);
    const recipients = [...new Set(own ? [own.recipient] : input.recipients)].sort(byCodeUnit);
    const manifest = await store.read(path.join(partial(folders.public), MANIFEST_FILE));
    const content: SealContent = { key: keyBytes, salt, commitment, manifest, recipients };
    const sealedKept = await sealedHolds(store, folders.sealed, content, own ? [own.identity] : []);
    if (!sealedKept) await writeSealed(store, partial(folders.sealed), content);
    await swapIn(out, store);
    return {
      public: folders.public,
      sealed: folders.sealed,
      items: published.length,
      images: published.reduce((n, item) => n + item.images.length, 0),
      files: files.length + 1,
      bytes: files.reduce((n, file) => n + file.bytes, 0),
      commitment,
      recipients,
      identityFile: own ? identityFile(paths) : null,
      identityMade: own?.made ?? false,
      sealedKept,
      pixelGate: { files: gate.files, slices: gate.slices, allowed: gate.allowed.length },
      leakScan: {
        values: gathered.needles.length,
        tooCommon: gathered.tooCommon,
        unread: gathered.unread,
      },
    };
  } catch (cause) {
    // settle, not remove: when the swap itself broke, what is in force must stay.
    await settle(out, store).catch(() => undefined);
    throw cause;
  }
}

/** Where a workspace keeps its own secret key. */
export function identityFile(paths: WorkspacePaths): string {
  return path.join(paths.state, 'identity.txt');
}

async function ownKey(input: ReleaseInput, { makeIdentity }: ReleaseDeps): Promise<OwnIdentity | null> {
  return input.recipients.length > 0 ? null : ownIdentity(identityFile(input.paths), makeIdentity);
}

async function refuseBadBundle(
  folder: string,
  needles: Parameters<typeof checkBundle>[1],
  deps: ReleaseDeps,
): Promise<void> {
  const { checks, hits } = await checkBundle(folder, needles, deps);
  if (hits.length > 0) {
    const lines = describeHits(hits);
    const more = lines.length > 5 ? `; and ${lines.length - 5} more` : '';
    throw new GroundmarkError(
      'leak',
      `Private data would be published: ${lines.slice(0, 5).join('; ')}${more}. ` +
        `The bundle was removed and nothing was released. Take the data out of the items and build again.`,
      { places: lines.length, kinds: [...new Set(hits.map(({ kind }) => kind))].sort(byCodeUnit) },
      { exit: EXIT.checkFailed },
    );
  }
  const failed = checks.filter(({ ok }) => !ok);
  if (failed.length === 0) return;
  throw new GroundmarkError(
    'bad-bundle',
    `The bundle does not pass its own checks: ${failed.map(({ name, detail }) => `${name}: ${detail}`).join('. ')}. ` +
      `Nothing was released. Build the items again.`,
    { failed: failed.map(({ name }) => name) },
    { exit: EXIT.checkFailed },
  );
}
