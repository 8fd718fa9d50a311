/**
 * An adapter's share of the cache key. The base URL is in it: replies of a stand-in server or of another host under the
 * same model name must never pass for the real ones.
 */
export function fingerprintOf(adapterVersion: string, baseUrl: string): string {
  return `${adapterVersion} ${baseUrl.replace(/\/+$/u, '')}`;
}
