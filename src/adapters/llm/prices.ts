import { z } from 'zod';
import { priceSchema, type Price } from '../../domain/config.js';
import { readDataYaml } from '../store/index.js';
import type { ChatUsage } from './chat-model.js';

/** `data/models/prices.yaml`: prices by the page and day on which they stood. */
export const priceTableSchema = z.strictObject({
  pages: z.array(
    z.strictObject({
      source: z.string().min(1),
      /** ISO date on which the prices were last known to be right. */
      asOf: z.iso.date(),
      batchFactor: z.number().positive().max(1),
      models: z.record(z.string(), priceSchema),
    }),
  ),
});

export type DatedPrice = Price & {
  /** null: the workspace's own. */
  readonly asOf: string | null;
};
export type PriceTable = Readonly<Record<string, DatedPrice>>;

/** The table that the package carries, with a workspace's own prices over it. */
export async function readPriceTable(own: Readonly<Record<string, Price>> = {}): Promise<PriceTable> {
  const { pages } = await readDataYaml('models/prices.yaml', priceTableSchema);
  const table: Record<string, DatedPrice> = {};
  for (const { asOf, batchFactor, models } of pages) {
    for (const [id, price] of Object.entries(models)) table[id] = { batchFactor, ...price, asOf };
  }
  for (const [id, price] of Object.entries(own)) table[id] = { ...price, asOf: null };
  return table;
}

/**
 * A model's price; null when the table has none. A snapshot (`…-2026-01-31`, `…-20260131`, `…@20260131`) costs what its
 * model costs. No other beginning counts: `gpt-5` says nothing of `gpt-5-mini`.
 */
export function priceOf(id: string, table: PriceTable): DatedPrice | null {
  for (const name of [id, id.replace(/(?:-|@)\d{4}-?\d{2}-?\d{2}$/u, ''), id.replace(/-latest$/u, '')]) {
    if (Object.hasOwn(table, name)) return table[name]!;
  }
  return null;
}

/**
 * US dollars of a call; null when there is no price, or none for so long an input. A kind of input token without a price
 * of its own costs what other input does.
 */
export function costUsd(price: Price | null, usage: ChatUsage, { batch = false } = {}): number | null {
  if (price === null) return null;
  if (price.upToInputTokens !== undefined && usage.inputTokens > price.upToInputTokens) return null;
  const { cachedInputTokens, cacheWriteTokens } = usage;
  const plain = Math.max(0, usage.inputTokens - cachedInputTokens - cacheWriteTokens);
  const perMillion =
    plain * price.input +
    cachedInputTokens * (price.cachedInput ?? price.input) +
    cacheWriteTokens * (price.cacheWrite ?? price.input) +
    usage.outputTokens * price.output;
  return (perMillion / 1e6) * (batch ? (price.batchFactor ?? 1) : 1);
}
