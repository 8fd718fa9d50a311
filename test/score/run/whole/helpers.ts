import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import type { Response } from '../../../../src/domain/response.js';
import type { FakeProvider, FakeQuestion } from '../../../../src/fake-provider/index.js';
import { environmentOf, MODELS } from '../../../fake-provider/helpers.js';
import { jsonLines, oneJson, startGroundmark, type Ended, type Running } from '../../../helpers/e2e.js';
import type { Bundle } from '../helpers.js';

/** Milliseconds that a test with a process may take on a busy machine. */
export const LONG = 120_000;

/** One model of each protocol; the compatible server stands in groundmark.yaml. */
export { MODELS };
export const BATCH_MODELS = MODELS.filter((model) => !model.startsWith('openai-compatible'));

export interface RunOptions {
  readonly models?: readonly string[];
  readonly budget?: string;
  /** Name of the folder for the runs, in the bundle's. */
  readonly out?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** `groundmark run` on a bundle against a stand-in, with the workspace beside the bundle's files, as a process of its own. */
export async function startRun(
  { folder }: Bundle,
  fake: FakeProvider,
  more: readonly string[] = [],
  { models = ['openai/gpt-5-mini'], budget = 'none', out = 'runs', env = {} }: RunOptions = {},
): Promise<Running> {
  const local = `local: { baseUrl: "${fake.urls.openai}", keyEnv: OPENAI_API_KEY }`;
  const workspace = path.join(folder, 'workspace');
  await mkdir(workspace, { recursive: true });
  await writeFile(path.join(workspace, 'groundmark.yaml'), `providers:\n  ${local}\n`);
  const args = ['run', folder, '-w', workspace, '--out', path.join(folder, out), '--budget', budget];
  return startGroundmark([...args, '--model', ...models, ...more], folder, {
    ...environmentOf(fake),
    ...env,
  });
}

/** The same, to its end; fails when the exit code is another one. */
export async function run(
  bundle: Bundle,
  fake: FakeProvider,
  more: readonly string[] = [],
  options: RunOptions & { readonly exit?: number } = {},
): Promise<Ended> {
  const ended = await (await startRun(bundle, fake, more, options)).ended;
  const { exit = 0 } = options;
  expect(ended.code, `exit code, after ${ended.stderr}`).toBe(exit);
  return ended;
}

export function runFolder({ folder }: Bundle, model: string, out = 'runs'): string {
  return path.join(folder, out, model.replaceAll('/', '-'));
}

export function responsesOf(bundle: Bundle, model: string, out = 'runs'): Promise<Response[]> {
  return jsonLines<Response>(runFolder(bundle, model, out), 'responses.jsonl');
}

/** Replies whose line is whole, of a file that a killed process may have left torn or not made. */
export async function wholeResponses(file: string): Promise<Response[]> {
  const text = await readFile(file, 'utf8').catch(() => '');
  const lines = text.slice(0, text.lastIndexOf('\n') + 1).split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Response);
}

/** What `run --json` says of one model. */
export interface Summary {
  readonly model: string;
  readonly items: number;
  readonly added: number;
  readonly kept: number;
  readonly missing: number;
  readonly outcomes: Readonly<Record<string, number>>;
  readonly spending: {
    readonly retried: number;
    readonly cached: number;
    readonly usd: number;
    readonly inputTokens: number;
  };
}

export function summariesOf({ stdout }: Pick<Ended, 'stdout'>): Summary[] {
  return oneJson(stdout).runs as Summary[];
}

/** The error of a run with `--json`. */
export function errorOf({ stdout }: Pick<Ended, 'stdout'>): {
  readonly code: string;
  readonly message: string;
  readonly context: Readonly<Record<string, unknown>>;
} {
  return oneJson(stdout).error as ReturnType<typeof errorOf>;
}

/** Item of a question, by the id that stands in its text. */
export function itemIdOf({ texts }: Pick<FakeQuestion, 'texts'>): string {
  return /\((item-\d+)\)/u.exec(texts.at(-1)!)![1]!;
}

/** Waits until something holds; fails after a while. */
export async function until(holds: () => boolean, what: string, withinMs = 60_000): Promise<void> {
  const end = performance.now() + withinMs;
  while (!holds()) {
    if (performance.now() > end) throw new Error(`waited in vain: ${what}`);
    await sleep(2);
  }
}

/** How often each thing is there. */
export function counted(things: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const thing of things) counts[thing] = (counts[thing] ?? 0) + 1;
  return counts;
}
