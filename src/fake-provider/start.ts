import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CallLog } from './call-log.js';
import { ImageChecker } from './images.js';
import { Rejected } from './rejected.js';
import type { Context } from './respond.js';
import type { Service } from './routes.js';
import { services } from './services.js';
import type { FakeProvider, FakeProviderOptions } from './types.js';
import { sendJson } from './wire.js';

/**
 * A local server that stands in for OpenAI, Anthropic and Gemini: the real SDKs talk to it by their base URLs. It refuses
 * every request that is not of the documented shape, answers by script or seed, and can be told to fail.
 *
 * Listens on 127.0.0.1 only, and keeps hashes of what it was sent, no text.
 */
export async function startFakeProvider(options: FakeProviderOptions = {}): Promise<FakeProvider> {
  const began = performance.now();
  const log = new CallLog(() => performance.now() - began, options.onCall);
  let url = '';
  const context: Context = {
    options,
    log,
    checker: new ImageChecker(options.imageCheck ?? 'decode'),
    url: () => url,
  };
  const all = services(context);
  const server = createServer((request, response) => {
    void serve(request, response, all);
  });
  // Node ends idle connections after 5 s, just when a client may take one up again.
  server.keepAliveTimeout = 120_000;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, '127.0.0.1', resolve);
  });
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    urls: { openai: `${url}/openai/v1`, anthropic: `${url}/anthropic`, gemini: `${url}/gemini` },
    calls: () => log.all(),
    answered: () => log.answered(),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  all: readonly Service[],
): Promise<void> {
  const path = (request.url ?? '/').replace(/\?.*$/u, '');
  const service = all.find(({ base }) => path.startsWith(`${base}/`));
  if (!service) {
    sendJson(response, { status: 404, body: { error: { message: `No such path: ${path}` } } });
    return;
  }
  try {
    checkHeaders(request, service);
    const below = path.slice(service.base.length);
    for (const route of service.routes) {
      const found = route.method === request.method ? route.path.exec(below) : null;
      if (!found) continue;
      await route.handle({ request, response, found: found.slice(1) });
      return;
    }
    throw new Rejected(`Invalid URL (${request.method} ${path})`, null, 'not_found', 404);
  } catch (error) {
    // The client has gone, or the request was none.
    if (!(error instanceof Rejected) || response.headersSent) response.destroy();
    else sendJson(response, service.protocol.rejection(error));
  }
}

function checkHeaders({ headers }: IncomingMessage, { keyHeaders, otherHeaders }: Service): void {
  const keyOf = (name: string): string => String(headers[name] ?? '').replace(/^Bearer\b */u, '');
  if (!keyHeaders.some((name) => keyOf(name) !== '')) {
    throw new Rejected(`No key in ${keyHeaders.join(' or ')}.`, null, 'invalid_api_key', 401);
  }
  const missing = otherHeaders.find((name) => headers[name] === undefined);
  if (missing !== undefined) throw new Rejected(`${missing}: header is required`, null);
}
