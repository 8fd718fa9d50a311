import type { Laterality } from '../domain/finding.js';
import type { Axis, AxisValue } from './axis.js';
import { phraseSpans, prepareText, type Span } from './prepare-text.js';

/** Ids of an axis' values, in the axis' order. */
export interface ValuesInText {
  /** Named by the text, on their side. */
  readonly supported: readonly string[];
  /** Supported, or their place is named without a side, or only as what the finding lies beside. */
  readonly possible: readonly string[];
}

interface Hit extends Span {
  readonly value: AxisValue;
  readonly possibleOnly: boolean;
}

/** What ends just before a place that is a neighbour's ("abutting the right hilum"), not the finding's own. */
const BESIDE =
  /\b(?:abutting|abuts|adjacent to|next to|near|contiguous with|touching|reaching|extending (?:in)?to|displacing|compressing|effacing|effect on|arising near)(?: [\w-]+){0,3} $/;

/**
 * The values that a text names. Of two phrases, one inside the other, the longer counts ("right lower lobe" is not
 * "lower lobe").
 *
 * @param laterality - the side of a place that the text gives no side to
 */
export function valuesInText(text: string, axis: Axis, laterality: Laterality | null): ValuesInText {
  const prepared = prepareText(text);
  const hits: Hit[] = [];
  const named: Span[] = [];
  const isBeside = (span: Span): boolean =>
    axis.axis === 'location' && BESIDE.test(prepared.slice(0, span.start));
  for (const value of axis.values) {
    for (const phrase of value.match) {
      for (const span of phraseSpans(prepared, phrase)) {
        hits.push({ ...span, value, possibleOnly: isBeside(span) });
        named.push(span);
      }
    }
    for (const phrase of value.places) {
      for (const span of phraseSpans(prepared, phrase)) {
        named.push(span);
        const side = sideOf(prepared, span) ?? laterality;
        if (side === value.side || (side === 'bilateral' && value.side !== null)) {
          hits.push({ ...span, value, possibleOnly: isBeside(span) });
        } else if (side === null) hits.push({ ...span, value, possibleOnly: true });
      }
    }
  }
  const longest = hits.filter((hit) => !named.some((span) => isInside(hit, span)));
  const ids = (which: readonly Hit[]): string[] => {
    const found = new Set(which.map((hit) => hit.value.id));
    return axis.values.map((value) => value.id).filter((id) => found.has(id));
  };
  return { supported: ids(longest.filter((hit) => !hit.possibleOnly)), possible: ids(longest) };
}

function isInside(inner: Span, outer: Span): boolean {
  return (
    outer.start <= inner.start && inner.end <= outer.end && outer.end - outer.start > inner.end - inner.start
  );
}

const SIDE_BEFORE = 6;

/** The side that the text gives to a place: the nearest side word before it in its clause, or "of the left …" after it. */
function sideOf(prepared: string, { start, end }: Span): Laterality | null {
  const clause = prepared.slice(0, start).split(/[.;:]/).at(-1)!;
  const before = clause.trim().split(' ').slice(-SIDE_BEFORE).join(' ');
  if (/\b(?:left and right|right and left)(?: [\w-]+)?$/.test(before)) return 'bilateral';
  const sides = before.match(/\b(?:left|right|both|bilateral)\b/g);
  const last = sides?.at(-1);
  if (last) return last === 'both' ? 'bilateral' : (last as Laterality);
  const after = prepared.slice(end).split(/[.;:,]/)[0]!;
  const match =
    /^(?: [\w-]+){0,3}? (?:of|in|on|to) (?:the )?(left and right|right and left|left|right|both)\b/.exec(
      after,
    );
  const side = match?.[1] ?? /^(?: [\w-]+){0,2} (bilateral)(?:ly)?\b/.exec(after)?.[1];
  if (side === undefined) return null;
  return side === 'left' || side === 'right' ? side : 'bilateral';
}
