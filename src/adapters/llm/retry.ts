import { rng } from '../../util/rng.js';
import { ChatError, type ChatModel } from './chat-model.js';
import { beforeBegin } from './on-abort.js';
import type { Time } from './time.js';

/** When and how long to wait between tries of one request. */
export interface RetryOptions {
  /** Tries in all, at least 1. */
  readonly attempts: number;
  /** No try begins later than this after the first, ms. */
  readonly maxElapsedMs: number;
  /** Longest wait before the second try, ms; it doubles with each further one. */
  readonly firstWaitMs: number;
  /** The doubling ends here, ms; what a provider asks for may be longer. */
  readonly longestWaitMs: number;
  readonly seed: number;
  readonly time: Time;
  /** Told before each wait. */
  readonly onRetry?: (event: RetryEvent) => void;
}

export interface RetryEvent {
  readonly key: string;
  /** The try that failed, from 1. */
  readonly attempt: number;
  readonly kind: ChatError['kind'];
  readonly waitMs: number;
}

export const DEFAULT_RETRY = {
  attempts: 6,
  maxElapsedMs: 15 * 60_000,
  firstWaitMs: 1000,
  longestWaitMs: 60_000,
} as const;

/**
 * The model, with calls tried again after failures that may pass.
 *
 * The wait is a random part of the doubling time (full jitter, from seed, key, epoch and try); after a Retry-After it is
 * what was asked for and that part of the first wait on top, so that waiting calls do not all come back at once.
 */
export function withRetry(model: ChatModel, options: RetryOptions): ChatModel {
  const { time } = options;
  return {
    ...model,
    async chat(request, call) {
      const start = time.now();
      for (let attempt = 1; ; attempt++) {
        try {
          return { ...(await model.chat(request, call)), attempts: attempt };
        } catch (error) {
          if (!(error instanceof ChatError) || !error.retryable || attempt >= options.attempts) throw error;
          const random = rng(options.seed, 'retry', model.id, request.key, request.epoch, attempt).next();
          const waitMs = retryWaitMs(attempt, error.detail.retryAfterMs, random, options);
          if (time.now() + waitMs - start > options.maxElapsedMs) throw error;
          options.onRetry?.({ key: request.key, attempt, kind: error.kind, waitMs });
          await time.sleep(waitMs, beforeBegin(call));
        }
      }
    },
  };
}

/**
 * How long to wait after the nth try, ms.
 *
 * @param random - [0, 1)
 */
export function retryWaitMs(
  attempt: number,
  retryAfterMs: number | undefined,
  random: number,
  { firstWaitMs, longestWaitMs }: Pick<RetryOptions, 'firstWaitMs' | 'longestWaitMs'>,
): number {
  if (retryAfterMs !== undefined) return Math.ceil(retryAfterMs + random * firstWaitMs);
  return Math.ceil(random * Math.min(longestWaitMs, firstWaitMs * 2 ** (attempt - 1)));
}
