import { MultiBar, Presets, type SingleBar } from 'cli-progress';
import type { Progress, ProgressTask } from '../adapters/deps.js';

/** A task shorter than this shows nothing. */
const QUIET_MS = 2000;
/** Plain lines (no terminal) come at most this often. */
const LINE_MS = 5000;

interface ProgressOptions {
  readonly clock: () => Date;
  readonly shown: boolean;
  readonly stream: NodeJS.WriteStream;
}

/**
 * Bars with an estimate on a terminal, one below the other when tasks run at the same time; plain lines in a pipe; nothing
 * for what ends within two seconds.
 */
export function terminalProgress({ clock, shown, stream }: ProgressOptions): Progress {
  const table = new BarTable(stream);
  return {
    start(label, total): ProgressTask {
      const began = clock().getTime();
      let doneSteps = 0;
      let note = '';
      let bar: SingleBar | null = null;
      let lastLine = began;
      const show = (): void => {
        const now = clock().getTime();
        if (!shown || now - began < QUIET_MS) return;
        if (stream.isTTY) {
          bar ??= table.add(label, total);
          bar.update(doneSteps, { label, note: note && `· ${note}` });
        } else if (now - lastLine >= LINE_MS && doneSteps > 0) {
          lastLine = now;
          const left = Math.round((((now - began) / doneSteps) * (total - doneSteps)) / 1000);
          stream.write(`${label}: ${doneSteps}/${total}, about ${left} s left${note && `; ${note}`}\n`);
        }
      };
      return {
        tick(n = 1) {
          doneSteps += n;
          show();
        },
        note(text) {
          note = text;
        },
        done() {
          if (bar !== null) table.remove(bar);
          bar = null;
        },
      };
    },
  };
}

/** The bars of the tasks that are under way; on the terminal as long as there are any. */
class BarTable {
  #multi: MultiBar | null = null;
  #bars = 0;

  constructor(private readonly stream: NodeJS.WriteStream) {}

  add(label: string, total: number): SingleBar {
    this.#multi ??= new MultiBar(
      {
        format: '{label} {bar} {value}/{total} · about {eta_formatted} left {note}',
        stream: this.stream,
        clearOnComplete: true,
        hideCursor: null,
      },
      Presets.shades_classic,
    );
    this.#bars += 1;
    return this.#multi.create(total, 0, { label, note: '' });
  }

  remove(bar: SingleBar): void {
    bar.stop();
    this.#multi?.remove(bar);
    this.#bars -= 1;
    if (this.#bars > 0) return;
    this.#multi?.stop();
    this.#multi = null;
  }
}
