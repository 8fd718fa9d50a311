import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { anthropicModel } from '../../../src/adapters/llm/anthropic.js';
import { geminiModel } from '../../../src/adapters/llm/gemini.js';
import { openaiChatModel } from '../../../src/adapters/llm/openai-chat.js';
import { openaiModel } from '../../../src/adapters/llm/openai.js';
import { access, aRequest, call, failureOf } from './helpers.js';

let server: Server | undefined;
afterEach(async () => {
  server?.closeAllConnections();
  await new Promise((resolve) => (server ? server.close(resolve) : resolve(undefined)));
  server = undefined;
});

async function serve(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
  server = createServer((request, response) => {
    request.resume();
    request.on('end', () => answer(request, response));
  });
  await new Promise<void>((resolve) => server!.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const HEAD = { 'content-type': 'application/json' };

describe.each([
  ['openai', openaiModel],
  ['openai-chat', openaiChatModel],
  ['anthropic', anthropicModel],
  ['gemini', geminiModel],
] as const)('%s over a real socket', (_name, make) => {
  const ask = async (baseUrl: string, timeoutMs = 5000) =>
    failureOf((await make(access({ baseUrl, timeoutMs }))).chat(aRequest(), call));

  it.each<[string, string, (request: IncomingMessage, response: ServerResponse) => void]>([
    ['a connection cut before the reply', 'connection', (_request, response) => response.destroy()],
    [
      'a connection cut in the body',
      'connection',
      (_request, response) => {
        response.writeHead(200, { ...HEAD, 'content-length': 500 });
        response.write('{"id":', () => response.destroy());
      },
    ],
    [
      'a body that ends too soon',
      'bad-reply',
      (_request, response) => {
        response.writeHead(200, HEAD);
        response.end('{"id": "x"');
      },
    ],
    [
      'a 429 with a Retry-After',
      'rate-limit',
      (_request, response) => {
        response.writeHead(429, { ...HEAD, 'retry-after': '2' });
        response.end('{}');
      },
    ],
    [
      'a 500 that is no JSON',
      'server',
      (_request, response) => {
        response.writeHead(500, { 'content-type': 'text/html' });
        response.end('<h1>oops</h1>');
      },
    ],
  ])('takes %s as %s, after one call', async (_what, kind, answer) => {
    let calls = 0;
    const url = await serve((request, response) => {
      calls += 1;
      answer(request, response);
    });
    const error = await ask(url);
    expect([error.kind, error.retryable, calls]).toEqual([kind, true, 1]);
    if (kind === 'rate-limit') expect(error.detail.retryAfterMs).toBe(2000);
  });

  it('gives up in its time on a reply that trickles for ever', async () => {
    let closed = false;
    const url = await serve((_request, response) => {
      response.writeHead(200, HEAD);
      const drip = setInterval(() => response.write(' '), 10);
      response.on('close', () => {
        closed = true;
        clearInterval(drip);
      });
    });
    const start = performance.now();
    expect(await ask(url, 150)).toMatchObject({ kind: 'timeout' });
    expect(performance.now() - start).toBeLessThan(2000);
    // The connection goes too.
    await expect.poll(() => closed).toBe(true);
  });

  it('takes a server that is not there as unsent', async () => {
    const url = await serve(() => undefined);
    await new Promise((resolve) => server!.close(resolve));
    server = undefined;
    expect(await ask(url)).toMatchObject({ kind: 'connection', detail: { unsent: true } });
  });
});
