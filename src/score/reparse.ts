import type { KeyEntry } from '../domain/item.js';
import type { Outcome, Response } from '../domain/response.js';
import type { Reparse } from '../domain/score.js';
import type { PlacedResponse } from './match-responses.js';
import { PARSER_VERSION, parseReply } from './parse-response.js';
import { itemLetter } from './run/choice-order.js';

/** Outcomes that the parser gives. The others tell how the call ended, whatever the text looks like. */
const PARSED: ReadonlySet<Outcome> = new Set(['ok', 'unparsed', 'invalid-selection', 'unknown-id']);

/**
 * Responses read again from their raw texts by the present parser. Those without one stay as they are; so do refused,
 * truncated and blocked ones.
 */
export function reparseResponses(
  responses: readonly PlacedResponse[],
  key: readonly KeyEntry[],
): { readonly responses: PlacedResponse[]; readonly reparse: Reparse } {
  const shownByKey = new Map(key.map(({ id, images }) => [id, images.map((image) => image.id)]));
  const outcomes = new Map<string, { from: Outcome; to: Outcome; count: number }>();
  let read = 0;
  let changed = 0;
  const again = responses.map((placed) => {
    const { response } = placed;
    const shown = response.sent?.images.map(({ id }) => id) ?? shownByKey.get(response.itemId);
    if (typeof response.raw !== 'string' || !PARSED.has(response.outcome) || shown === undefined)
      return placed;
    read += 1;
    const now = readAgain(response, response.raw, shown);
    if (!isSame(response, now)) changed += 1;
    if (response.outcome !== now.outcome) {
      const name = `${response.outcome} ${now.outcome}`;
      const entry = outcomes.get(name) ?? { from: response.outcome, to: now.outcome, count: 0 };
      entry.count += 1;
      outcomes.set(name, entry);
    }
    return { ...placed, response: now };
  });
  return {
    responses: again,
    reparse: { parser: PARSER_VERSION, read, changed, outcomes: [...outcomes.values()] },
  };
}

function readAgain(response: Response, raw: string, shown: readonly string[]): Response {
  const { answer, evidence, outcome } = parseReply(raw, shown);
  return {
    ...response,
    answer: itemLetter(answer, response.choiceOrder ?? null),
    evidence: [...evidence],
    outcome,
    parser: PARSER_VERSION,
  };
}

function isSame(a: Response, b: Response): boolean {
  return (
    a.outcome === b.outcome &&
    a.answer === b.answer &&
    JSON.stringify(a.evidence) === JSON.stringify(b.evidence)
  );
}
