import type { BatchJob, GenerateContentResponse, GoogleGenAI, InlinedRequest } from '@google/genai';
import { chatError, failedCall } from '../chat-errors.js';
import type { ChatReply } from '../chat-model.js';
import { withDeadline } from '../deadline.js';
import { fingerprintOf } from '../fingerprint.js';
import {
  fromGeminiError,
  fromGeminiReply,
  geminiClient,
  GEMINI_ADAPTER_VERSION,
  GEMINI_SDK,
  readBackGemini,
  toGeminiRequest,
  watchedFetch,
} from '../gemini.js';
import type { ProviderAccess } from '../provider-access.js';
import { checkSentParts, encodeParts } from '../sent-images.js';
import type { BatchDriver, BatchEntry, PartStatus, RawResult } from './batch-driver.js';
import { TRANSFER_MS } from './sdk-call.js';
import { isObject, jsonLines } from './read-lines.js';

/** The API takes files of 2 GB. */
const LIMITS = { requests: 50_000, bytes: 90_000_000 };
/** Less than the 20 MB that a request with inline entries may have. */
const INLINE_BYTES = 15_000_000;

type WireRequest = Required<Pick<InlinedRequest, 'contents' | 'config'>>;

/** Batches of `generateContent`: inline when they are small, else by a file. */
export async function geminiBatch(access: ProviderAccess): Promise<BatchDriver> {
  const call = <T>(
    signal: AbortSignal,
    work: (client: GoogleGenAI, inner: AbortSignal, fetch: typeof globalThis.fetch) => Promise<T>,
  ): Promise<T> =>
    withDeadline(access.id, signal, TRANSFER_MS, async (inner) => {
      const watched = watchedFetch(access);
      try {
        return await work(await geminiClient(access, watched.fetch), inner, watched.fetch);
      } catch (error) {
        throw fromGeminiError(error, watched.response(), access);
      }
    });
  const retrieve = (id: string, signal: AbortSignal): Promise<BatchJob> =>
    call(signal, (client, inner) => client.batches.get({ name: id, config: { abortSignal: inner } }));
  return {
    access,
    sdk: GEMINI_SDK,
    fingerprint: fingerprintOf(GEMINI_ADAPTER_VERSION, access.baseUrl),
    limits: LIMITS,
    async entry(request) {
      const { contents, config } = toGeminiRequest(access.model, request, await encodeParts(request));
      const sent = checkSentParts(request, readBackGemini({ contents }));
      const line = JSON.stringify({ key: request.key, request: { contents, config } });
      return { key: request.key, line, bytes: Buffer.byteLength(line) + 1, sent };
    },
    create: (entries, signal) => call(signal, (client, inner) => createBatch(client, entries, access, inner)),
    status: async (id, signal) => geminiPartStatus(await retrieve(id, signal)),
    async *results(id, keys, signal) {
      const { dest, state, error } = await retrieve(id, signal);
      for (const [i, inlined] of (dest?.inlinedResponses ?? []).entries()) {
        // They come in the order of the requests; the key is there when the service gives metadata back.
        const key = inlined.metadata?.key ?? keys[i];
        if (key !== undefined) yield { key, read: () => readResult(inlined, access.id) };
      }
      if (dest?.fileName !== undefined) yield* fileResults(dest.fileName, access, signal, call);
      if (dest === undefined && String(state) === 'JOB_STATE_FAILED') {
        for (const key of keys) yield { key, read: () => refuse(error, access.id) };
      }
    },
    async cancel(id, signal) {
      await call(signal, (client, inner) =>
        client.batches.cancel({ name: id, config: { abortSignal: inner } }),
      );
    },
  };
}

async function createBatch(
  client: GoogleGenAI,
  entries: readonly BatchEntry[],
  { id, model }: ProviderAccess,
  signal: AbortSignal,
): Promise<string> {
  const bytes = entries.reduce((sum, entry) => sum + entry.bytes, 0);
  const src =
    bytes <= INLINE_BYTES ? inlineSource(entries) : { fileName: await uploadFile(client, entries, signal) };
  const job = await client.batches.create({ model, src, config: { abortSignal: signal } });
  if (job.name === undefined) throw chatError('bad-reply', id, 'the batch has no name');
  return job.name;
}

function inlineSource(entries: readonly BatchEntry[]): { inlinedRequests: InlinedRequest[] } {
  return {
    inlinedRequests: entries.map(({ line }) => {
      const { key, request } = JSON.parse(line) as { key: string; request: WireRequest };
      return { ...request, metadata: { key } };
    }),
  };
}

async function uploadFile(
  client: GoogleGenAI,
  entries: readonly BatchEntry[],
  signal: AbortSignal,
): Promise<string> {
  const lines = entries.map(({ line }) => {
    const { key, request } = JSON.parse(line) as { key: string; request: WireRequest };
    return `${JSON.stringify({ key, request: toWire(request) })}\n`;
  });
  const file = await client.files.upload({
    file: new Blob(lines, { type: 'application/jsonl' }),
    config: { mimeType: 'application/jsonl', abortSignal: signal },
  });
  return file.name ?? '';
}

/** The REST form of the parameters, which the SDK makes for inline entries only. */
export function toWire({ contents, config }: WireRequest): Readonly<Record<string, unknown>> {
  const { store, automaticContinuation: _automaticContinuation, ...generationConfig } = config;
  return { contents, generationConfig, ...(store === undefined ? {} : { store }) };
}

/** A partly succeeded, cancelled or expired job has ended too. */
export function geminiPartStatus({ state }: BatchJob): PartStatus {
  const running = ['QUEUED', 'PENDING', 'RUNNING', 'CANCELLING', 'PAUSED', 'UPDATING', 'UNSPECIFIED'];
  const name = String(state ?? 'UNSPECIFIED').replace(/^JOB_STATE_/u, '');
  return { ended: !running.includes(name), finished: null };
}

async function* fileResults(
  fileName: string,
  access: ProviderAccess,
  signal: AbortSignal,
  call: <T>(
    signal: AbortSignal,
    work: (client: GoogleGenAI, inner: AbortSignal, fetch: typeof globalThis.fetch) => Promise<T>,
  ) => Promise<T>,
): AsyncGenerator<RawResult> {
  // The SDK downloads to a file only; this is the same request, read as it comes.
  const response = await call(signal, async (_client, inner, fetch) => {
    const url = `${access.baseUrl}/v1beta/${fileName}:download?alt=media`;
    const got = await fetch(url, { headers: { 'x-goog-api-key': access.apiKey }, signal: inner });
    if (!got.ok) throw failedCall({ model: access.id, status: got.status });
    return got;
  });
  try {
    for await (const line of jsonLines(response.body as AsyncIterable<Uint8Array> | null)) {
      if (typeof line.key === 'string') yield { key: line.key, read: () => readResult(line, access.id) };
    }
  } catch (error) {
    throw fromGeminiError(error, null, access);
  }
}

/** An inline response or a line of a result file. */
function readResult(
  result: { readonly response?: unknown; readonly error?: unknown },
  model: string,
): ChatReply {
  if (result.response !== undefined)
    return fromGeminiReply(result.response as GenerateContentResponse, model);
  return refuse(result.error, model);
}

/** `google.rpc.Code` as the HTTP status that stands for it. */
const HTTP_OF_CODE: Readonly<Record<number, number>> = {
  1: 499,
  3: 400,
  4: 504,
  5: 404,
  7: 403,
  8: 429,
  9: 400,
  10: 409,
  13: 500,
  14: 503,
  16: 401,
};

function refuse(error: unknown, model: string): never {
  const { code, status } = isObject(error) ? error : {};
  // Cancelled and expired entries were not run.
  if (code === 1 || code === 4) throw chatError('server', model, 'batch entry not run', { unsent: true });
  const known = typeof code === 'number' ? (HTTP_OF_CODE[code] ?? code) : 500;
  throw failedCall({ model, status: known, codes: [status] });
}
