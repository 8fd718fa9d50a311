import { chatError } from './chat-errors.js';
import { onAbort } from './on-abort.js';

/** Longest wait for a reply, ms. Node's fetch gives up at 300 s without headers, so more needs another dispatcher. */
export const DEFAULT_TIMEOUT_MS = 280_000;

/**
 * What `work` gives, within a time and until the caller stops.
 *
 * The SDKs' own time-outs end with the headers, so a body that trickles would hang for ever; this one covers both. It
 * also leaves no listener on the caller's signal, which lives as long as the run.
 *
 * @throws {ChatError} `timeout` or `aborted`; what `work` throws otherwise
 */
export async function withDeadline<T>(
  model: string,
  signal: AbortSignal,
  timeoutMs: number,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  if (signal.aborted) throw chatError('aborted', model, 'stopped', { unsent: true });
  const inner = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let ignore: (() => void) | undefined;
  const ended = new Promise<never>((_resolve, reject) => {
    const end = (kind: 'timeout' | 'aborted', reason: string): void => {
      reject(chatError(kind, model, reason));
      inner.abort();
    };
    timer = setTimeout(() => end('timeout', `no reply within ${timeoutMs} ms`), timeoutMs);
    ignore = onAbort([signal], () => end('aborted', 'stopped'));
  });
  const working = work(inner.signal);
  // Whichever loses is nobody's business any more.
  working.catch(() => undefined);
  ended.catch(() => undefined);
  try {
    return await Promise.race([working, ended]);
  } finally {
    clearTimeout(timer);
    ignore?.();
  }
}
