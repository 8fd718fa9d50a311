import type { JobQueue } from './queue/job-queue.js';
import type { Store } from './store/store.js';

/** Lines for people, on stderr. Never report text, patient data, keys or evidence labels. */
export interface Log {
  info(message: string): void;
  warn(message: string): void;
}

/** One bar, or plain lines where no terminal is. */
export interface ProgressTask {
  tick(n?: number): void;
  /** What stands behind the count from now on, such as `3 failed, $0.42`. */
  note?(text: string): void;
  done(): void;
}

export interface Progress {
  /** Starts a task of `total` steps; nothing is shown in the first two seconds. */
  start(label: string, total: number): ProgressTask;
}

/** Everything a stage takes from outside. Built once, in cli/deps.ts. */
export interface Deps {
  readonly store: Store;
  readonly queue: JobQueue;
  readonly clock: () => Date;
  /** Environment variables that adapters may ask for (API keys). */
  readonly environment: (name: string) => string | undefined;
  readonly seed: number;
  readonly log: Log;
  readonly progress: Progress;
  /** Ends what is under way at once. */
  readonly signal: AbortSignal;
  /** Fires first, for commands that let paid calls under way come to their end: nothing new begins. */
  readonly stop?: AbortSignal;
}
