import path from 'node:path';
import type { z } from 'zod';
import type { Deps } from '../adapters/deps.js';
import { parseJsonl, readDataText, toJsonl } from '../adapters/store/index.js';
import {
  commitmentSchema,
  publicItemSchema,
  releaseManifestSchema,
  type CommitmentRecord,
  type PublicItem,
  type ReleaseManifest,
  type VerifyCheck,
} from '../domain/release.js';
import { sha256 } from '../util/hash.js';
import { BUNDLE_FILES, MANIFEST_FILE, pretty } from './bundle-texts.js';
import { bundleTree } from './bundle-tree.js';
import { check, imageChecks } from './image-checks.js';
import { job, type ImageFacts } from './image-job.js';
import { describeHits, fileNamer } from './leak/describe-hits.js';
import type { Needle } from './leak/needle.js';
import type { LeakScanner, ScanHit } from './leak/scan.js';
import { itemProblems } from './public-items.js';
import { readJson } from './release-folders.js';
import { bundleScanner } from './variable-parts.js';

export interface BundleReport {
  readonly checks: VerifyCheck[];
  readonly items: readonly PublicItem[];
  readonly hits: readonly ScanHit[];
  /** What commitment.json promises; null when it is not what release writes for so many items. */
  readonly commitment: string | null;
  readonly commitmentProblem: string | null;
}

type CheckDeps = Pick<Deps, 'store' | 'queue' | 'progress' | 'signal'>;

/** Every check of a public bundle that needs nothing but the bundle, and the leak scan with the needles at hand. */
export async function checkBundle(
  folder: string,
  needles: readonly Needle[],
  deps: CheckDeps,
): Promise<BundleReport> {
  const tree = await bundleTree(folder);
  const files = (await deps.store.list(folder)).filter((file) => !tree.special.includes(file));
  const { items, problems } = await readItems(folder, deps);
  const commitment = await readRecord(folder, 'commitment.json', commitmentSchema, deps);
  const told = await readRecord(folder, MANIFEST_FILE, releaseManifestSchema, deps);
  const prompt = await readDataText('prompts/answer.md');
  const scan = bundleScanner(needles, { items, commitment, manifest: told, prompt });
  const { hits, manifest } = await readEveryFile(folder, files, told, scan, deps);
  hits.push(
    ...[...tree.folders, ...tree.special].flatMap((name) => scan({ path: name, bytes: Buffer.alloc(0) })),
  );
  const images = items.flatMap((item) => item.images.map((told) => ({ itemId: item.id, told })));
  const facts = await deps.queue.map<string, ImageFacts | null>(
    job,
    images.map(({ told }) => path.join(folder, told.file)),
    { signal: deps.signal },
  );
  const nameOf = fileNamer(hits);
  const expected = new Set<string>([...BUNDLE_FILES, ...images.map(({ told }) => told.file)]);
  const expectedFolders = new Set(['images', ...images.map(({ told }) => path.posix.dirname(told.file))]);
  const problem = commitmentProblem(commitment, items.length);
  return {
    items,
    hits,
    commitment: problem === null ? commitment!.commitment : null,
    commitmentProblem: problem,
    checks: [
      check(
        'manifest',
        manifest,
        `${files.length - 1} files have the SHA-256 and size that ${MANIFEST_FILE} tells`,
      ),
      check(
        'files',
        [
          ...files
            .filter((file) => !expected.has(file))
            .map((file) => `${nameOf(file)} does not belong to the bundle`),
          ...tree.folders
            .filter((name) => !expectedFolders.has(name))
            .map((name) => `the folder ${nameOf(name)} does not belong to the bundle`),
          ...tree.special.map((name) => `${nameOf(name)} is no plain file`),
          ...BUNDLE_FILES.filter((file) => !files.includes(file)).map((file) => `${file} is missing`),
        ],
        'no file is missing and none is there that does not belong',
      ),
      check('items-schema', problems, `${items.length} items have the fields of the contract and no other`),
      check('items', itemProblems(items), 'ids are unique and every item has the letters A to E once each'),
      ...imageChecks(images.map((image, i) => ({ ...image, facts: facts[i]! }))),
      check('leak-scan', describeHits(hits), leakDetail(needles)),
    ],
  };
}

function leakDetail(needles: readonly Needle[]): string {
  return needles.length > 0
    ? `none of ${needles.length} private values and no general pattern was found`
    : 'no general pattern was found; run it inside the workspace to look for its private values as well';
}

/** A record whose text is exactly what release writes for it: nothing hides in a field given twice, an order or spaces. Else null. */
async function readRecord<T>(
  folder: string,
  name: string,
  schema: z.ZodType<T>,
  { store }: CheckDeps,
): Promise<T | null> {
  const file = path.join(folder, name);
  const parsed = schema.safeParse(await readJson(store, file));
  if (!parsed.success) return null;
  return (await store.read(file)).toString('utf8') === pretty(parsed.data) ? parsed.data : null;
}

function notAsWritten(file: string): string {
  return `${file} is not written as groundmark release writes it (order of fields, spaces, a field given twice)`;
}

/** Items that could not be read are told by another check. */
function commitmentProblem(record: CommitmentRecord | null, items: number): string | null {
  if (record === null)
    return 'commitment.json is missing or is not a commitment as groundmark release writes it';
  if (items === 0 || record.items === items) return null;
  return `commitment.json speaks of ${record.items} items, items.jsonl has ${items}`;
}

/** Items that cannot be read are problems, never an exception: the other checks still run. */
async function readItems(
  folder: string,
  { store }: CheckDeps,
): Promise<{ readonly items: PublicItem[]; readonly problems: string[] }> {
  const file = path.join(folder, 'items.jsonl');
  if (!(await store.exists(file))) return { items: [], problems: ['items.jsonl is missing'] };
  try {
    const text = (await store.read(file)).toString('utf8');
    const items = parseJsonl(text, publicItemSchema, 'items.jsonl');
    if (items.length === 0) return { items, problems: ['items.jsonl has no item'] };
    return { items, problems: text === toJsonl(items) ? [] : [notAsWritten('items.jsonl')] };
  } catch (cause) {
    return { items: [], problems: [(cause as Error).message] };
  }
}

/** One pass over every byte: hashes for the manifest, and the leak scan. */
async function readEveryFile(
  folder: string,
  files: readonly string[],
  parsed: ReleaseManifest | null,
  scan: LeakScanner,
  { store, progress, signal }: CheckDeps,
): Promise<{ readonly hits: ScanHit[]; readonly manifest: string[] }> {
  const told = new Map(parsed?.files.map((file) => [file.path, file]));
  const manifest =
    parsed === null
      ? [`${MANIFEST_FILE} is missing or is not a manifest as groundmark release writes it`]
      : [];
  const hits: ScanHit[] = [];
  const task = progress.start('looking for private data', files.length);
  for (const file of files) {
    signal.throwIfAborted();
    const bytes = await store.read(path.join(folder, file));
    hits.push(...scan({ path: file, bytes }));
    const line = told.get(file);
    if (line !== undefined && (line.bytes !== bytes.length || line.sha256 !== sha256(bytes))) {
      manifest.push(`${file} was changed`);
    }
    if (parsed !== null && line === undefined && file !== MANIFEST_FILE) {
      manifest.push(`a file of the bundle is not in ${MANIFEST_FILE}`);
    }
    told.delete(file);
    task.tick();
  }
  task.done();
  manifest.push(...[...told.keys()].map((file) => `${file} is missing`));
  return { hits, manifest };
}
