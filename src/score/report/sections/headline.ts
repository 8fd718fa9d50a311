import { metrics, type Chance, type ModelScore, type ScoreReport } from '../../../domain/score.js';
import { percent, percentInterval } from '../../format.js';
import { markup, modelName, table, type SafeHtml, type Section } from '../html.js';

/** The three scores of every model with their intervals, chance below them. */
export function headlineSection(scores: ScoreReport): Section {
  const items = scores.models[0]?.n ?? 0;
  const number = { isNumber: true };
  const columns = [
    { head: 'Model' },
    { head: 'Answer', ...number },
    { head: 'Evidence', ...number },
    { head: 'Joint', ...number },
    { head: 'Replies scored', ...number },
    { head: 'Joint, answered only', ...number },
  ];
  return {
    id: 'scores',
    title: 'Scores',
    body: markup`<dl class="terms">
        <div>
          <dt>Answer</dt>
          <dd>The model picked the right one of five choices.</dd>
        </div>
        <div>
          <dt>Evidence</dt>
          <dd>
            The model named one to three images, and enough of them show the finding: a reference image, or
            one at most two slices away from it in the same series. At least half of the images named must be
            right.
          </dd>
        </div>
        <div>
          <dt>Joint</dt>
          <dd>Both at once: the right answer for a visible reason. This is the score to read first.</dd>
        </div>
      </dl>
      ${table(
        `Share of all ${items} items that passed, and 95 % Wilson interval in per cent. A missing, refused or unreadable reply counts as not passed.`,
        columns,
        scores.models.map(modelRow),
        chanceRow(scores.chance),
      )}
      ${spreadNote(scores)}`,
  };
}

function modelRow(model: ModelScore): (SafeHtml | string)[] {
  const { answeredOnly, epochs, n } = model;
  return [
    modelName(model.model),
    ...metrics.map((metric) => rateCell(model[metric].rate, model[metric].ci95)),
    `${answeredOnly.n} of ${n * epochs}`,
    rateCell(answeredOnly.joint.rate, answeredOnly.joint.ci95),
  ];
}

/** A rate with its interval beneath. */
export function rateCell(rate: number | null, interval: readonly [number, number] | null): SafeHtml {
  return markup`${percent(rate)}<small>${percentInterval(interval)}</small>`;
}

function chanceRow({ answer, evidence, joint }: Chance): (SafeHtml | string)[] {
  return [
    'Chance',
    markup`${percent(answer)}<small>one of five</small>`,
    markup`${percent(evidence.best)}<small>best guesser</small>`,
    markup`${percent(joint.best)}<small>best guesser</small>`,
    '',
    percent(joint.best),
  ];
}

function spreadNote({ chance, models }: ScoreReport): SafeHtml {
  const { evidence, randomInterval } = chance;
  const n = models[0]?.n ?? 0;
  const range = ([low, high]: readonly [number, number]): string =>
    `${((100 * low) / n).toFixed(1)}–${((100 * high) / n).toFixed(1)}\u00a0%`;
  return markup`<p class="note">
    Evidence by chance, exactly: ${percent(evidence.pick1)} for a guesser who names one image,
    ${percent(evidence.pick2)} for two, ${percent(evidence.pick3)} for three. On a set of this size 95 of 100
    random guessers land at ${range(randomInterval.answer.passes95)} for the answer,
    ${range(randomInterval.evidence.passes95)} for the evidence and ${range(randomInterval.joint.passes95)}
    for both.
  </p> `;
}
