import { DicomwebFailure } from './failure.js';

/** When and how long to wait between tries. */
export interface RetryOptions {
  /** Tries in all, at least 1. */
  readonly attempts: number;
  /** Longest wait before the second try, ms; it doubles with every further one. */
  readonly firstWaitMs: number;
  /** No wait is longer, whatever the server asks for, ms. */
  readonly longestWaitMs: number;
  /** [0, 1), seeded. */
  readonly random: () => number;
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly signal: AbortSignal;
}

/**
 * What `work` gives, tried again after failures that may pass. The wait is what the server asked for (Retry-After), or
 * between half and all of the doubling time, so that many waiting requests do not come back at once.
 *
 * @throws what the last try threw
 */
export async function withRetries<T>(work: () => Promise<T>, options: RetryOptions): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof DicomwebFailure) || !error.retry || attempt >= options.attempts) throw error;
      const doubling = options.firstWaitMs * 2 ** (attempt - 1);
      const own = doubling * (0.5 + options.random() / 2);
      await options.sleep(Math.min(error.retryAfterMs ?? own, options.longestWaitMs), options.signal);
    }
  }
}

/** How long a Retry-After header asks to wait, ms; null when there is none. Seconds or a date: RFC 9110 §10.2.3. */
export function retryAfterMs(header: string | null, now: Date): number | null {
  const text = header?.trim() ?? '';
  if (/^\d{1,9}$/u.test(text)) return Number(text) * 1000;
  // A number with a sign or a dot would be read as a year.
  const date = /^[A-Za-z]/u.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? null : Math.max(0, date - now.getTime());
}
