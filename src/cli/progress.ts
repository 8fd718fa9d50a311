import { Presets, SingleBar } from 'cli-progress';
import type { Progress } from '../adapters/deps.js';

/** A task shorter than this shows nothing. */
const QUIET_MS = 2000;
/** Plain lines (no terminal) come at most this often. */
const LINE_MS = 5000;

interface ProgressOptions {
  readonly clock: () => Date;
  readonly shown: boolean;
  readonly stream: NodeJS.WriteStream;
}

/** Bars with an estimate on a terminal; plain lines in a pipe; nothing for what ends within two seconds. */
export function terminalProgress({ clock, shown, stream }: ProgressOptions): Progress {
  return {
    start(label, total) {
      const began = clock().getTime();
      let doneSteps = 0;
      let bar: SingleBar | null = null;
      let lastLine = began;
      const tick = (n = 1): void => {
        doneSteps += n;
        const now = clock().getTime();
        if (!shown || now - began < QUIET_MS) return;
        if (stream.isTTY) {
          if (bar === null) {
            bar = new SingleBar(
              {
                format: '{label} {bar} {value}/{total} · about {eta_formatted} left',
                stream,
                clearOnComplete: true,
                hideCursor: null,
              },
              Presets.shades_classic,
            );
            bar.start(total, doneSteps, { label });
          } else bar.update(doneSteps);
        } else if (now - lastLine >= LINE_MS) {
          lastLine = now;
          const left = Math.round((((now - began) / doneSteps) * (total - doneSteps)) / 1000);
          stream.write(`${label}: ${doneSteps}/${total}, about ${left} s left\n`);
        }
      };
      return { tick, done: () => bar?.stop() };
    },
  };
}
