import { hashValue } from '../../util/hash.js';
import type { ChatModel, ChatRequest } from './chat-model.js';

/** Raised when the key is made in another way. */
const KEY_VERSION = 1;

/**
 * What makes two calls the same: model, SDK major, adapter and base URL, every text and image (by sha256) in order, the
 * schema, the parameters and the epoch. The request's own `key` is only a name and is left out.
 *
 * @returns lower-case hexadecimal SHA-256
 */
export function requestCacheKey(
  model: Pick<ChatModel, 'id' | 'sdk' | 'fingerprint'>,
  request: ChatRequest,
): string {
  return hashValue({
    version: KEY_VERSION,
    model: model.id,
    sdk: model.sdk,
    adapter: model.fingerprint ?? null,
    parts: request.parts.map((part) =>
      part.type === 'text'
        ? { text: part.text }
        : { image: part.sha256, mediaType: part.mediaType, width: part.width, height: part.height },
    ),
    schema: request.schema ?? null,
    maxOutputTokens: request.maxOutputTokens ?? null,
    temperature: request.temperature ?? null,
    epoch: request.epoch,
  });
}
