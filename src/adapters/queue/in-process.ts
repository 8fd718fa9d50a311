import { Worker } from 'node:worker_threads';
import { GroundmarkError, type ExitCode } from '../../domain/error.js';
import type { Job, JobFunction, JobQueue, MapOptions } from './job-queue.js';

interface Reply {
  /** The request's number. Not the input's: two maps may share a thread. */
  readonly request: number;
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
 * Room for a thread's newest objects. Node's 48 MB fill up before they are swept, in every thread; what jobs make is
 * garbage as soon as a file is done.
 */
const THREAD_YOUNG_MB = 12;

/**
 * A queue on this machine's cores: worker threads for two or more workers, this thread for one. A job that is still
 * TypeScript source (the tests) runs in this thread, since Node 20 loads no `.ts` in a worker.
 */
export function inProcessQueue(workers: number): JobQueue {
  const threads: (Worker | undefined)[] = [];
  let requests = 0;

  const thread = (i: number): Worker => {
    const existing = threads[i];
    if (existing) return existing;
    const created = new Worker(new URL('./thread.js', import.meta.url), {
      resourceLimits: { maxYoungGenerationSizeMb: THREAD_YOUNG_MB },
    });
    created.setMaxListeners(0);
    created.unref();
    // A thread that died (out of memory, process.exit in a job) would never answer: the next map starts a new one.
    created.once('exit', () => {
      if (threads[i] === created) threads[i] = undefined;
    });
    threads[i] = created;
    return created;
  };

  return {
    workers,
    async map<I, O>(job: Job, inputs: readonly I[], options: MapOptions<O> = {}): Promise<O[]> {
      const outputs = new Array<O>(inputs.length);
      if (workers <= 1 || inputs.length < 2 || job.module.endsWith('.ts')) {
        const { run } = (await import(job.module)) as { run: JobFunction<I, O> };
        for (let i = 0; i < inputs.length; i++) {
          options.signal?.throwIfAborted();
          const output = await run(inputs[i]!);
          outputs[i] = output;
          options.onDone?.(i, output);
        }
        return outputs;
      }
      let next = 0;
      // Inputs are handed out in order, so when one fails every earlier one has been handed out too: the failure of
      // the lowest index is the one that a single worker would have met.
      let failure: { readonly index: number; readonly reason: unknown } | null = null;
      const fail = (index: number, reason: unknown): void => {
        if (failure === null || index < failure.index) failure = { index, reason };
      };
      const lane = async (worker: Worker): Promise<void> => {
        worker.ref();
        try {
          while (next < inputs.length && failure === null) {
            const index = next++;
            try {
              options.signal?.throwIfAborted();
              const output = (await ask(worker, job, requests++, inputs[index])) as O;
              outputs[index] = output;
              options.onDone?.(index, output);
            } catch (reason) {
              fail(index, reason);
            }
          }
        } finally {
          worker.unref();
        }
      };
      const lanes = Array.from({ length: Math.min(workers, inputs.length) }, (_, i) => lane(thread(i)));
      await Promise.all(lanes);
      throwFailure(failure);
      return outputs;
    },
    prepare(job) {
      if (workers <= 1 || job.module.endsWith('.ts')) return;
      for (let i = 0; i < workers; i++) thread(i).postMessage({ module: job.module });
    },
    async close() {
      await Promise.all(threads.map(async (worker) => worker?.terminate()));
      threads.length = 0;
    },
  };
}

function throwFailure(failure: { readonly reason: unknown } | null): void {
  if (failure !== null) throw failure.reason;
}

function ask(worker: Worker, job: Job, request: number, input: unknown): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      worker.off('message', onMessage);
      worker.off('error', onError);
      worker.off('exit', onExit);
    };
    const onMessage = (reply: Reply): void => {
      if (reply.request !== request) return;
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
      reject(new Error(`a worker thread stopped with code ${code} in the middle of a job`));
    };
    worker.on('message', onMessage);
    worker.on('error', onError);
    worker.on('exit', onExit);
    worker.postMessage({ module: job.module, request, input });
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
