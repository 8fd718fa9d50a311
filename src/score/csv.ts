import { stringify } from 'csv-stringify/sync';
import type { ScoreReport } from '../domain/score.js';

/**
 * One row a reply: model, item, epoch, the three scores as 0 or 1, hits, needed, the selected ids, the outcome.
 *
 * A text that a spreadsheet would run as a formula is escaped: ids and model names come from outside.
 */
export function toCsv(report: ScoreReport): string {
  const rows = report.items.map((item) => ({
    model: item.model,
    id: item.id,
    epoch: item.epoch ?? '',
    answer: Number(item.answer),
    evidence: Number(item.evidence),
    joint: Number(item.joint),
    hits: item.hits,
    needed: item.needed,
    selected: item.selected.join(' '),
    outcome: item.outcome,
  }));
  return stringify(rows, {
    header: true,
    escape_formulas: true,
    columns: ['model', 'id', 'epoch', 'answer', 'evidence', 'joint', 'hits', 'needed', 'selected', 'outcome'],
  });
}
