import { chatError } from './chat-errors.js';
import { anyAborted, onAbort } from './on-abort.js';

/** Time as the wrappers see it; tests put a made-up one in. */
export interface Time {
  /** Milliseconds since some fixed moment. */
  now(): number;
  /** @throws {ChatError} `aborted`, at once, when one of the signals fires or has fired */
  sleep(ms: number, signals: readonly AbortSignal[]): Promise<void>;
}

/** Time by a clock and real timers. */
export function realTime(clock: () => Date): Time {
  return {
    now: () => clock().getTime(),
    sleep: (ms, signals) =>
      new Promise((resolve, reject) => {
        const stopped = (): void => {
          clearTimeout(timer);
          reject(chatError('aborted', 'waiting', 'stopped', { unsent: true }));
        };
        const timer = setTimeout(() => {
          ignore();
          resolve();
        }, ms);
        const ignore = onAbort(signals, stopped);
        if (anyAborted(signals)) stopped();
      }),
  };
}
