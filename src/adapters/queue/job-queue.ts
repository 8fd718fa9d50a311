/** A pure function in a module of its own, named so that another thread can load it. */
export interface Job {
  /** `import.meta.url` of the module whose `run` does the work. */
  readonly module: string;
}

/** What may be given with a map. */
export interface MapOptions<O> {
  /** Called when an input is done, in any order; what it does runs beside the worker threads. */
  readonly onDone?: (index: number, output: O) => void;
  readonly signal?: AbortSignal;
}

/**
 * Runs one job over many inputs. Results come back in the order of the inputs, whatever the number of workers, and an
 * error is thrown for the first input that failed.
 */
export interface JobQueue {
  readonly workers: number;
  map<I, O>(job: Job, inputs: readonly I[], options?: MapOptions<O>): Promise<O[]>;
  /** Starts what the first map of this job would wait for, beside whatever the caller does next. */
  prepare?(job: Job): void;
  close(): Promise<void>;
}

/** What a job module exports as `run`. Input and output cross a thread: plain data and typed arrays only. */
export type JobFunction<I, O> = (input: I) => Promise<O>;
