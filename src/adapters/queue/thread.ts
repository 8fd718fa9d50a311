import { parentPort } from 'node:worker_threads';
import type { JobFunction } from './job-queue.js';

interface Request {
  readonly module: string;
  /** Absent: the module is only loaded. */
  readonly request?: number;
  readonly input?: unknown;
}

parentPort?.on('message', ({ module, request, input }: Request) => {
  void (async () => {
    try {
      const { run } = (await import(module)) as { run: JobFunction<unknown, unknown> };
      if (request === undefined) return;
      parentPort?.postMessage({ request, output: await run(input) });
    } catch (cause) {
      // A module that cannot be loaded says so when it is asked for work.
      if (request === undefined) return;
      const { name, message, code, context, exit } = cause as Error & Record<string, unknown>;
      parentPort?.postMessage({ request, error: { name, message, code, context, exit } });
    }
  })();
});
