import { setMaxListeners } from 'node:events';
import type { CallOptions } from './chat-model.js';

/**
 * Calls back when one of some signals fires; returns how to stop listening. As many calls as there are may listen to the
 * signals of a run, so Node's warning of a leak, which comes at the eleventh, is turned off for them.
 */
export function onAbort(signals: readonly AbortSignal[], listener: () => void): () => void {
  for (const signal of signals) {
    setMaxListeners(0, signal);
    signal.addEventListener('abort', listener, { once: true });
  }
  return () => {
    for (const signal of signals) signal.removeEventListener('abort', listener);
  };
}

/** What ends a call that has not begun. */
export function beforeBegin({ signal, stop }: CallOptions): readonly AbortSignal[] {
  return stop === undefined ? [signal] : [signal, stop];
}

/** Whether one of some signals has fired. */
export function anyAborted(signals: readonly AbortSignal[]): boolean {
  return signals.some(({ aborted }) => aborted);
}
