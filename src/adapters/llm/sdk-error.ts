import { failedCall, failedTransport, isCode } from './chat-errors.js';
import type { ChatError } from './chat-model.js';
import type { ProviderAccess } from './provider-access.js';
import { retryAfterMs, type HeaderSource } from './retry-after.js';

/** What the OpenAI and Anthropic SDKs throw, by status and codes alone. */
export function fromSdkError(error: unknown, access: Pick<ProviderAccess, 'id' | 'clock'>): ChatError {
  const { status, headers } = (error ?? {}) as { status?: unknown; headers?: HeaderSource };
  if (typeof status !== 'number') return failedTransport(error, access.id);
  return failedCall({
    model: access.id,
    status,
    codes: errorCodes(error),
    retryAfterMs: retryAfterMs(headers, access.clock()),
  });
}

/** The codes of an SDK error: `code`, then `errorCode` and `type`, those of the body included. */
export function errorCodes(error: unknown): string[] {
  const { code, errorCode, type } = (error ?? {}) as Record<string, unknown>;
  return [code, errorCode, type].filter(isCode);
}
