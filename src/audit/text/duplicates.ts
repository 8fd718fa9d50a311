import type { Audit } from '../../domain/audit.js';
import { normalise } from '../../util/text.js';
import type { AuditItem } from '../audit-item.js';

/** Repeated options inside items, and repeated items. AUDIT-METRICS.md "DUPLICATES". */
export function countDuplicates(items: readonly AuditItem[]): Audit['duplicates'] {
  const options = {
    itemsExact: 0,
    itemsNormalised: 0,
    itemsGoldRepeatedExact: 0,
    itemsGoldRepeatedNormalised: 0,
    extraOptionsExact: 0,
  };
  let emptyOptions = 0;
  for (const item of items) {
    const normalised = item.options.map(normalise);
    const distinct = new Set(item.options).size;
    options.extraOptionsExact += item.options.length - distinct;
    if (distinct < item.options.length) options.itemsExact++;
    if (hasRepeatedOption(item)) options.itemsNormalised++;
    if (isRepeated(item.options, item.answer)) options.itemsGoldRepeatedExact++;
    if (isRepeated(normalised, item.answer)) options.itemsGoldRepeatedNormalised++;
    emptyOptions += item.options.filter((option) => option === '').length;
  }
  const extra = (value: (item: AuditItem) => string): number => items.length - new Set(items.map(value)).size;
  return {
    options,
    stems: {
      extraExact: extra(({ stem }) => stem),
      extraNormalised: extra(({ stem }) => normalise(stem)),
      extraStemAndOptionsExact: extra((item) => JSON.stringify([item.stem, item.options])),
      extraStemAndOptionSetNormalised: extra(stemAndOptionSet),
    },
    emptyOptions,
  };
}

/** Whether two options of an item read the same but for case and spacing. */
export function hasRepeatedOption({ options }: AuditItem): boolean {
  return new Set(options.map(normalise)).size < options.length;
}

/** Normalised stem and sorted normalised options: equal for items that differ in nothing but order, case, spacing. */
export function stemAndOptionSet({ stem, options }: AuditItem): string {
  return JSON.stringify([normalise(stem), options.map(normalise).sort()]);
}

function isRepeated(values: readonly string[], at: number): boolean {
  return values.some((value, j) => j !== at && value === values[at]);
}
