import type {
  MessageBatch,
  MessageBatchIndividualResponse,
} from '@anthropic-ai/sdk/resources/messages/batches';
import type { MessageCreateParamsNonStreaming } from '@anthropic-ai/sdk/resources/messages/messages';
import {
  anthropicBlockedReply,
  anthropicClient,
  ANTHROPIC_ADAPTER_VERSION,
  ANTHROPIC_SDK,
  fromAnthropicReply,
  readBackAnthropic,
  toAnthropicRequest,
} from '../anthropic.js';
import { chatError, failedCall } from '../chat-errors.js';
import type { ChatReply } from '../chat-model.js';
import { fingerprintOf } from '../fingerprint.js';
import { fromSdkError } from '../sdk-error.js';
import type { ProviderAccess } from '../provider-access.js';
import { checkSentParts, encodeParts } from '../sent-images.js';
import type { BatchDriver, PartStatus, RawResult } from './batch-driver.js';
import { sdkCall, TRANSFER_MS } from './sdk-call.js';
import { isObject } from './read-lines.js';

/** The API takes 100,000 requests and 256 MB. */
const LIMITS = { requests: 100_000, bytes: 90_000_000 };

/** Message Batches. */
export async function anthropicBatch(access: ProviderAccess): Promise<BatchDriver> {
  const client = await anthropicClient({ ...access, timeoutMs: TRANSFER_MS });
  const call = sdkCall(access);
  return {
    access,
    sdk: ANTHROPIC_SDK,
    fingerprint: fingerprintOf(ANTHROPIC_ADAPTER_VERSION, access.baseUrl),
    limits: LIMITS,
    async entry(request) {
      const params = toAnthropicRequest(access.model, request, await encodeParts(request));
      const sent = checkSentParts(request, readBackAnthropic(params));
      const line = JSON.stringify({ custom_id: request.key, params });
      return { key: request.key, line, bytes: Buffer.byteLength(line) + 1, sent };
    },
    create: (entries, signal) =>
      call(signal, async (inner) => {
        const requests = entries.map(
          ({ line }) => JSON.parse(line) as { custom_id: string; params: MessageCreateParamsNonStreaming },
        );
        return (await client.messages.batches.create({ requests }, { signal: inner })).id;
      }),
    status: async (id, signal) =>
      anthropicPartStatus(
        await call(signal, (inner) => client.messages.batches.retrieve(id, {}, { signal: inner })),
      ),
    async *results(id, _keys, signal) {
      const lines = await call(signal, (inner) => client.messages.batches.results(id, {}, { signal: inner }));
      try {
        for await (const line of lines) yield fromAnthropicBatchLine(line, access.id);
      } catch (error) {
        throw fromSdkError(error, access);
      }
    },
    async cancel(id, signal) {
      await call(signal, (inner) => client.messages.batches.cancel(id, {}, { signal: inner }));
    },
  };
}

export function anthropicPartStatus({ processing_status, request_counts }: MessageBatch): PartStatus {
  const { canceled, errored, expired, succeeded } = request_counts;
  return { ended: processing_status === 'ended', finished: canceled + errored + expired + succeeded };
}

/** A line of the results. Order is not that of the requests. */
export function fromAnthropicBatchLine(line: MessageBatchIndividualResponse, model: string): RawResult {
  return { key: line.custom_id, read: () => readResult(line.result, model) };
}

function readResult(result: MessageBatchIndividualResponse['result'], model: string): ChatReply {
  switch (result.type) {
    case 'succeeded':
      return fromAnthropicReply(result.message, model);
    case 'errored': {
      const error: unknown = result.error.error;
      const { type, message } = isObject(error) ? error : {};
      const blocked = anthropicBlockedReply({ status: 400, apiMessage: message });
      if (blocked) return blocked;
      throw failedCall({ model, codes: [type] });
    }
    case 'expired':
    case 'canceled':
      // Not run and not paid.
      throw chatError('server', model, `batch entry ${result.type}`, { unsent: true });
  }
}
