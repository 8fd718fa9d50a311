import type OpenAI from 'openai';
import type { Batch } from 'openai/resources/batches';
import type { Response as OpenaiResponse } from 'openai/resources/responses/responses';
import { chatError, failedCall } from '../chat-errors.js';
import type { ChatReply } from '../chat-model.js';
import { fingerprintOf } from '../fingerprint.js';
import { openaiClient, OPENAI_SDK } from '../openai-client.js';
import { fromSdkError } from '../sdk-error.js';
import {
  fromOpenaiReply,
  openaiBlockedReply,
  OPENAI_ADAPTER_VERSION,
  readBackOpenai,
  toOpenaiRequest,
} from '../openai.js';
import type { ProviderAccess } from '../provider-access.js';
import { checkSentParts, encodeParts } from '../sent-images.js';
import type { BatchDriver, BatchEntry, PartStatus, RawResult } from './batch-driver.js';
import { sdkCall, TRANSFER_MS } from './sdk-call.js';
import { isObject, jsonLines } from './read-lines.js';

/** The API takes 50,000 requests and 200 MB; a smaller file is held in memory more easily. */
const LIMITS = { requests: 50_000, bytes: 90_000_000 };

/** Batches of `/v1/responses`: a file of requests, a file of replies and one of errors. */
export async function openaiBatch(access: ProviderAccess): Promise<BatchDriver> {
  const client = await openaiClient({ ...access, timeoutMs: TRANSFER_MS });
  const call = sdkCall(access);
  const retrieve = (id: string, signal: AbortSignal): Promise<Batch> =>
    call(signal, (inner) => client.batches.retrieve(id, { signal: inner }));
  return {
    access,
    sdk: OPENAI_SDK,
    fingerprint: fingerprintOf(OPENAI_ADAPTER_VERSION, access.baseUrl),
    limits: LIMITS,
    async entry(request) {
      const body = toOpenaiRequest(access.model, request, await encodeParts(request));
      const sent = checkSentParts(request, readBackOpenai(body));
      const line = JSON.stringify({ custom_id: request.key, method: 'POST', url: '/v1/responses', body });
      return { key: request.key, line, bytes: Buffer.byteLength(line) + 1, sent };
    },
    create: (entries, signal) => call(signal, (inner) => createBatch(client, entries, inner)),
    status: async (id, signal) => openaiPartStatus(await retrieve(id, signal)),
    async *results(id, keys, signal) {
      const batch = await retrieve(id, signal);
      if (batch.status === 'failed') {
        // The whole file was refused; nothing ran.
        const codes = (batch.errors?.data ?? []).map(({ code }) => code);
        for (const key of keys) yield { key, read: () => refuse(access.id, codes) };
        return;
      }
      for (const file of [batch.output_file_id, batch.error_file_id]) {
        if (!file) continue;
        const content = await call(signal, (inner) => client.files.content(file, { signal: inner }));
        try {
          for await (const line of jsonLines(content.body as AsyncIterable<Uint8Array> | null)) {
            const result = fromOpenaiBatchLine(line, access.id);
            if (result) yield result;
          }
        } catch (error) {
          throw fromSdkError(error, access);
        }
      }
    },
    async cancel(id, signal) {
      await call(signal, (inner) => client.batches.cancel(id, { signal: inner }));
    },
  };
}

async function createBatch(
  client: OpenAI,
  entries: readonly BatchEntry[],
  signal: AbortSignal,
): Promise<string> {
  const lines = entries.map(({ line }) => `${line}\n`);
  const file = new File(lines, 'requests.jsonl', { type: 'application/jsonl' });
  const uploaded = await client.files.create({ file, purpose: 'batch' }, { signal });
  const batch = await client.batches.create(
    { input_file_id: uploaded.id, endpoint: '/v1/responses', completion_window: '24h' },
    { signal },
  );
  return batch.id;
}

/** `expired` and `cancelled` batches have ended too: what was done until then is in their files. */
export function openaiPartStatus({ status, request_counts }: Batch): PartStatus {
  const ended = ['completed', 'failed', 'expired', 'cancelled'].includes(status);
  return { ended, finished: request_counts ? request_counts.completed + request_counts.failed : null };
}

/** A line of the output or the error file; null when it names no request. */
export function fromOpenaiBatchLine(
  line: Readonly<Record<string, unknown>>,
  model: string,
): RawResult | null {
  const { custom_id: key, response, error } = line;
  if (typeof key !== 'string') return null;
  return { key, read: () => readLine(response, error, model) };
}

function readLine(response: unknown, error: unknown, model: string): ChatReply {
  if (!isObject(response)) {
    const code = isObject(error) ? error.code : undefined;
    // batch_expired, batch_cancelled: it was not run.
    throw chatError(
      'server',
      model,
      typeof code === 'string' && /^batch_[a-z]+$/u.test(code) ? code : 'no reply',
      {
        unsent: true,
      },
    );
  }
  const { status_code: status, body } = response;
  if (status === 200) return fromOpenaiReply(body as OpenaiResponse, model);
  const inner = isObject(body) && isObject(body.error) ? body.error : {};
  const blocked = openaiBlockedReply({ ...inner, status });
  if (blocked) return blocked;
  throw failedCall({
    model,
    status: typeof status === 'number' ? status : undefined,
    codes: [inner.code, inner.type],
  });
}

function refuse(model: string, codes: readonly unknown[]): never {
  throw failedCall({ model, status: 400, codes });
}
