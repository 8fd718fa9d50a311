import type { IncomingMessage, ServerResponse } from 'node:http';
import { pooledBody } from './body.js';
import { requestLimit } from './limits.js';
import type { HttpReply, Protocol } from './protocol.js';
import { Rejected } from './rejected.js';
import { prepareReply, type Context } from './respond.js';
import { jsonBody, jsonWithBlobs } from './strict.js';
import { readBody, sendJson, sendPrepared } from './wire.js';
import { setTimeout as sleep } from 'node:timers/promises';

/** One request as a route sees it. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** What the route's pattern caught. */
  readonly found: readonly string[];
}

/** A path of a provider and what happens there. */
export interface Route {
  readonly method: string;
  /** Of the path below the provider's base. */
  readonly path: RegExp;
  readonly handle: (exchange: Exchange) => Promise<void>;
}

/** A provider: its routes, its headers for the key, and the form of its refusals. */
export interface Service {
  readonly base: string;
  /** One of these headers must hold a key; the others must be there as well. */
  readonly keyHeaders: readonly string[];
  readonly otherHeaders: readonly string[];
  readonly protocol: Protocol;
  readonly routes: readonly Route[];
}

/** The route on which a model is asked. */
export function modelRoute(path: RegExp, protocol: Protocol, context: Context): Route {
  return {
    method: 'POST',
    path,
    async handle({ request, response, found }) {
      const call = context.log.open(protocol.provider);
      let prepared;
      try {
        const { bytes, release } = await pooledBody(request, requestLimit(protocol.provider));
        try {
          const { value, blobs } = jsonWithBlobs(bytes);
          const model = decodeURIComponent(found[0] ?? '');
          prepared = await prepareReply(protocol, value, model, call, context, blobs);
        } finally {
          release();
        }
      } catch (error) {
        if (!(error instanceof Rejected)) {
          call.ended('gone', null);
          throw error;
        }
        prepared = { reply: protocol.rejection(error), fault: null };
      }
      if (context.options.latencyMs) await sleep(context.options.latencyMs);
      await sendPrepared(response, prepared, call);
    },
  };
}

/** A route whose reply is JSON and whose body, if any, is JSON too. */
export function jsonRoute(
  method: string,
  path: RegExp,
  reply: (body: unknown, found: readonly string[]) => Promise<HttpReply> | HttpReply,
): Route {
  return {
    method,
    path,
    async handle({ request, response, found }) {
      const bytes = await readBody(request, 300_000_000);
      sendJson(response, await reply(bytes.length === 0 ? {} : jsonBody(bytes), found));
    },
  };
}

/** Sends lines of JSON. */
export function sendLines(response: ServerResponse, lines: readonly unknown[]): void {
  response.writeHead(200, { 'content-type': 'application/jsonl' });
  response.end(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
}
