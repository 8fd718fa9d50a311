import path from 'node:path';
import type { Deps } from '../adapters/deps.js';
import { parseJsonl } from '../adapters/store/index.js';
import {
  commitmentSchema,
  publicItemSchema,
  releaseManifestSchema,
  type PublicItem,
  type VerifyCheck,
} from '../domain/release.js';
import { sha256 } from '../util/hash.js';
import { BUNDLE_FILES, MANIFEST_FILE } from './bundle-texts.js';
import { check, imageChecks } from './image-checks.js';
import { job, type ImageFacts } from './image-job.js';
import { describeHits, fileNamer } from './leak/describe-hits.js';
import type { Needle } from './leak/needle.js';
import { leakScanner, type ScanHit } from './leak/scan.js';
import { itemProblems } from './public-items.js';
import { readJson } from './release-folders.js';

export interface BundleReport {
  readonly checks: VerifyCheck[];
  readonly items: readonly PublicItem[];
  readonly hits: readonly ScanHit[];
  /** What commitment.json promises; null when it cannot be read. */
  readonly commitment: string | null;
}

type CheckDeps = Pick<Deps, 'store' | 'queue' | 'progress' | 'signal'>;

/** Every check of a public bundle that needs nothing but the bundle, and the leak scan with the needles at hand. */
export async function checkBundle(
  folder: string,
  needles: readonly Needle[],
  deps: CheckDeps,
): Promise<BundleReport> {
  const files = await deps.store.list(folder);
  const { items, problems } = await readItems(folder, deps);
  const { hits, manifest } = await readEveryFile(folder, files, needles, deps);
  const images = items.flatMap((item) => item.images.map((told) => ({ itemId: item.id, told })));
  const facts = await deps.queue.map<string, ImageFacts | null>(
    job,
    images.map(({ told }) => path.join(folder, told.file)),
    { signal: deps.signal },
  );
  const nameOf = fileNamer(hits);
  const expected = new Set<string>([...BUNDLE_FILES, ...images.map(({ told }) => told.file)]);
  const commitment = commitmentSchema.safeParse(
    await readJson(deps.store, path.join(folder, 'commitment.json')),
  );
  return {
    items,
    hits,
    commitment: commitment.success ? commitment.data.commitment : null,
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

/** Items that cannot be read are problems, never an exception: the other checks still run. */
async function readItems(
  folder: string,
  { store }: CheckDeps,
): Promise<{ readonly items: PublicItem[]; readonly problems: string[] }> {
  const file = path.join(folder, 'items.jsonl');
  if (!(await store.exists(file))) return { items: [], problems: ['items.jsonl is missing'] };
  try {
    const items = parseJsonl((await store.read(file)).toString('utf8'), publicItemSchema, 'items.jsonl');
    return { items, problems: items.length === 0 ? ['items.jsonl has no item'] : [] };
  } catch (cause) {
    return { items: [], problems: [(cause as Error).message] };
  }
}

/** One pass over every byte: hashes for the manifest, and the leak scan. */
async function readEveryFile(
  folder: string,
  files: readonly string[],
  needles: readonly Needle[],
  { store, progress, signal }: CheckDeps,
): Promise<{ readonly hits: ScanHit[]; readonly manifest: string[] }> {
  const parsed = releaseManifestSchema.safeParse(await readJson(store, path.join(folder, MANIFEST_FILE)));
  const told = new Map(parsed.success ? parsed.data.files.map((file) => [file.path, file]) : []);
  const manifest = parsed.success
    ? []
    : [`${MANIFEST_FILE} is missing or is not a manifest of groundmark release`];
  const scan = leakScanner(needles);
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
    if (parsed.success && line === undefined && file !== MANIFEST_FILE) {
      manifest.push(`a file of the bundle is not in ${MANIFEST_FILE}`);
    }
    told.delete(file);
    task.tick();
  }
  task.done();
  manifest.push(...[...told.keys()].map((file) => `${file} is missing`));
  return { hits, manifest };
}
