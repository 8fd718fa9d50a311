import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { OpenCall } from './call-log.js';
import type { HttpReply } from './protocol.js';
import { Rejected } from './rejected.js';
import type { Prepared } from './respond.js';
import type { CallEnd, FaultKind } from './types.js';

/** The body of a request, whole. @throws {Rejected} 413 when it is longer than `limit` bytes */
export async function readBody(request: IncomingMessage, limit: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes <= limit) chunks.push(chunk);
  }
  if (bytes > limit) {
    throw new Rejected(`The request has ${bytes} bytes, at most ${limit}.`, null, 'request_too_large', 413);
  }
  return Buffer.concat(chunks, bytes);
}

export function sendJson(response: ServerResponse, { status, body, headers = {} }: HttpReply): void {
  const text = JSON.stringify(body);
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
    ...headers,
  });
  response.end(text);
}

/**
 * Sends a reply as its fault will have it, and tells the log how it ended.
 */
export async function sendPrepared(
  response: ServerResponse,
  { reply, fault }: Prepared,
  call: OpenCall,
): Promise<void> {
  // Who left before this has had its `close` already: no event would come any more.
  if (response.destroyed) {
    call.ended('gone', null);
    return;
  }
  const failed = reply.status >= 500 || reply.status === 429 ? 'failed' : 'rejected';
  const end = reply.status < 400 ? 'answered' : failed;
  const faulty = fault === null ? undefined : FAULTY[fault.kind];
  // Before `finish`, which comes when the last byte went to the system, the client has no whole reply.
  if (!faulty) response.once('finish', () => call.ended(end, reply.status));
  response.once('close', () => call.ended(faulty?.end ?? 'gone', faulty?.status ?? null));
  if (!faulty) {
    if (fault?.kind === 'trickle') await trickle(response, reply);
    else sendJson(response, reply);
    return;
  }
  await faulty.send(response);
}

interface Faulty {
  readonly end: CallEnd;
  readonly status: number | null;
  readonly send: (response: ServerResponse) => Promise<void> | void;
}

/** Faults that have no whole reply. */
const FAULTY: Readonly<Partial<Record<FaultKind, Faulty>>> = {
  hang: { end: 'hung', status: null, send: () => undefined },
  cut: {
    end: 'cut',
    status: 200,
    async send(response) {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': 4096 });
      response.write('{"id": "half a reply');
      await sleep(5);
      response.destroy();
    },
  },
  empty: {
    end: 'failed',
    status: 200,
    send(response) {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end();
    },
  },
  'bad-body': {
    end: 'failed',
    status: 200,
    send(response) {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end('<html><body>502 Bad Gateway</body></html>');
    },
  },
};

/** A trickle takes this long in all, ms, a piece at a time. */
const TRICKLE_MS = 400;
const TRICKLE_PIECES = 8;

async function trickle(response: ServerResponse, { status, body }: HttpReply): Promise<void> {
  const bytes = Buffer.from(JSON.stringify(body));
  const piece = Math.ceil(bytes.length / TRICKLE_PIECES);
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': bytes.length });
  for (let at = 0; at < bytes.length && !response.destroyed; at += piece) {
    response.write(bytes.subarray(at, at + piece));
    await sleep(TRICKLE_MS / TRICKLE_PIECES);
  }
  response.end();
}
