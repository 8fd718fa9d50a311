import { EXIT, GroundmarkError } from '../../domain/error.js';
import type { Price } from '../../domain/config.js';
import { chatError } from './chat-errors.js';
import { ChatError, type ChatModel, type ChatRequest } from './chat-model.js';
import type { TokenEstimate } from './estimate-tokens.js';
import { anyAborted, beforeBegin, onAbort } from './on-abort.js';
import { costUsd } from './prices.js';

/**
 * What a run may spend, in US dollars, and what it has spent. One for all models of a run.
 *
 * What a call may cost is set aside before it begins and replaced by what it did cost when it ends, so that calls at the
 * same time cannot spend the same dollar.
 */
export class Budget {
  #spent: number;
  #reserved = 0;
  #waiting: (() => void)[] = [];
  #withoutPrice = 0;

  /**
   * @param limitUsd - null: no limit, but spending is still counted
   * @param spentUsd - by earlier runs that this limit covers
   */
  constructor(
    readonly limitUsd: number | null,
    spentUsd = 0,
  ) {
    this.#spent = spentUsd;
  }

  /** US dollars of all calls that have a price. */
  get spentUsd(): number {
    return this.#spent;
  }

  /** Calls whose cost is not known and not in {@link spentUsd}. */
  get callsWithoutPrice(): number {
    return this.#withoutPrice;
  }

  /**
   * Sets aside what a call may cost; waits while calls under way hold what it needs.
   *
   * @throws {GroundmarkError} `budget-spent` when it would not fit even if those cost nothing
   */
  async reserve(usd: number, model: string, signals: readonly AbortSignal[]): Promise<void> {
    if (this.limitUsd === null) return;
    for (;;) {
      if (anyAborted(signals)) throw chatError('aborted', model, 'stopped', { unsent: true });
      if (this.#spent + usd > this.limitUsd) throw this.#exhausted(usd, model);
      if (this.#spent + this.#reserved + usd <= this.limitUsd) {
        this.#reserved += usd;
        return;
      }
      await this.#change(signals);
    }
  }

  /**
   * Puts what a call cost in place of what was set aside for it.
   *
   * @param usd - null: not known
   */
  settle(reserved: number, usd: number | null): void {
    if (this.limitUsd !== null) this.#reserved = Math.max(0, this.#reserved - reserved);
    if (usd === null) this.#withoutPrice += 1;
    else this.#spent += usd;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const wake of waiting) wake();
  }

  #change(signals: readonly AbortSignal[]): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        ignore();
        resolve();
      };
      const ignore = onAbort(signals, wake);
      this.#waiting.push(wake);
    });
  }

  #exhausted(usd: number, model: string): GroundmarkError {
    const limit = this.limitUsd!;
    return new GroundmarkError(
      'budget-spent',
      `The next call of ${model} may cost up to ${dollars(usd)}, and ${dollars(this.#spent)} of the budget of ` +
        `${dollars(limit)} are spent. Run the same command again with a larger --budget; replies that are there are kept.`,
      { model, limitUsd: limit, spentUsd: this.#spent, nextUsd: usd },
      { exit: EXIT.provider },
    );
  }
}

/** `$0.0123`: enough digits to see one call. */
export function dollars(usd: number): string {
  return `$${usd.toFixed(usd !== 0 && usd < 1 ? 4 : 2)}`;
}

/**
 * What a request may cost at most, US dollars, with every input token at the dearest rate it can have and as much output
 * as it allows; null: no price. An estimate, since the provider counts the tokens.
 */
export function worstCostUsd(
  price: Price | null,
  tokens: TokenEstimate,
  { batch = false } = {},
): number | null {
  if (price === null) return null;
  const usage = {
    inputTokens: tokens.inputTokens,
    cachedInputTokens: 0,
    cacheWriteTokens: (price.cacheWrite ?? 0) > price.input ? tokens.inputTokens : 0,
    outputTokens: tokens.maxOutputTokens,
    reasoningTokens: 0,
  };
  return costUsd(price, usage, { batch });
}

/** @throws {GroundmarkError} `no-price`: a budget cannot be kept for a model whose price is not known */
export function requirePrice(price: Price | null, model: string, budget: Budget): void {
  if (price !== null || budget.limitUsd === null) return;
  throw new GroundmarkError(
    'no-price',
    `${model} has no price in data/models/prices.yaml, so a budget of ${dollars(budget.limitUsd)} cannot be kept for it. ` +
      `Add one to groundmark.yaml, in US dollars per million tokens: ` +
      `prices: { "${model}": { input: 1.00, output: 2.00 } }; 0 for a server of your own.`,
    { model, limitUsd: budget.limitUsd },
    { exit: EXIT.provider },
  );
}

/** Failures after which nothing was computed, so nothing is paid; after the others the reply may have been on its way. */
const UNPAID: ReadonlySet<ChatError['kind']> = new Set([
  'rate-limit',
  'server',
  'auth',
  'bad-request',
  'no-such-model',
]);

/**
 * The model, with every call paid from a budget. A call that was cut off may be charged all the same: it counts at what
 * was set aside.
 *
 * @throws {GroundmarkError} `budget-spent`, `no-price`, from `chat`
 */
export function withBudget(
  model: ChatModel,
  budget: Budget,
  price: Price | null,
  estimate: (request: ChatRequest) => TokenEstimate,
): ChatModel {
  return {
    ...model,
    async chat(request, call) {
      requirePrice(price, model.id, budget);
      const tokens = estimate(request);
      const worst = worstCostUsd(price, tokens);
      if (worst === null && price !== null) requirePrice(null, model.id, budget);
      await budget.reserve(worst ?? 0, model.id, beforeBegin(call));
      try {
        const reply = await model.chat(request, call);
        const usd = reply.usage === null ? worst : costUsd(price, reply.usage);
        budget.settle(worst ?? 0, usd ?? worst);
        return { ...reply, usd: usd ?? worst };
      } catch (error) {
        // Anything but a ChatError was thrown before the request left, such as an image that cannot be read.
        const paid = error instanceof ChatError && !error.detail.unsent && !UNPAID.has(error.kind);
        budget.settle(worst ?? 0, paid ? worst : 0);
        throw error;
      }
    },
  };
}
