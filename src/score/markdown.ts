import { metrics, type ScoreReport } from '../domain/score.js';
import { percent, pText, pointsText, rateText } from './format.js';

/** The headline, chance and the pairs as Markdown tables; aggregates only. */
export function toMarkdown(report: ScoreReport): string {
  const { chance } = report;
  const headline = report.models.map((model) => [
    model.model,
    String(model.n),
    ...metrics.map((metric) => rateText(model[metric])),
  ]);
  const guesses = [
    'chance',
    '',
    percent(chance.answer),
    percent(chance.evidence.best),
    percent(chance.joint.best),
  ];
  const pairs = report.pairs.map((pair) => [
    pair.a,
    pair.b,
    pair.metric,
    pointsText(pair.difference),
    pText(pair.p),
    pText(pair.pHolm),
  ]);
  return [
    '# Scores',
    '',
    ...table(
      ['Model', 'Items', 'Answer (95 % CI)', 'Evidence (95 % CI)', 'Joint (95 % CI)'],
      [...headline, guesses],
    ),
    '',
    'Every item is in the denominator. Chance is exact: any letter, and the best of picking 1, 2 or 3 images at random.',
    ...(pairs.length === 0
      ? []
      : ['', '## Pairs', '', ...table(['A', 'B', 'Score', 'A − B, points', 'p', 'p (Holm)'], pairs)]),
    '',
  ].join('\n');
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  const isText = (name: string): boolean => ['Model', 'A', 'B', 'Score'].includes(name);
  return [line(head), line(head.map((name) => (isText(name) ? '---' : '---:'))), ...rows.map(line)];
}
