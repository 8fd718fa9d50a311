/** What of a response's headers this module reads; both `Headers` and a Map will do. */
export interface HeaderSource {
  get(name: string): string | null | undefined;
}

/**
 * How long a response asks to wait, ms; undefined when it does not say. `retry-after-ms` (OpenAI, Azure) goes before
 * `Retry-After`, which is seconds, with or without a fraction, or a date (RFC 9110 section 10.2.3).
 *
 * @param now - dates are counted from it; a date that has passed is 0
 */
export function retryAfterMs(headers: HeaderSource | null | undefined, now: Date): number | undefined {
  const exact = headers?.get('retry-after-ms')?.trim() ?? '';
  if (DECIMAL.test(exact)) return Math.ceil(Number(exact));
  const text = headers?.get('retry-after')?.trim() ?? '';
  if (DECIMAL.test(text)) return Math.ceil(Number(text) * 1000);
  // Date.parse reads "-5" and "1.2.3" as years; a date begins with the day's name.
  const date = /^[A-Za-z]{3}/u.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now.getTime());
}

const DECIMAL = /^\d{1,9}(?:\.\d{1,9})?$/u;

/**
 * The wait in a `google.rpc.RetryInfo` of a Gemini error, ms: `retryDelay` is a protobuf duration such as `34.07s`.
 *
 * @param details - the error's `details`, whatever it is
 */
export function retryInfoMs(details: unknown): number | undefined {
  if (!Array.isArray(details)) return undefined;
  for (const detail of details as unknown[]) {
    if (detail === null || typeof detail !== 'object') continue;
    const { '@type': type, retryDelay } = detail as Record<string, unknown>;
    if (typeof type !== 'string' || !type.endsWith('google.rpc.RetryInfo')) continue;
    const seconds = typeof retryDelay === 'string' ? /^(\d{1,9}(?:\.\d{1,9})?)s$/u.exec(retryDelay) : null;
    if (seconds) return Math.ceil(Number(seconds[1]) * 1000);
  }
  return undefined;
}
