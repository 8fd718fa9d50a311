import { outcomes, type Outcome } from '../../../domain/response.js';
import type { ScoreReport } from '../../../domain/score.js';
import { markup, modelName, table, type Section } from '../html.js';

const MEANINGS: Readonly<Record<Outcome, string>> = {
  ok: 'a letter and one to three known images',
  unparsed: 'no single reply could be read',
  'invalid-selection': 'no image, or more than three',
  'unknown-id': 'an image that was not shown',
  refused: 'the model declined',
  truncated: 'cut off before its end',
  blocked: 'stopped by a provider’s filter',
  transport: 'the call failed',
  missing: 'no reply at all',
};

/** How the replies of every model ended; outcomes that nobody had are left out. */
export function outcomesSection({ models, ignored }: ScoreReport): Section {
  const seen = outcomes.filter(
    (outcome) => outcome === 'ok' || models.some((model) => (model.outcomes[outcome] ?? 0) > 0),
  );
  const rows = models.map((model) => [
    modelName(model.model),
    ...seen.map((outcome) => String(model.outcomes[outcome] ?? 0)),
  ]);
  const explained = seen.map((outcome) => `${outcome}: ${MEANINGS[outcome]}`).join('; ');
  return {
    id: 'outcomes',
    title: 'How the replies ended',
    body: markup`<p class="note">${explained}. Nothing is guessed for a reply that cannot be used.</p>
      ${table('Number of replies', [{ head: 'Model' }, ...seen.map((head) => ({ head, isNumber: true }))], rows)}
      ${ignored.length === 0 ? null : markup`<p class="note">${ignored.length} responses answer items that the key lacks; they are in no figure.</p>`}`,
  };
}
