import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach } from 'vitest';
import type { Deps } from '../../../src/adapters/deps.js';
import { toJsonl } from '../../../src/adapters/store/index.js';
import type { Item, KeyEntry } from '../../../src/domain/item.js';
import type { Response } from '../../../src/domain/response.js';
import type { FakeProvider, FakeQuestion } from '../../../src/fake-provider/index.js';
import type { RunModelInput } from '../../../src/score/index.js';
import { png } from '../../adapters/llm/helpers.js';
import { environmentOf } from '../../fake-provider/helpers.js';
import { testDeps } from '../../helpers/deps.js';
import { madeUpBenchmark } from '../helpers/made-up.js';

const folders: string[] = [];
afterEach(async () => {
  await Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true, force: true })));
});

/** A folder that is removed after the test. */
export async function testFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'gm-run-'));
  folders.push(folder);
  return folder;
}

/** A bundle on the disk with its key: small PNGs, each one different; items are told apart by their questions. */
export interface Bundle {
  readonly folder: string;
  readonly items: readonly Item[];
  readonly key: readonly KeyEntry[];
  /** The item that a question is about. */
  readonly itemOf: (question: FakeQuestion) => Item;
}

export async function aBundle(count: number): Promise<Bundle> {
  const folder = await testFolder();
  const made = madeUpBenchmark(count);
  const items: Item[] = [];
  let seed = 0;
  for (const item of made.items) {
    const images: Item['images'] = [];
    for (const image of item.images) {
      const bytes = png(20 + (seed % 3), 16, ++seed);
      const file = path.join(folder, image.file);
      await mkdir(path.dirname(file), { recursive: true });
      await writeFile(file, bytes);
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      images.push({ ...image, sha256, width: 20 + ((seed - 1) % 3), height: 16 });
    }
    items.push({ ...item, question: `${item.question} (${item.id})`, images });
  }
  await writeFile(path.join(folder, 'items.jsonl'), toJsonl(items));
  await writeFile(path.join(folder, 'key.jsonl'), toJsonl(made.key));
  const byId = new Map(items.map((item) => [item.id, item]));
  const itemOf = ({ texts }: FakeQuestion): Item => byId.get(/\((item-\d+)\)/u.exec(texts.at(-1)!)![1]!)!;
  return { folder, items, key: made.key, itemOf };
}

export const MODEL = 'openai/gpt-5-mini';

/** Input of a run against a stand-in: no limit of money, waits of a millisecond. */
export function runInput({ folder }: Bundle, overrides: Partial<RunModelInput> = {}): RunModelInput {
  return {
    itemsFile: path.join(folder, 'items.jsonl'),
    keyFile: null,
    models: [MODEL],
    condition: 'real',
    outDir: path.join(folder, 'runs'),
    budgetUsd: null,
    retry: { firstWaitMs: 1, longestWaitMs: 2 },
    ...overrides,
  };
}

/** Deps with the keys and addresses of a stand-in, and the real time: calls are timed. */
export function runDeps(fake: FakeProvider, overrides: Partial<Deps> = {}): Deps & { lines: string[] } {
  const environment = environmentOf(fake);
  return testDeps({ environment: (name) => environment[name], clock: () => new Date(), ...overrides });
}

export async function responsesOf(bundle: Bundle, run = 'openai-gpt-5-mini'): Promise<Response[]> {
  const text = await readFile(path.join(bundle.folder, 'runs', run, 'responses.jsonl'), 'utf8');
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Response);
}

/** What a reply is, whenever and however often it was asked for. */
export function lasting(responses: readonly Response[]): unknown[] {
  return responses
    .map(({ ms: _ms, cached: _cached, ...rest }) => rest)
    .sort((a, b) => (JSON.stringify([a.itemId, a.epoch]) < JSON.stringify([b.itemId, b.epoch]) ? -1 : 1));
}
