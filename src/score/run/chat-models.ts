import {
  Budget,
  costUsd,
  makeBatchModel,
  makeChatModel,
  parseModelId,
  priceOf,
  readPriceTable,
  type BatchModel,
  type ChatModel,
  type ChatUsage,
  type DatedPrice,
  type ModelSources,
  type PriceTable,
} from '../../adapters/llm/index.js';
import type { Config, ProviderConfig } from '../../domain/config.js';
import { EXIT, GroundmarkError } from '../../domain/error.js';

/** What the command line says over groundmark.yaml, for every provider of the run. */
export interface LimitOptions {
  readonly concurrency?: number | undefined;
  readonly requestsPerMinute?: number | undefined;
  readonly tokensPerMinute?: number | undefined;
}

/** The parts of groundmark.yaml that a run reads. */
export type RunConfig = Pick<Config, 'providers' | 'prices' | 'budget'>;

/** groundmark.yaml with the command line's limits for the providers of these models. */
export function withLimitOptions(config: RunConfig, ids: readonly string[], limits: LimitOptions): RunConfig {
  const given = Object.fromEntries(
    Object.entries(limits).filter(([, value]) => value !== undefined),
  ) as Partial<ProviderConfig>;
  const names = new Set(ids.map((id) => parseModelId(id).configName));
  const own = [...names].map((name): [string, ProviderConfig] => [
    name,
    { ...(Object.hasOwn(config.providers, name) ? config.providers[name] : {}), ...given },
  ]);
  return { ...config, providers: { ...config.providers, ...Object.fromEntries(own) } };
}

/** Calls at the same time that a provider is set to. */
export function lanesOf(model: Pick<ChatModel, 'id'>, config: RunConfig, otherwise: number): number {
  const { configName } = parseModelId(model.id);
  const own = Object.hasOwn(config.providers, configName) ? config.providers[configName] : undefined;
  return own?.concurrency ?? otherwise;
}

/** A provider's model with its price. */
export interface PricedModel {
  readonly model: ChatModel;
  readonly batch: BatchModel | null;
  readonly price: DatedPrice | null;
}

/** Makes the models and looks up what they cost. No call is made. */
export async function pricedModels(
  ids: readonly string[],
  batch: boolean,
  sources: ModelSources,
  config: RunConfig,
): Promise<{ readonly models: readonly PricedModel[]; readonly prices: PriceTable }> {
  const prices = await readPriceTable(config.prices);
  const models = await Promise.all(
    ids.map(async (id): Promise<PricedModel> => ({
      model: await makeChatModel(id, sources),
      batch: batch ? await makeBatchModel(id, sources) : null,
      price: priceOf(id, prices),
    })),
  );
  return { models, prices };
}

/**
 * The budget of a run. Without a word about it no paid call is made.
 *
 * @param given - dollars, or null for no limit, from the command line; undefined: groundmark.yaml says
 * @param spentUsd - by the replies that are there already
 * @throws {GroundmarkError} `no-budget`
 */
export function runBudget(
  given: number | null | undefined,
  config: RunConfig,
  models: readonly PricedModel[],
  spentUsd: number,
): Budget {
  const limit = given === undefined ? config.budget.usd : given;
  const paid = models.filter(({ price }) => price === null || price.input > 0 || price.output > 0);
  if (limit === 0 && paid.length > 0) {
    const { model, price } = paid[0]!;
    throw new GroundmarkError(
      'no-budget',
      `${model.id} ${price === null ? 'has no price in the tables' : 'costs money'}, and the budget is 0, so no call is made. ` +
        `Say what the run may cost, such as --budget 5 (US dollars), or --budget none; see first with --dry-run.`,
      { model: model.id },
      { exit: EXIT.usage },
    );
  }
  return new Budget(limit, spentUsd);
}

/** Calls of one model, timed without the waits around them. */
export class CallTimes {
  readonly #ms = new Map<string, number>();

  constructor(private readonly clock: () => Date) {}

  /** The model, timed. */
  watch(model: ChatModel): ChatModel {
    return {
      ...model,
      chat: async (request, options) => {
        const began = this.clock().getTime();
        const reply = await model.chat(request, options);
        this.#ms.set(request.key, this.clock().getTime() - began);
        return reply;
      },
    };
  }

  /** ms of a request's last call, once; undefined: there was none. */
  take(key: string): number | undefined {
    const ms = this.#ms.get(key);
    this.#ms.delete(key);
    return ms;
  }
}

/** US dollars of a reply by the price table; null: no price, or no usage. */
export function replyUsd(price: DatedPrice | null, usage: ChatUsage | null, batch = false): number | null {
  return usage === null ? null : costUsd(price, usage, { batch });
}
