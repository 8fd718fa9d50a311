import { availableParallelism } from 'node:os';
import type { Deps } from '../adapters/deps.js';
import { inProcessQueue } from '../adapters/queue/index.js';
import { fileStore } from '../adapters/store/index.js';
import { terminalProgress } from './progress.js';

const THREADS_A_CORE = 4;

export interface DepsOptions {
  readonly seed: number;
  /** null: the number of cores. */
  readonly workers: number | null;
  readonly quiet: boolean;
  readonly progress: boolean;
  readonly signal: AbortSignal;
  readonly stop?: AbortSignal;
}

/** Everything that comes from outside: files, threads, clock, environment. The only reader of `process.env`. */
export function buildDeps(options: DepsOptions): Deps {
  const write = (line: string): void => {
    if (!options.quiet) process.stderr.write(`${line}\n`);
  };
  return {
    store: fileStore(),
    // More threads than this only cost memory, some megabytes each; what is made does not depend on it.
    queue: inProcessQueue(
      Math.min(options.workers ?? availableParallelism(), THREADS_A_CORE * availableParallelism()),
    ),
    clock: () => new Date(),
    environment: (name) => process.env[name],
    seed: options.seed,
    log: { info: write, warn: (message) => write(`warning: ${message}`) },
    progress: terminalProgress({
      clock: () => new Date(),
      shown: options.progress && !options.quiet,
      stream: process.stderr,
    }),
    signal: options.signal,
    ...(options.stop === undefined ? {} : { stop: options.stop }),
  };
}
