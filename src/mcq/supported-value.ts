import type { Target } from '../domain/finding.js';
import type { Axis, AxisValue } from './axis.js';
import { phraseSpans, prepareText } from './prepare-text.js';
import type { Categories } from './question-data.js';
import { valuesInText } from './values-in-text.js';

export type UnusableReason =
  | 'other-concept'
  | 'other-region'
  | 'other-modality'
  | 'other-anatomy'
  | 'no-value'
  | 'several-values'
  | 'conflict'
  | 'shared-sentence'
  | 'elsewhere-unknown';

/** What the report says about one target on one axis. `barred`: values that may be true as well, so no distractors. */
export type Support =
  | { readonly usable: true; readonly value: AxisValue; readonly barred: readonly string[] }
  | { readonly usable: false; readonly reason: UnusableReason };

/** Words of a statement about no one place: with no place named, it could be true of any. */
const GENERAL =
  /\b(?:bilateral|bilaterally|both|multiple|several|numerous|innumerable|scattered|diffuse|diffusely|throughout)\b/;

/**
 * The one value of an axis that the target's sentence supports, or why the axis cannot be asked about.
 *
 * Three readings are laid over each other: the finding's anatomy and side, its own words, and the whole sentence (only
 * when the sentence states no other target). Whatever else the sentence, or another finding of the same family in the
 * case, may support is barred as a distractor.
 *
 * @param caseTargets - every target of the case, dropped ones as well; order does not matter
 */
export function supportedValue(
  target: Target,
  axis: Axis,
  caseTargets: readonly Target[],
  categories: Categories,
): Support {
  const mismatch = axisMismatch(target, axis);
  if (mismatch) return { usable: false, reason: mismatch };
  const { finding, sentence } = target;
  const others = caseTargets.filter((other) => other.targetId !== target.targetId);
  const structured = valuesInText(finding.anatomy ?? '', axis, finding.laterality);
  const own = valuesInText(finding.text, axis, finding.laterality);
  const whole = valuesInText(sentence.text, axis, finding.laterality);
  const narrow = [structured.supported, own.supported].filter((ids) => ids.length > 0);
  if (
    narrow.length === 0 &&
    whole.supported.length > 0 &&
    others.some((other) => isSameSentence(other, target))
  ) {
    return { usable: false, reason: 'shared-sentence' };
  }
  const readings = [...narrow, whole.supported].filter((ids) => ids.length > 0);
  if (readings.length === 0) return { usable: false, reason: 'no-value' };
  const agreed = readings.reduce((left, right) => left.filter((id) => right.includes(id)));
  if (agreed.length === 0) return { usable: false, reason: 'conflict' };
  if (agreed.length > 1) return { usable: false, reason: 'several-values' };
  const value = axis.values.find(({ id }) => id === agreed[0])!;

  const barred = new Set([...whole.possible, ...own.possible, ...structured.possible, ...value.excludes]);
  for (const other of others) {
    if (familyOf(other, categories) !== familyOf(target, categories)) continue;
    const possible = possibleElsewhere(other, axis);
    if (possible.length === 0 && mayBeAnywhere(other, axis))
      return { usable: false, reason: 'elsewhere-unknown' };
    for (const id of possible) {
      barred.add(id);
      for (const excluded of axis.values.find((candidate) => candidate.id === id)!.excludes)
        barred.add(excluded);
    }
  }
  barred.delete(value.id);
  return { usable: true, value, barred: axis.values.map(({ id }) => id).filter((id) => barred.has(id)) };
}

/** Why an axis is not made for a target; null when it is. An unknown region or modality fits every axis. */
export function axisMismatch(target: Target, axis: Axis): UnusableReason | null {
  const { finding, region, modality, sentence } = target;
  if (!axis.concepts.includes(finding.concept)) return 'other-concept';
  if (axis.regions !== 'any' && region !== null && !axis.regions.includes(region)) return 'other-region';
  if (axis.modalities && modality !== null && !axis.modalities.includes(modality)) return 'other-modality';
  if (axis.anatomies) {
    const text = prepareText(`${finding.anatomy ?? ''} ; ${sentence.text}`);
    if (!axis.anatomies.some((word) => phraseSpans(text, word).length > 0)) return 'other-anatomy';
  }
  return null;
}

/** Whether another finding is spread over the axis' whole, so that no place on it is known to be free. */
function mayBeAnywhere(other: Target, axis: Axis): boolean {
  const text = prepareText(`${other.finding.anatomy ?? ''} ; ${other.sentence.text}`);
  if (axis.axis !== 'location' || axisMismatch(other, axis) !== null || !GENERAL.test(text)) return false;
  if (!axis.within || other.finding.anatomy === null) return true;
  return axis.within.some((word) => phraseSpans(text, word).length > 0);
}

function possibleElsewhere(other: Target, axis: Axis): string[] {
  const { finding, sentence } = other;
  const found = [finding.anatomy ?? '', finding.text, sentence.text].flatMap(
    (text) => valuesInText(text, axis, finding.laterality).possible,
  );
  return axis.values.map(({ id }) => id).filter((id) => found.includes(id));
}

function familyOf(target: Target, categories: Categories): string {
  const { concept } = target.finding;
  return categories[concept]?.family ?? concept;
}

function isSameSentence(a: Target, b: Target): boolean {
  return (
    a.reportId === b.reportId && a.sentence.start === b.sentence.start && a.sentence.end === b.sentence.end
  );
}
