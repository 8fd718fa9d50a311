import { metrics, type Metric, type Pair, type ScoreReport } from '../../../domain/score.js';
import { pointsText, pText } from '../../format.js';
import { markup, modelName, table, type SafeHtml, type Section } from '../html.js';

/** One matrix a score: row model minus column model. null with fewer than two models. */
export function pairsSection({ models, pairs }: ScoreReport): Section | null {
  if (models.length < 2) return null;
  const names = models.map((model) => model.model);
  return {
    id: 'pairs',
    title: 'Differences between models',
    body: markup`<p class="note">
        Row minus column, in percentage points over the same items, with its 95 % interval and the p-value
        after Holm’s correction. The spread is clustered by case, since items of one case stand or fall
        together. Bold: p below 0.05.
      </p>
      ${metrics.map((metric) => pairTable(metric, names, pairs))}`,
  };
}

const LABELS: Readonly<Record<Metric, string>> = { answer: 'Answer', evidence: 'Evidence', joint: 'Joint' };

function pairTable(metric: Metric, names: readonly string[], pairs: readonly Pair[]): SafeHtml {
  const rows = names.slice(0, -1).map((a, row) => [
    modelName(a),
    ...names.slice(1).map((b, column) => {
      if (column < row) return '';
      const pair = pairs.find((p) => p.metric === metric && p.a === a && p.b === b);
      return pair === undefined ? '–' : pairCell(pair);
    }),
  ]);
  const columns = names.slice(1).map((name) => ({ head: modelName(name), isNumber: true }));
  return markup`<h3>${LABELS[metric]}</h3>\n${table(null, [{ head: 'Model' }, ...columns], rows)}`;
}

function pairCell({ difference, ci95, pHolm }: Pair): SafeHtml {
  const isClear = pHolm !== null && pHolm < 0.05;
  const range = ci95 === null ? '' : `${pointsText(ci95[0])} to ${pointsText(ci95[1])}`;
  const p = pText(pHolm);
  return markup`<span class="${isClear ? 'clear' : 'dim'}">${pointsText(difference)}</span
    ><small>${range}</small><small>p ${p.startsWith('<') || p === '–' ? p : `= ${p}`}</small>`;
}
