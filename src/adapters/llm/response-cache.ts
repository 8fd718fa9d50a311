import path from 'node:path';
import { z } from 'zod';
import { hashValue } from '../../util/hash.js';
import type { Store } from '../store/index.js';
import type { ChatModel, ChatReply, ChatRequest } from './chat-model.js';
import { requestCacheKey } from './request-key.js';

export interface CacheOptions {
  /** `.groundmark/cache` of a workspace; absolute. */
  readonly folder: string;
  readonly store: Pick<Store, 'read' | 'write' | 'exists'>;
  /** Told when a reply could not be kept; the reply itself is not lost. */
  readonly onNotKept?: (error: unknown) => void;
}

const tokens = z.number().nonnegative();
const replySchema = z.strictObject({
  stop: z.literal('complete'),
  text: z.string().min(1),
  usage: z
    .strictObject({
      inputTokens: tokens,
      cachedInputTokens: tokens,
      cacheWriteTokens: tokens,
      outputTokens: tokens,
      reasoningTokens: tokens,
    })
    .nullable(),
  servedModel: z.string().nullable(),
  providerRequestId: z.string().nullable(),
  stopDetail: z.string().nullable(),
  sent: z
    .array(z.strictObject({ sha256: z.string(), width: z.number(), height: z.number(), bytes: z.number() }))
    .optional(),
});

const entrySchema = z.strictObject({
  key: z.string(),
  /** Of the reply: a half-written or edited entry is no entry. */
  check: z.string(),
  reply: replySchema,
});

/**
 * The model, with complete replies kept, one file each, and given again for the same request.
 *
 * Only a complete reply with text is kept: a refusal, a block, a truncation or an error may go otherwise next time. An
 * entry that cannot be read, is broken or belongs to another key counts as absent and is written anew.
 */
export function withCache(model: ChatModel, options: CacheOptions): ChatModel {
  return {
    ...model,
    async chat(request, call) {
      const kept = await cachedReply(model, request, options);
      if (kept) return kept;
      const reply = await model.chat(request, call);
      await keepReply(model, request, reply, options);
      return reply;
    },
  };
}

/** What a request was answered with before; null when nothing is kept. A dry run counts such a request as free. */
export async function cachedReply(
  model: KeyedModel,
  request: ChatRequest,
  options: CacheOptions,
): Promise<ChatReply | null> {
  const key = requestCacheKey(model, request);
  const kept = await readEntry(cacheFile(options.folder, key), key, options);
  return kept && { ...kept, fromCache: true, attempts: 0, usd: 0 };
}

/** Keeps a reply, when it is one to keep: complete, and with text. */
export async function keepReply(
  model: KeyedModel,
  request: ChatRequest,
  reply: ChatReply,
  options: CacheOptions,
): Promise<void> {
  if (reply.stop !== 'complete' || reply.text === '' || reply.fromCache) return;
  const key = requestCacheKey(model, request);
  await writeEntry(cacheFile(options.folder, key), key, reply, options);
}

type KeyedModel = Pick<ChatModel, 'id' | 'sdk' | 'fingerprint'>;

function cacheFile(folder: string, key: string): string {
  return path.join(folder, key.slice(0, 2), `${key}.json`);
}

async function readEntry(
  file: string,
  key: string,
  { store }: Pick<CacheOptions, 'store'>,
): Promise<ChatReply | null> {
  try {
    if (!(await store.exists(file))) return null;
    const entry = entrySchema.parse(JSON.parse((await store.read(file)).toString('utf8')));
    return entry.key === key && entry.check === hashValue(entry.reply) ? entry.reply : null;
  } catch {
    return null;
  }
}

async function writeEntry(
  file: string,
  key: string,
  reply: ChatReply,
  { store, onNotKept }: CacheOptions,
): Promise<void> {
  const { attempts: _attempts, usd: _usd, fromCache: _fromCache, ...kept } = reply;
  try {
    await store.write(file, `${JSON.stringify({ key, check: hashValue(kept), reply: kept })}\n`);
  } catch (error) {
    onNotKept?.(error);
  }
}
