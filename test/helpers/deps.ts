import type { Deps } from '../../src/adapters/deps.js';
import { inProcessQueue } from '../../src/adapters/queue/index.js';
import { fileStore } from '../../src/adapters/store/index.js';

/** Deps for tests: a fixed clock, no output kept but in `lines`, one worker. */
export function testDeps(overrides: Partial<Deps> = {}): Deps & { lines: string[] } {
  const lines: string[] = [];
  return {
    store: fileStore(),
    queue: inProcessQueue(1),
    clock: () => new Date('2026-01-02T03:04:05Z'),
    environment: () => undefined,
    seed: 0,
    log: { info: (message) => lines.push(message), warn: (message) => lines.push(message) },
    progress: { start: () => ({ tick: () => undefined, done: () => undefined }) },
    signal: new AbortController().signal,
    lines,
    ...overrides,
  };
}
