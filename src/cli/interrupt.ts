import { EXIT, GroundmarkError } from '../domain/error.js';

/** What Ctrl-C does to a command. */
export interface Interrupt {
  /** Nothing new begins. */
  readonly stop: AbortSignal;
  /** What is under way ends at once. */
  readonly signal: AbortSignal;
  /** To be called when the command has ended. */
  readonly ignore: () => void;
}

/**
 * Listens for SIGINT. The first one stops a command; where calls are paid for it lets those under way come to their end,
 * and the second ends them too. One more ends the process.
 */
export function onInterrupt(endsCalls: boolean, quiet: boolean): Interrupt {
  const [stop, signal] = [new AbortController(), new AbortController()];
  const reason = new GroundmarkError(
    'interrupted',
    'Stopped. Run the same command again to go on.',
    {},
    { exit: EXIT.bug },
  );
  const onSignal = (): void => {
    const first = !stop.signal.aborted;
    stop.abort(reason);
    if (first && endsCalls) {
      if (!quiet)
        process.stderr.write('Stopping: calls under way come to their end. Ctrl-C again stops at once.\n');
      return;
    }
    ignore();
    signal.abort(reason);
  };
  const ignore = (): void => {
    process.off('SIGINT', onSignal);
  };
  process.on('SIGINT', onSignal);
  return { stop: stop.signal, signal: signal.signal, ignore };
}
