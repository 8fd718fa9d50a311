import type { Config } from '../../domain/config.js';
import type { Store } from '../store/index.js';
import type { Budget } from './budget.js';
import { withBudget } from './budget.js';
import type { ModelCapabilities } from './capabilities.js';
import type { ChatModel, ChatRequest } from './chat-model.js';
import { estimateTokens, type TokenEstimate } from './estimate-tokens.js';
import { DEFAULT_CONCURRENCY, Limiter, withLimits } from './limits.js';
import { priceOf, type PriceTable } from './prices.js';
import { withCache } from './response-cache.js';
import { DEFAULT_RETRY, withRetry, type RetryEvent, type RetryOptions } from './retry.js';
import { realTime, type Time } from './time.js';

/** What the models of one run share. */
export interface GuardOptions {
  readonly config: Pick<Config, 'providers'>;
  readonly prices: PriceTable;
  readonly budget: Budget;
  readonly seed: number;
  readonly clock: () => Date;
  /** `.groundmark/cache`; null: no cache. */
  readonly cacheFolder: string | null;
  readonly store: Pick<Store, 'read' | 'write' | 'exists'>;
  /** Calls at the same time for providers that groundmark.yaml gives no number. */
  readonly concurrency?: number;
  readonly retry?: Partial<Pick<RetryOptions, 'attempts' | 'maxElapsedMs' | 'firstWaitMs' | 'longestWaitMs'>>;
  readonly onRetry?: (model: string, event: RetryEvent) => void;
  /** Told when a reply could not be put into the cache. */
  readonly onNotKept?: (error: unknown) => void;
  /** For tests. */
  readonly time?: Time;
}

/**
 * Wraps the models of one run: `cache(retry(budget(limits(model))))`. What the cache has costs nothing and waits for
 * nothing; every try again waits for its turn and is paid from the budget.
 */
export function modelGuard(options: GuardOptions): (model: ChatModel) => ChatModel {
  const time = options.time ?? realTime(options.clock);
  const limiters = new Map<string, Limiter>();
  const limiterOf = (provider: string): Limiter => {
    const known = limiters.get(provider);
    if (known) return known;
    const limiter = new Limiter(providerLimits(provider, options), time);
    limiters.set(provider, limiter);
    return limiter;
  };
  return (model) => {
    const estimate = (request: ChatRequest): TokenEstimate => estimateFor(model, request);
    const limited = withLimits(model, limiterOf(model.provider), (request) => {
      const { inputTokens, maxOutputTokens } = estimate(request);
      return inputTokens + maxOutputTokens;
    });
    const paid = withBudget(limited, options.budget, priceOf(model.id, options.prices), estimate);
    const retried = withRetry(paid, {
      ...DEFAULT_RETRY,
      ...options.retry,
      seed: options.seed,
      time,
      onRetry: (event) => options.onRetry?.(model.id, event),
    });
    if (options.cacheFolder === null) return retried;
    return withCache(retried, {
      folder: options.cacheFolder,
      store: options.store,
      ...(options.onNotKept === undefined ? {} : { onNotKept: options.onNotKept }),
    });
  };
}

/** Tokens of a request to a model, estimated by the rule of its provider. */
export function estimateFor(
  model: Pick<ChatModel, 'capabilities'>,
  request: Pick<ChatRequest, 'parts' | 'maxOutputTokens'>,
): TokenEstimate {
  const { imageTokens } = model.capabilities as Partial<ModelCapabilities>;
  return estimateTokens(request, imageTokens ?? null);
}

function providerLimits(
  provider: string,
  { config, concurrency = DEFAULT_CONCURRENCY }: GuardOptions,
): ConstructorParameters<typeof Limiter>[0] {
  const name = provider.replace(/^openai-compatible\//u, '');
  const own = Object.hasOwn(config.providers, name) ? config.providers[name] : undefined;
  return {
    concurrency: own?.concurrency ?? concurrency,
    ...(own?.requestsPerMinute === undefined ? {} : { requestsPerMinute: own.requestsPerMinute }),
    ...(own?.tokensPerMinute === undefined ? {} : { tokensPerMinute: own.tokensPerMinute }),
  };
}
