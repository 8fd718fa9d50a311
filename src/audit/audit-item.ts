import type { Item, KeyEntry } from '../domain/item.js';
import { sha256 } from '../util/hash.js';

/** One question as every text figure sees it. Stem and options are trimmed; nothing else is changed. */
export interface AuditItem {
  readonly stem: string;
  readonly options: readonly string[];
  /** Index of the key, from 0. */
  readonly answer: number;
  readonly id?: string;
  /** Where it belongs, such as `{ subject: 'anatomy' }`. */
  readonly slice?: Readonly<Record<string, string>>;
  readonly caseGroup?: string;
}

/** One of our own items with its private half: what the evidence figures need. */
export interface OwnItem {
  readonly item: Item;
  readonly key: KeyEntry;
  /** Folder that `item.images[].file` is relative to; absolute. */
  readonly folder: string;
}

/** SHA-256 of one `[stem, options, key]` in JSON per line, joined by line feeds. AUDIT-METRICS.md "items_sha256". */
export function itemsSha256(items: readonly AuditItem[]): string {
  return sha256(items.map(({ stem, options, answer }) => JSON.stringify([stem, options, answer])).join('\n'));
}

/** What messages call an item: its id, or its place among the scored items. */
export function itemName(item: AuditItem, index: number): string {
  return item.id ?? `#${index}`;
}
