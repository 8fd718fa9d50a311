import { DicomwebFailure } from './failure.js';
import { get, type HttpOptions, type Reply } from './http.js';
import { withRetries, type RetryOptions } from './retry.js';

/** A DICOMweb service as the other files here see it. */
export interface Service {
  /** `http(s)://host/base`, nothing secret in it. */
  readonly base: string;
  /** Results asked for at a time. */
  readonly pageSize: number;
  /** What `consume` makes of the answer to a GET, with retries; `consume` starts anew on every try. */
  get<T>(url: string, accept: string, consume: (reply: Reply) => Promise<T>): Promise<T>;
  warn(message: string): void;
}

/**
 * A service behind one address and one set of credentials.
 *
 * A status of 401 ends everything, wherever it comes: the credentials are wrong or have run out.
 */
export function dicomwebService(
  base: string,
  options: {
    readonly pageSize: number;
    readonly http: HttpOptions;
    /** A stream of [0, 1) for one URL, so that waits do not depend on which request came first. */
    readonly randomOf: (url: string) => () => number;
    readonly retry: Omit<RetryOptions, 'random'>;
    readonly warn: (message: string) => void;
  },
): Service {
  return {
    base,
    pageSize: options.pageSize,
    warn: options.warn,
    get: (url, accept, consume) =>
      withRetries(() => get(url, accept, options.http, consume), {
        ...options.retry,
        random: options.randomOf(url),
      }),
  };
}

/** Whether a failure is about the whole service: then it ends the run instead of becoming a record. */
export function endsTheRun(error: unknown): boolean {
  return !(error instanceof DicomwebFailure) || error.status === 401;
}
