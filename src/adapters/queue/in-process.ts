import { Worker } from 'node:worker_threads';
import { GroundmarkError, type ExitCode } from '../../domain/error.js';
import type { Job, JobFunction, JobQueue } from './job-queue.js';

interface Reply {
  readonly index: number;
  readonly output?: unknown;
  readonly error?: {
    name: string;
    message: string;
    code?: string;
    context?: Record<string, unknown>;
    exit?: number;
  };
}

/**
 * A queue on this machine's cores: worker threads for two or more workers, this thread for one. A job that is still
 * TypeScript source (the tests) runs in this thread, since Node 20 loads no `.ts` in a worker.
 */
export function inProcessQueue(workers: number): JobQueue {
  const threads: Worker[] = [];

  const thread = (i: number): Worker => {
    const existing = threads[i];
    if (existing) return existing;
    const created = new Worker(new URL('./thread.js', import.meta.url));
    created.setMaxListeners(0);
    created.unref();
    threads[i] = created;
    return created;
  };

  return {
    workers,
    async map<I, O>(
      job: Job,
      inputs: readonly I[],
      options: { readonly onDone?: (index: number) => void; readonly signal?: AbortSignal } = {},
    ): Promise<O[]> {
      const outputs = new Array<O>(inputs.length);
      if (workers <= 1 || inputs.length < 2 || job.module.endsWith('.ts')) {
        const { run } = (await import(job.module)) as { run: JobFunction<I, O> };
        for (let i = 0; i < inputs.length; i++) {
          options.signal?.throwIfAborted();
          outputs[i] = await run(inputs[i]!);
          options.onDone?.(i);
        }
        return outputs;
      }
      let next = 0;
      const lane = async (worker: Worker): Promise<void> => {
        worker.ref();
        try {
          while (next < inputs.length) {
            options.signal?.throwIfAborted();
            const index = next++;
            outputs[index] = (await ask(worker, job, index, inputs[index])) as O;
            options.onDone?.(index);
          }
        } finally {
          worker.unref();
        }
      };
      const lanes = Array.from({ length: Math.min(workers, inputs.length) }, (_, i) => lane(thread(i)));
      const settled = await Promise.allSettled(lanes);
      for (const result of settled) if (result.status === 'rejected') throw result.reason;
      return outputs;
    },
    async close() {
      await Promise.all(threads.map((worker) => worker.terminate()));
      threads.length = 0;
    },
  };
}

function ask(worker: Worker, job: Job, index: number, input: unknown): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      worker.off('message', onMessage);
      worker.off('error', onError);
      worker.off('exit', onExit);
    };
    const onMessage = (reply: Reply): void => {
      if (reply.index !== index) return;
      stop();
      if (reply.error) reject(revive(reply.error));
      else resolve(reply.output);
    };
    const onError = (error: Error): void => {
      stop();
      reject(error);
    };
    const onExit = (code: number): void => {
      stop();
      reject(new Error(`A worker thread stopped with code ${code} while it worked on input ${index}.`));
    };
    worker.on('message', onMessage);
    worker.on('error', onError);
    worker.on('exit', onExit);
    worker.postMessage({ module: job.module, index, input });
  });
}

function revive(error: NonNullable<Reply['error']>): Error {
  if (error.name === 'GroundmarkError' && error.code !== undefined) {
    const exit = error.exit as ExitCode | undefined;
    return new GroundmarkError(error.code, error.message, error.context, exit === undefined ? {} : { exit });
  }
  const plain = new Error(error.message);
  plain.name = error.name;
  return plain;
}
