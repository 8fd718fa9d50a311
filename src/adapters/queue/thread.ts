import { parentPort } from 'node:worker_threads';
import type { JobFunction } from './job-queue.js';

interface Request {
  readonly module: string;
  readonly request: number;
  readonly input: unknown;
}

parentPort?.on('message', ({ module, request, input }: Request) => {
  void (async () => {
    try {
      const { run } = (await import(module)) as { run: JobFunction<unknown, unknown> };
      parentPort?.postMessage({ request, output: await run(input) });
    } catch (cause) {
      const { name, message, code, context, exit } = cause as Error & Record<string, unknown>;
      parentPort?.postMessage({ request, error: { name, message, code, context, exit } });
    }
  })();
});
