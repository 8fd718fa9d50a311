import { dollars, type ChatUsage } from '../../adapters/llm/index.js';
import type { Outcome, Response } from '../../domain/response.js';
import { plural } from '../../util/text.js';

/** What a run of one model has seen so far. */
export class Tally {
  readonly #outcomes = new Map<Outcome, number>();
  #retried = 0;
  #inputTokens = 0;
  #outputTokens = 0;
  #usd = 0;
  #withoutPrice = 0;
  #cached = 0;

  /** Counts a record: one of an earlier run by its outcome alone. */
  keep({ outcome }: Pick<Response, 'outcome'>): void {
    this.#outcomes.set(outcome, (this.#outcomes.get(outcome) ?? 0) + 1);
  }

  /** A record of this run. @param usd - spent on it now; null: not known */
  add(record: Response, usage: ChatUsage | null, usd: number | null): void {
    this.keep(record);
    this.#inputTokens += usage?.inputTokens ?? 0;
    this.#outputTokens += usage?.outputTokens ?? 0;
    if (record.cached === true) this.#cached += 1;
    if (usd === null) this.#withoutPrice += 1;
    else this.#usd += usd;
  }

  retry(): void {
    this.#retried += 1;
  }

  /** Every outcome that was seen, in no order that matters. */
  get outcomes(): Readonly<Partial<Record<Outcome, number>>> {
    return Object.fromEntries(this.#outcomes);
  }

  get spending(): Spending {
    return {
      retried: this.#retried,
      cached: this.#cached,
      inputTokens: this.#inputTokens,
      outputTokens: this.#outputTokens,
      usd: this.#usd,
      withoutPrice: this.#withoutPrice,
    };
  }

  /** What stands behind a progress bar. */
  note(): string {
    const failed = this.#outcomes.get('transport') ?? 0;
    const unpriced =
      this.#withoutPrice > 0 ? ` and ${plural(this.#withoutPrice, 'call')} without a price` : '';
    return [
      `${failed} failed`,
      `${this.#retried} retried`,
      `${thousands(this.#inputTokens + this.#outputTokens)} tokens`,
      `${dollars(this.#usd)}${unpriced}`,
    ].join(', ');
  }
}

/** What this run spent on one model; replies of earlier runs are not in it. */
export interface Spending {
  readonly retried: number;
  /** Replies from the response cache, which cost nothing. */
  readonly cached: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Of the calls that have a price. */
  readonly usd: number;
  readonly withoutPrice: number;
}

function thousands(count: number): string {
  return count < 10_000 ? String(count) : `${Math.round(count / 1000)}k`;
}
