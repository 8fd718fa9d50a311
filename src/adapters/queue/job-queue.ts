/** A pure function in a module of its own, named so that another thread can load it. */
export interface Job {
  /** `import.meta.url` of the module whose `run` does the work. */
  readonly module: string;
}

/**
 * Runs one job over many inputs. Results come back in the order of the inputs, whatever the number of workers, and an
 * error is thrown for the first input that failed.
 */
export interface JobQueue {
  readonly workers: number;
  map<I, O>(
    job: Job,
    inputs: readonly I[],
    options?: { readonly onDone?: (index: number) => void; readonly signal?: AbortSignal },
  ): Promise<O[]>;
  close(): Promise<void>;
}

/** What a job module exports as `run`. Input and output cross a thread: plain data and typed arrays only. */
export type JobFunction<I, O> = (input: I) => Promise<O>;
