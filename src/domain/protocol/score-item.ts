import type { KeyEntry } from '../item.js';
import type { Outcome, Response } from '../response.js';
import type { ItemScore } from '../score.js';
import { scoreAnswer } from './score-answer.js';
import { scoreEvidence, SELECTION_MAX } from './score-evidence.js';
import { normaliseImageId } from './selected-ids.js';

/** Outcomes with a reply that can be scored; every other one fails all three. PROTOCOL.md §2. */
const SCORABLE: ReadonlySet<Outcome> = new Set(['ok', 'unknown-id', 'invalid-selection']);

/** Whether a reply with this outcome belongs to the "answered only" row. */
export function isScorable(outcome: Outcome): boolean {
  return SCORABLE.has(outcome);
}

/** What one reply scored, without its item and model. */
export type ReplyScore = Pick<
  ItemScore,
  'answer' | 'evidence' | 'joint' | 'hits' | 'needed' | 'selected' | 'outcome'
>;

/**
 * The three scores of one response, or of none. PROTOCOL.md §2.
 *
 * Whether an id is unknown and how many there are is read from the ids, whatever the response's own outcome says. A
 * selection that the runner already found invalid fails evidence; the answer is judged on its own.
 *
 * @param response - undefined when the model gave none: outcome `missing`
 * @throws {GroundmarkError} `no-reference`
 */
export function scoreItem(key: KeyEntry, response: Response | undefined): ReplyScore {
  const outcome = response?.outcome ?? 'missing';
  if (response === undefined || !isScorable(outcome)) {
    const { needed } = scoreEvidence([], key.images);
    return { answer: false, evidence: false, joint: false, hits: 0, needed, selected: [], outcome };
  }
  const { hits, needed, selected, passes } = scoreEvidence(response.evidence, key.images);
  const checked = checkSelection(selected, key, outcome);
  const answer = scoreAnswer(response.answer, key.answer);
  const evidence = passes && checked !== 'invalid-selection';
  return {
    answer,
    evidence,
    joint: answer && evidence,
    hits,
    needed,
    selected: [...selected],
    outcome: checked,
  };
}

function checkSelection(selected: readonly string[], key: KeyEntry, claimed: Outcome): Outcome {
  if (claimed === 'invalid-selection' || selected.length < 1 || selected.length > SELECTION_MAX)
    return 'invalid-selection';
  const shown = new Set(key.images.map((image) => normaliseImageId(image.id)));
  return selected.every((id) => shown.has(id)) ? 'ok' : 'unknown-id';
}
