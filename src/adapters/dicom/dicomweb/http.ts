import { DicomwebFailure, printedUrl } from './failure.js';
import { retryAfterMs } from './retry.js';

/** How requests are made. */
export interface HttpOptions {
  /** Value of the Authorization header, or null. Never shown. */
  readonly authorization: string | null;
  /** A request that brings fewer than `leastBytes` in a window of this length, ms, has stalled. */
  readonly windowMs: number;
  readonly leastBytes: number;
  readonly clock: () => Date;
  readonly signal: AbortSignal;
}

/** An answer with status 2xx. Its body can be read once. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly body: AsyncIterable<Uint8Array>;
}

/**
 * What `consume` makes of the answer to one GET, tried once. Redirects are followed; the credentials stay with the
 * origin that they are for (fetch standard). gzip is asked for and undone.
 *
 * @throws {DicomwebFailure} on any status but 2xx, no connection, a body that breaks off, and too little in too long
 */
export async function get<T>(
  url: string,
  accept: string,
  http: HttpOptions,
  consume: (reply: Reply) => Promise<T>,
): Promise<T> {
  http.signal.throwIfAborted();
  const stop = new AbortController();
  const onAbort = (): void => stop.abort();
  http.signal.addEventListener('abort', onAbort, { once: true });
  let bytes = 0;
  let stalled = false;
  const watch = setInterval(() => {
    if (bytes < http.leastBytes) {
      stalled = true;
      stop.abort();
    }
    bytes = 0;
  }, http.windowMs);

  const failed = (cause: unknown, during: 'request' | 'body'): unknown => {
    if (http.signal.aborted) return http.signal.reason;
    if (stalled) {
      const seconds = Math.round(http.windowMs / 1000);
      return new DicomwebFailure(
        'dicomweb-timeout',
        `${printedUrl(url)} brought less than ${http.leastBytes} bytes in ${seconds} s. Try again when the server is less busy.`,
        url,
        { retry: true },
      );
    }
    return connectionFailure(url, cause, during);
  };

  let response: Response | null = null;
  try {
    const headers = new Headers({ accept });
    if (http.authorization !== null) headers.set('authorization', http.authorization);
    response = await fetch(url, { headers, signal: stop.signal }).catch((cause: unknown) => {
      throw failed(cause, 'request');
    });
    if (!response.ok) throw statusFailure(url, response, http.clock());
    const { body, status } = response;
    const pieces = async function* (): AsyncGenerator<Uint8Array> {
      try {
        for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
          bytes += chunk.byteLength;
          yield chunk;
        }
      } catch (cause) {
        throw failed(cause, 'body');
      }
    };
    return await consume({ status, headers: response.headers, body: pieces() });
  } finally {
    clearInterval(watch);
    http.signal.removeEventListener('abort', onAbort);
    // An answer that nobody read to its end would keep its connection.
    if (response?.body && !response.body.locked) await response.body.cancel().catch(() => undefined);
  }
}

/** Statuses that may be gone a little later. */
const PASSING: ReadonlySet<number> = new Set([408, 425, 429, 500, 502, 503, 504]);

function statusFailure(url: string, { status, headers }: Response, now: Date): DicomwebFailure {
  const remedies: Record<number, string> = {
    401: 'Name credentials with --dicomweb-auth env:NAME, or check the ones that are named.',
    403: 'This user may not read it: ask for access.',
    404: 'Check the path of the service.',
  };
  return new DicomwebFailure(
    `dicomweb-${status}`,
    `${printedUrl(url)} answered with HTTP status ${status}. ${remedies[status] ?? 'The log of the server says why.'}`,
    url,
    { retry: PASSING.has(status), status, retryAfterMs: retryAfterMs(headers.get('retry-after'), now) },
  );
}

/** Failures of the certificate do not pass by themselves. */
const CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ALTNAME/u;

function connectionFailure(url: string, cause: unknown, during: 'request' | 'body'): DicomwebFailure {
  const code = errorCode(cause);
  if (during === 'body') {
    return new DicomwebFailure(
      'dicomweb-truncated',
      `${printedUrl(url)}: the answer broke off (${code}). Try again.`,
      url,
      { retry: true },
    );
  }
  const certificate = CERTIFICATE.test(code);
  return new DicomwebFailure(
    'dicomweb-connection',
    `${printedUrl(url)} could not be reached (${code}). ` +
      (certificate
        ? 'Name the file of its certificate authority in NODE_EXTRA_CA_CERTS.'
        : 'Check host, port and network.'),
    url,
    { retry: !certificate },
  );
}

/** fetch hides the reason in `cause`, and that of several addresses in `errors`. */
function errorCode(error: unknown): string {
  const { code, cause, errors } = error as { code?: unknown; cause?: unknown; errors?: unknown[] };
  if (typeof code === 'string') return code;
  if (errors?.[0] !== undefined) return errorCode(errors[0]);
  return cause === undefined || cause === null ? 'unknown' : errorCode(cause);
}
