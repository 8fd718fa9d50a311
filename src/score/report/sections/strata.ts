import type { ModelScore, ScoreReport, SlicedRates } from '../../../domain/score.js';
import { percent, percentInterval } from '../../format.js';
import { markup, modelName, table, type SafeHtml, type Section } from '../html.js';

/** One table a stratum: values down, models across, joint with answer and evidence beneath. null without strata. */
export function strataSection({ models, chance }: ScoreReport): Section | null {
  const first = models[0];
  if (first === undefined) return null;
  const names = Object.keys(first.byStratum).filter((name) => Object.keys(first.byStratum[name]!).length > 0);
  if (names.length === 0) return null;
  const chanceCells = models.map(
    () => markup`${percent(chance.joint.best)}${parts(chance.answer, chance.evidence.best)}`,
  );
  const tables = names.map(
    (name) =>
      markup`<h3>By ${name}</h3>\n${table(
        null,
        [
          { head: 'Value' },
          { head: 'Items', isNumber: true },
          ...models.map((model) => ({ head: modelName(model.model), isNumber: true })),
        ],
        Object.keys(first.byStratum[name]!).map((value) => stratumRow(value, name, models)),
        ['Chance, all items', '', ...chanceCells],
      )}`,
  );
  return {
    id: 'strata',
    title: 'By kind of item',
    body: markup`<p class="note">
        The joint score, its 95 % Wilson interval, then answer (A) and evidence (E), all in per cent. Small
        groups have wide intervals: compare with care.
      </p>
      ${tables}`,
  };
}

function stratumRow(value: string, name: string, models: readonly ModelScore[]): (SafeHtml | string)[] {
  const slices = models.map((model) => model.byStratum[name]?.[value]);
  return [value, String(slices[0]?.n ?? 0), ...slices.map((slice) => (slice ? sliceCell(slice) : '–'))];
}

function sliceCell({ joint, answer, evidence }: SlicedRates): SafeHtml {
  return markup`${percent(joint.rate)}<small>${percentInterval(joint.ci95)}</small>${parts(answer.rate, evidence.rate)}`;
}

function parts(answer: number | null, evidence: number | null): SafeHtml {
  const short = (rate: number | null): string => (rate === null ? '–' : (rate * 100).toFixed(0));
  return markup`<small>A ${short(answer)} · E ${short(evidence)}</small>`;
}
