import { stringify } from 'csv-stringify/sync';
import type { Audit } from '../domain/audit.js';

const COLUMNS = ['kind', 'name', 'item_id', 'value', 'compared_with', 'low', 'high', 'message'];

/**
 * The audit as one table: a row a figure (compared with chance), then a row a flag (compared with its threshold).
 *
 * Cells that a spreadsheet would run as a formula are escaped.
 */
export function auditCsv(audit: Audit): string {
  const { acc, chance, strict } = audit.choicesOnlyLr;
  const rows = [
    ...Object.entries(audit.picks).map(([name, pick]) => figure(name, pick.acc, pick.chance)),
    figure('choicesOnlyLr', acc, chance),
    ...(strict ? [figure('choicesOnlyLrStrict', strict.acc, strict.chance)] : []),
    ...Object.entries(audit.evidence?.features ?? {}).map(([name, { auc, ci95 }]) => ({
      ...figure(`evidence ${name}`, auc, 0.5),
      low: ci95?.[0] ?? null,
      high: ci95?.[1] ?? null,
    })),
    ...audit.flags.map((flag) => ({
      kind: 'flag',
      name: flag.rule,
      item_id: flag.itemId ?? null,
      value: flag.value,
      compared_with: flag.threshold,
      low: null,
      high: null,
      message: flag.message,
    })),
  ];
  return stringify(rows, { header: true, columns: COLUMNS, escape_formulas: true });
}

function figure(name: string, value: number | null, comparedWith: number | null) {
  return {
    kind: 'figure',
    name,
    item_id: null,
    value,
    compared_with: comparedWith,
    low: null as number | null,
    high: null as number | null,
    message: null,
  };
}
