import { spawn, type ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, inject } from 'vitest';
import type * as DepsModule from '../../src/cli/deps.js';
import type * as DemoConfigModule from '../../src/cli/demo/demo-config.js';
import type * as DemoModule from '../../src/demo/index.js';

/** The repository. */
export const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const BIN = path.join(ROOT, 'bin', 'groundmark.js');

/** A child process that has ended. `code` is null when a signal ended it. */
export interface Ended {
  readonly code: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Running {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
  /** Resolves with the first stderr line that matches, or with null when the process ends without one. */
  line(matches: (line: string) => boolean): Promise<string | null>;
}

/** Starts the built command line as a user would. @param env - beside the environment of the tests */
export function startGroundmark(
  args: readonly string[],
  cwd = ROOT,
  env: Readonly<Record<string, string>> = {},
): Running {
  return startNode([BIN, ...args], cwd, env);
}

/** Runs the built command line to its end. */
export function groundmark(args: readonly string[], cwd = ROOT): Promise<Ended> {
  return startGroundmark(args, cwd).ended;
}

/** Starts Node on a script. */
export function startNode(
  args: readonly string[],
  cwd = ROOT,
  env: Readonly<Record<string, string>> = {},
): Running {
  const child = spawn(process.execPath, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [out, err]: [Buffer[], Buffer[]] = [[], []];
  const waiting = new Set<() => void>();
  const look = (): void => waiting.forEach((check) => check());
  child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => {
    err.push(chunk);
    look();
  });
  const text = (chunks: readonly Buffer[]): string => Buffer.concat(chunks).toString('utf8');
  let over = false;
  const ended = new Promise<Ended>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => {
      over = true;
      look();
      resolve({ code, signal, stdout: text(out), stderr: text(err) });
    });
  });
  const line = (matches: (line: string) => boolean): Promise<string | null> =>
    new Promise((resolve) => {
      const check = (): void => {
        const whole = text(err).split('\n').slice(0, -1);
        const found = whole.find(matches);
        if (found === undefined && !over) return;
        waiting.delete(check);
        resolve(found ?? null);
      };
      waiting.add(check);
      check();
    });
  return { child, ended, line };
}

/** A folder that is removed when the test file ends. Call it where the file's suites stand, not in a hook. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'gm-e2e-'));
  afterAll(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** The demo runs that several test files look at. */
const DEMOS = {
  'seed-0': ['--seed', '0', '--workers', '2', '--json'],
  'seed-0-one-worker': ['--seed', '0', '--workers', '1'],
  'seed-1': ['--seed', '1', '--workers', '1', '--json'],
} as const;
export type DemoName = keyof typeof DEMOS;

export interface DemoRun extends Ended {
  readonly folder: string;
  readonly seconds: number;
}

/** A demo run, made by the first test file that asks for it. Read it only: others look at the same folder. */
export async function demoRun(name: DemoName): Promise<DemoRun> {
  const home = path.join(inject('e2eFolder'), name);
  const folder = path.join(home, 'workspace');
  await once(home, async () => {
    const began = performance.now();
    const run = await groundmark(['demo', '--out', folder, ...DEMOS[name]]);
    const seconds = (performance.now() - began) / 1000;
    await writeFile(path.join(home, 'run.json'), JSON.stringify({ ...run, folder, seconds }));
  });
  return JSON.parse(await readFile(path.join(home, 'run.json'), 'utf8')) as DemoRun;
}

/**
 * A workspace of the first phantom patients, ready for `build` and not built: 1 patient is 1 head CT of 66 files,
 * 2 patients are 3 cases of 206 files. A copy of one that is made once.
 */
export async function smallWorkspace(into: string, patients: 1 | 2): Promise<string> {
  const home = path.join(inject('e2eFolder'), `patients-${patients}`);
  const made = path.join(home, 'workspace');
  await once(home, () => makePhantoms(made, patients));
  await cp(made, into, { recursive: true, preserveTimestamps: true });
  return into;
}

/** A finished build of `smallWorkspace`, nobody's to change, for comparison. */
export async function builtWorkspace(patients: 1 | 2): Promise<string> {
  const home = path.join(inject('e2eFolder'), `built-${patients}`);
  const folder = path.join(home, 'workspace');
  await once(home, async () => {
    await smallWorkspace(folder, patients);
    const { code, stderr } = await groundmark(['build', '-w', folder]);
    if (code !== 0) throw new Error(`build ended with ${code}: ${stderr}`);
  });
  return folder;
}

async function makePhantoms(out: string, patients: number): Promise<void> {
  const built = (file: string): string => pathToFileURL(path.join(ROOT, 'dist', file)).href;
  const { buildDeps } = (await import(built('cli/deps.js'))) as typeof DepsModule;
  const { runPhantoms } = (await import(built('demo/index.js'))) as typeof DemoModule;
  const { demoConfig } = (await import(built('cli/demo/demo-config.js'))) as typeof DemoConfigModule;
  const signal = new AbortController().signal;
  const deps = buildDeps({ seed: 0, workers: null, quiet: true, progress: false, signal });
  try {
    await runPhantoms({ out, patients }, deps);
    await writeFile(path.join(out, 'groundmark.yaml'), await demoConfig(0));
  } finally {
    await deps.queue.close();
  }
}

/** Lets the first caller, in whichever process, do the work in a new folder; the others wait for it. */
async function once(home: string, work: () => Promise<void>): Promise<void> {
  const [ready, failed] = [path.join(home, 'ready'), path.join(home, 'failed')];
  try {
    await mkdir(home);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    while (!(await exists(ready))) {
      if (await exists(failed)) throw new Error(await readFile(failed, 'utf8'));
      await sleep(200);
    }
    return;
  }
  try {
    await work();
    await writeFile(ready, '');
  } catch (error) {
    await writeFile(failed, String(error));
    throw error;
  }
}

export async function exists(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  );
}

/** Files below a folder, relative, sorted. */
export async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    .sort();
}

/** SHA-256 of every file below a folder, by relative path. */
export async function hashesBelow(
  folder: string,
  wanted: (file: string) => boolean = () => true,
): Promise<Record<string, string>> {
  const hashes: Record<string, string> = {};
  for (const file of (await filesBelow(folder)).filter(wanted))
    hashes[file] = sha256(await readFile(path.join(folder, file)));
  return hashes;
}

export function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** The records of a JSONL file. */
export async function jsonLines<T>(...file: readonly string[]): Promise<T[]> {
  const text = await readFile(path.join(...file), 'utf8');
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as T);
}

/** Rows of a plain CSV file (no quotes) as objects. */
export async function csvRows(file: string): Promise<Record<string, string>[]> {
  const [head, ...lines] = (await readFile(file, 'utf8')).trimEnd().split('\n');
  const names = head!.split(',');
  return lines.map((line) =>
    Object.fromEntries(line.split(',').map((value, i) => [names[i]!, value] as const)),
  );
}

/** The one JSON object of a `--json` run; fails when stdout holds anything else. */
export function oneJson(stdout: string): Record<string, unknown> {
  expect(stdout.endsWith('\n')).toBe(true);
  expect(stdout.trimEnd().split('\n')).toHaveLength(1);
  const value: unknown = JSON.parse(stdout);
  expect(value).toBeTypeOf('object');
  return value as Record<string, unknown>;
}

/** What a stack trace looks like. */
const STACK = /^\s+at .+:\d+:\d+|node:internal|UnhandledPromise|^Node\.js v/mu;

/**
 * Checks that a run refused its input as a user needs it: exit code, one clear line, the same code and message as JSON
 * on stdout (the run must have had `--json`), no stack trace.
 *
 * @returns the message
 */
export function expectRefusal(
  run: Ended,
  wanted: { readonly exit?: number; readonly code: string; readonly says: readonly (string | RegExp)[] },
): string {
  expect({ code: run.code, stderr: run.stderr }).toEqual({ code: wanted.exit ?? 3, stderr: run.stderr });
  expect(run.stderr).not.toMatch(STACK);
  const { error } = oneJson(run.stdout) as {
    error: { code: string; message: string; context: Record<string, unknown> };
  };
  expect(Object.keys(error)).toEqual(['code', 'message', 'context']);
  expect(error.code).toBe(wanted.code);
  for (const part of wanted.says) expect(error.message).toMatch(part);
  expect(run.stderr.trimEnd().split('\n').at(-1)).toBe(`error: ${error.message}`);
  return error.message;
}
