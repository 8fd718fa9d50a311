import type { KeyEntry } from '../../domain/item.js';
import { GroundmarkError } from '../../domain/error.js';
import type { AuditItem, OwnItem } from '../audit-item.js';
import type { FieldMap, Imported, SourceFile } from './importer.js';
import { importerFor } from './registry.js';

export interface ImportedSet {
  readonly format: string;
  /** Scored items in file order. */
  readonly items: readonly AuditItem[];
  /** Our own items, as long as `items`; null for a foreign layout. */
  readonly own: readonly OwnItem[] | null;
  /** Records met: scored, left out and skipped. */
  readonly read: number;
  readonly severalKeys: number;
  readonly skipped: readonly { readonly where: string; readonly reason: string }[];
}

/**
 * The items of one or more files of one layout, in the order of the files.
 *
 * @throws {GroundmarkError} `mixed-formats`, `no-items`, and what the importers throw
 */
export function importFiles(
  files: readonly SourceFile[],
  options: {
    readonly format: string | null;
    readonly map: FieldMap | null;
    readonly key: ReadonlyMap<string, KeyEntry> | null;
  },
): ImportedSet {
  const importers = files.map((file) => importerFor(file, options));
  const format = importers[0]!.name;
  const other = importers.findIndex((importer) => importer.name !== format);
  if (other >= 0) {
    throw new GroundmarkError(
      'mixed-formats',
      `${files[0]!.name} is ${format}, but ${files[other]!.name} is ${importers[other]!.name}. ` +
        `Audit files of one layout at a time.`,
      { first: files[0]!.name, other: files[other]!.name },
    );
  }
  const records = files.flatMap((file, i) => importers[i]!.read(file, options));
  const set = collect(records, format);
  if (set.items.length > 0) return set;
  const reasons = [...new Set(set.skipped.map(({ reason }) => reason))].sort();
  throw new GroundmarkError(
    'no-items',
    `No item of ${files[0]!.name}${files.length > 1 ? ` and ${files.length - 1} more` : ''} can be scored: ` +
      `${set.severalKeys} have several keys, ${set.skipped.length} were skipped` +
      `${reasons.length > 0 ? ` (${reasons.join(', ')})` : ''}. Check --format, --map and --key.`,
    { records: set.read, severalKeys: set.severalKeys, skipped: set.skipped.length },
  );
}

function collect(records: readonly Imported[], format: string): ImportedSet {
  const items: AuditItem[] = [];
  const own: OwnItem[] = [];
  const skipped: { where: string; reason: string }[] = [];
  let severalKeys = 0;
  for (const record of records) {
    switch (record.status) {
      case 'item':
        items.push(record.item);
        if (record.own) own.push(record.own);
        break;
      case 'several-keys':
        severalKeys++;
        break;
      case 'skipped':
        skipped.push({ where: record.where, reason: record.reason });
        break;
    }
  }
  return {
    format,
    items,
    own: own.length > 0 ? own : null,
    read: records.length,
    severalKeys,
    skipped,
  };
}
