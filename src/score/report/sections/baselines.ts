import type { ScoreReport } from '../../../domain/score.js';
import { BASELINES } from '../../baselines/index.js';
import { markup, type Section } from '../html.js';

/** What the built-in baselines among the models do. null when there is none. */
export function baselinesSection({ models }: ScoreReport): Section | null {
  const used = models.filter((model) => Object.hasOwn(BASELINES, model.model));
  if (used.length === 0) return null;
  return {
    id: 'baselines',
    title: 'What the baselines do',
    body: markup`<p>
        Baselines show what can be had without looking at an image. A set on which one of them beats chance in
        the answer gives itself away in its wording; one on which it beats chance in the evidence gives itself
        away in its choice of images.
      </p>
      <dl class="terms">
        ${used.map(
          ({ model }) =>
            markup`<div>
              <dt>${model}</dt>
              <dd>It ${BASELINES[model]!.explanation}.</dd>
            </div> `,
        )}
      </dl> `,
  };
}
