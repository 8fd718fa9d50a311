import type { RetryOptions } from '../../adapters/llm/index.js';
import type { Condition, Outcome } from '../../domain/response.js';
import type { LimitOptions, RunConfig } from './chat-models.js';
import type { Spending } from './tally.js';

export interface RunModelInput extends LimitOptions {
  /** `items.jsonl` of a released bundle. */
  readonly itemsFile: string;
  /** The private key: for the baselines that read it, and to tell cases apart under `swapped`. */
  readonly keyFile: string | null;
  /** `baseline/NAME`, `scripted/FILE`, or a provider's model. */
  readonly models: readonly string[];
  readonly condition: Condition;
  /** Holds one folder a model. */
  readonly outDir: string;
  /** Replies of each model to each item; default 1. */
  readonly epochs?: number;
  readonly shuffleChoices?: boolean;
  readonly maxOutputTokens?: number | undefined;
  readonly temperature?: number | undefined;
  /** US dollars for all of the run, null: no limit; undefined: what groundmark.yaml says. */
  readonly budgetUsd?: number | null | undefined;
  /** Through the providers' batches. */
  readonly batch?: boolean;
  /** Between two looks at a batch, ms; default 30 s. */
  readonly pollMs?: number;
  /** Longest wait for one reply, ms. */
  readonly timeoutMs?: number | undefined;
  /** Puts replies aside that were made otherwise. */
  readonly restart?: boolean;
  readonly config?: RunConfig;
  /** `.groundmark/cache`; null or absent: none. */
  readonly cacheFolder?: string | null;
  readonly retry?: Partial<Pick<RetryOptions, 'attempts' | 'maxElapsedMs' | 'firstWaitMs' | 'longestWaitMs'>>;
}

/** What happened to one model. */
export interface RunSummary {
  readonly model: string;
  readonly responsesFile: string;
  readonly items: number;
  /** Replies that this run added. */
  readonly added: number;
  /** Replies that an earlier run had left. */
  readonly kept: number;
  /** Torn last lines that were dropped. */
  readonly torn: number;
  /** Items (times epochs) without a line; the scorer counts them as missing. */
  readonly missing: number;
  readonly outcomes: Readonly<Partial<Record<Outcome, number>>>;
  /** For providers' models. */
  readonly spending?: Spending;
}

export const DEFAULT_POLL_MS = 30_000;
