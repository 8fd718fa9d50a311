import { chatError } from './chat-errors.js';
import type { ChatError, ChatModel, ChatRequest, ChatUsage } from './chat-model.js';
import { anyAborted, beforeBegin, onAbort } from './on-abort.js';
import { RateWindow, type WindowPlace } from './rate-window.js';
import type { Time } from './time.js';

/** What a provider allows; absent: no limit of ours. */
export interface Limits {
  /** Calls at the same time. */
  readonly concurrency: number;
  readonly requestsPerMinute?: number;
  /** Input and output tokens. */
  readonly tokensPerMinute?: number;
}

/** Calls at the same time when nothing else is said. */
export const DEFAULT_CONCURRENCY = 8;

interface Waiting {
  readonly tokens: number;
  readonly go: (turn: Turn) => void;
}

/** A call's turn; to be ended once. */
export interface Turn {
  /** @param tokens - what the call really took; null: not known, the estimate stands */
  end(tokens: number | null): void;
}

/**
 * Lets calls begin, in the order in which they asked, as a provider's limits allow. One for all models of a provider,
 * so that two models of one account do not take its limit twice.
 */
export class Limiter {
  readonly #queue: Waiting[] = [];
  readonly #requests: RateWindow | null;
  readonly #tokens: RateWindow | null;
  #running = 0;
  /** The sleeper that wakes when the head of the queue may begin. */
  #sleeping: AbortController | null = null;

  constructor(
    private readonly limits: Limits,
    private readonly time: Time,
  ) {
    this.#requests = limits.requestsPerMinute === undefined ? null : new RateWindow(limits.requestsPerMinute);
    this.#tokens = limits.tokensPerMinute === undefined ? null : new RateWindow(limits.tokensPerMinute);
  }

  /** Calls that have begun and not ended. */
  get running(): number {
    return this.#running;
  }

  /** @throws {ChatError} `aborted` when one of the signals fires before the turn comes */
  async turn(tokens: number, signals: readonly AbortSignal[]): Promise<Turn> {
    if (anyAborted(signals)) throw stoppedBefore();
    return new Promise((resolve, reject) => {
      const stopped = (): void => {
        this.#queue.splice(this.#queue.indexOf(waiting), 1);
        reject(stoppedBefore());
        this.#advance();
      };
      const waiting: Waiting = {
        tokens,
        go: (turn) => {
          ignore();
          resolve(turn);
        },
      };
      const ignore = onAbort(signals, stopped);
      this.#queue.push(waiting);
      this.#advance();
    });
  }

  #advance(): void {
    this.#sleeping?.abort();
    this.#sleeping = null;
    while (this.#queue.length > 0 && this.#running < this.limits.concurrency) {
      const head = this.#queue[0]!;
      const now = this.time.now();
      const waitMs = Math.max(
        this.#requests?.waitMs(1, now) ?? 0,
        this.#tokens?.waitMs(head.tokens, now) ?? 0,
      );
      if (waitMs > 0) {
        this.#wake(waitMs);
        return;
      }
      this.#queue.shift();
      this.#running += 1;
      head.go(this.#begin(head.tokens, now));
    }
  }

  #begin(tokens: number, now: number): Turn {
    const request: WindowPlace | undefined = this.#requests?.take(1, now);
    const weight: WindowPlace | undefined = this.#tokens?.take(tokens, now);
    let ended = false;
    return {
      end: (actual) => {
        if (ended) return;
        ended = true;
        const end = this.time.now();
        if (request) request.endMs = end;
        if (weight) {
          weight.endMs = end;
          if (actual !== null) weight.weight = actual;
        }
        this.#running -= 1;
        this.#advance();
      },
    };
  }

  #wake(ms: number): void {
    const sleeping = new AbortController();
    this.#sleeping = sleeping;
    this.time.sleep(ms, [sleeping.signal]).then(
      () => {
        if (this.#sleeping === sleeping) this.#advance();
      },
      () => undefined,
    );
  }
}

function stoppedBefore(): ChatError {
  return chatError('aborted', 'waiting for a turn', 'stopped', { unsent: true });
}

/**
 * The model, with every call (a try again is one too) waiting for its turn.
 *
 * @param estimate - input and output tokens that a request may take
 */
export function withLimits(
  model: ChatModel,
  limiter: Limiter,
  estimate: (request: ChatRequest) => number,
): ChatModel {
  return {
    ...model,
    async chat(request, call) {
      const turn = await limiter.turn(estimate(request), beforeBegin(call));
      let tokens: number | null = null;
      try {
        const reply = await model.chat(request, call);
        tokens = totalTokens(reply.usage);
        return reply;
      } finally {
        turn.end(tokens);
      }
    },
  };
}

function totalTokens(usage: ChatUsage | null): number | null {
  return usage === null ? null : usage.inputTokens + usage.outputTokens;
}
