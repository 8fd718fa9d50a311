import {
  request as plainRequest,
  Agent as PlainAgent,
  type IncomingMessage,
  type RequestOptions,
} from 'node:http';
import { request as tlsRequest, Agent as TlsAgent } from 'node:https';

/** A piece of a body: text, or bytes that go out as base64. */
export type BodyPiece = string | { readonly base64Of: Uint8Array };

/** A fetch that takes a body in pieces, without ever holding it whole. */
export interface PieceFetch {
  (url: string, init: RequestInit, pieces: readonly BodyPiece[]): Promise<Response>;
}

const agents = {
  plain: new PlainAgent({ keepAlive: true }),
  tls: new TlsAgent({ keepAlive: true }),
};

/**
 * Sends a request by node:http, piece by piece through small buffers that are used again. The global fetch copies a body
 * three times; for requests of megabytes that is most of what a call costs.
 *
 * Follows no redirect: a 3xx is the reply. Asks for no compression.
 */
export const sendPieces: PieceFetch = (url, init, pieces) => {
  const target = new URL(url);
  const tls = target.protocol === 'https:';
  const options: RequestOptions = {
    method: init.method ?? 'POST',
    agent: tls ? agents.tls : agents.plain,
    headers: {
      ...Object.fromEntries(new Headers(init.headers)),
      'content-length': String(pieces.reduce((sum, piece) => sum + pieceLength(piece), 0)),
    },
    ...(init.signal ? { signal: init.signal } : {}),
  };
  return new Promise((resolve, reject) => {
    const request = (tls ? tlsRequest : plainRequest)(target, options);
    request.on('response', (response) => {
      readReply(response).then(resolve, reject);
    });
    request.on('error', reject);
    request.cork();
    for (const piece of pieces) writePiece(request, piece);
    request.uncork();
    request.end();
  });
};

async function readReply(response: IncomingMessage): Promise<Response> {
  const chunks: Buffer[] = [];
  for await (const chunk of response as AsyncIterable<Buffer>) chunks.push(chunk);
  const headers = new Headers();
  for (let i = 0; i < response.rawHeaders.length; i += 2) {
    headers.append(response.rawHeaders[i]!, response.rawHeaders[i + 1]!);
  }
  const status = response.statusCode ?? 0;
  const empty = status === 204 || status === 205 || status === 304;
  return new Response(empty ? null : Buffer.concat(chunks), { status, headers });
}

function pieceLength(piece: BodyPiece): number {
  return typeof piece === 'string' ? Buffer.byteLength(piece) : 4 * Math.ceil(piece.base64Of.length / 3);
}

/** Bytes encoded at a time, a multiple of 3: their base64 fills a buffer of {@link BUFFER_BYTES}. */
const STEP = 49_152;
const BUFFER_BYTES = 65_536;
/** 64 MB at most stay for the next requests. */
const KEPT_BUFFERS = 1024;
const free: Buffer[] = [];

interface Writer {
  write(bytes: Uint8Array | string, written?: () => void): unknown;
}

function writePiece(request: Writer, piece: BodyPiece): void {
  if (typeof piece === 'string') {
    request.write(Buffer.from(piece));
    return;
  }
  const { base64Of: bytes } = piece;
  const source = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 0; at < source.length; at += STEP) {
    const buffer = free.pop() ?? Buffer.allocUnsafeSlow(BUFFER_BYTES);
    const length = buffer.write(source.toString('base64', at, Math.min(source.length, at + STEP)), 'latin1');
    // Only once the system has it: a buffer that is still to be sent must not change.
    request.write(buffer.subarray(0, length), () => {
      if (free.length < KEPT_BUFFERS) free.push(buffer);
    });
  }
}
