import type { Laterality } from '../../domain/finding.js';
import { groupTerms, type TermGroup } from './groups.js';
import type { Lexicon } from './lexicon.js';
import { phraseStart } from './noun-phrase.js';
import { findLevel, findPlaces, findSides, run, type NamedPlace, type NamedSide } from './places.js';
import { isSpecific, type Term } from './terms.js';
import type { Token } from './tokens.js';

/** A thing that a sentence says is there, or may be. Token indices, end exclusive. */
export interface ReadFinding {
  readonly from: number;
  readonly to: number;
  readonly concept: string;
  /** The head term's own words: it tells things of the concept `other` apart. */
  readonly term: string;
  readonly place: NamedPlace['place'] | null;
  readonly laterality: Laterality | null;
  readonly level: string | null;
  readonly polarity: 'positive' | 'uncertain';
  readonly needsMeasurement: boolean;
  readonly pointsBack: boolean;
  /** Adjectives before the head, in lower case. */
  readonly descriptors: readonly string[];
  readonly change: 'new' | 'increased' | 'decreased' | 'stable' | null;
}

/** The things that a sentence asserts, or holds possible, in order: concept, place, side, span. */
export function readFindings(
  tokens: readonly Token[],
  terms: readonly Term[],
  measured: boolean,
  polarity: 'positive' | 'uncertain',
  lexicon: Lexicon,
): ReadFinding[] {
  const sides = findSides(tokens, lexicon);
  const places = findPlaces(tokens, lexicon, sides);
  const asserted = terms.filter((term) => term.polarity === 'positive' || term.polarity === 'uncertain');
  const groups = groupTerms(
    tokens,
    asserted,
    (span, limit) =>
      placeIn(tokens, places, span) !== null || placeAfter(tokens, places, span.to, limit) !== null,
  );
  const level = findLevel(tokens);
  const change = lexicon.change.find(tokens)[0]?.value ?? null;
  if (groups.length === 0) {
    const place = places.find((named) => !named.isNeighbour) ?? null;
    const side = place?.side ?? sides[0]?.side ?? null;
    return [
      {
        from: 0,
        to: lastWord(tokens),
        concept: 'other',
        term: '',
        place: place?.place ?? null,
        laterality: side,
        level,
        polarity,
        needsMeasurement: measured,
        pointsBack: true,
        descriptors: [],
        change,
      },
    ];
  }
  return groups.map((group, i) => {
    const floor = i === 0 ? 0 : groups[i - 1]!.to;
    const ceiling = groups[i + 1]?.from ?? tokens.length;
    const place = placeOf(tokens, places, group, ceiling);
    const span = spanOf(tokens, group, place, floor, ceiling);
    return {
      ...span,
      concept: conceptOf(group.head, place),
      term: words(tokens, group.head.from, group.head.to),
      place: place?.place ?? null,
      laterality: place?.side ?? sideOf(sides, places, place, group, floor, ceiling),
      level,
      polarity: group.head.polarity === 'uncertain' ? 'uncertain' : 'positive',
      needsMeasurement: measured,
      pointsBack: group.head.pointsBack && place === null,
      descriptors: descriptorsOf(tokens, group, places, sides, floor),
      change,
    };
  });
}

/** The concept of the first option that the place allows. */
function conceptOf(head: Term, place: NamedPlace | null): string {
  const name = place?.place.name ?? '';
  const fits = head.options.find(
    (option) =>
      option.places === null || (place !== null && option.places.some((word) => name.includes(word))),
  );
  return fits?.concept ?? 'other';
}

/**
 * Where a thing is: named inside or right before its own phrase ("right lower lobe mass"), else behind it ("mass in the
 * right lower lobe"), else by the subject before it ("the gallbladder is distended").
 */
function placeOf(
  tokens: readonly Token[],
  places: readonly NamedPlace[],
  group: TermGroup,
  ceiling: number,
): NamedPlace | null {
  const own = placeIn(tokens, places, group);
  const behind = placeAfter(tokens, places, group.to, ceiling);
  if (own !== null && !(own.place.general && behind !== null)) return own;
  return (
    behind ??
    places.filter((named) => named.to <= group.from && !named.isNeighbour).at(-1) ??
    placeAfter(tokens, places, group.to, tokens.length)
  );
}

function placeIn(
  tokens: readonly Token[],
  places: readonly NamedPlace[],
  term: { from: number; to: number },
): NamedPlace | null {
  const inside = places.find((named) => named.from < term.to && named.to > term.from);
  const before = places
    .filter((named) => named.to <= term.from && run(tokens, named.to, term.from, false))
    .at(-1);
  return inside ?? before ?? null;
}

function placeAfter(
  tokens: readonly Token[],
  places: readonly NamedPlace[],
  from: number,
  ceiling: number,
): NamedPlace | null {
  const after = places.find((named) => named.from >= from && named.to <= ceiling && !named.isNeighbour);
  if (after === undefined) return null;
  // "mass, the left lung is clear": a clause of its own does not say where the mass is.
  const between = tokens.slice(from, after.from).map((token) => token.word);
  if (between.some((word) => APART.has(word))) return null;
  // A place right before the next thing is that thing's, not this one's ("atelectasis and pleural effusion").
  if (
    ceiling < tokens.length &&
    run(tokens, after.to, ceiling, false) &&
    !between.some((word) => LOCATIVE.has(word))
  )
    return null;
  return after;
}

const APART = new Set([';', 'without', 'no', 'not']);
const LOCATIVE = new Set(
  'in of within at along on throughout involving about through into around over across'.split(' '),
);

function sideOf(
  sides: readonly NamedSide[],
  places: readonly NamedPlace[],
  place: NamedPlace | null,
  group: TermGroup,
  floor: number,
  ceiling: number,
): Laterality | null {
  const neighbours = places.filter((named) => named.isNeighbour);
  const free = sides.filter(
    (side) => !neighbours.some((named) => side.from >= named.from && side.to <= named.to),
  );
  const behindPlace =
    place === null ? undefined : free.find((side) => side.from >= place.to && side.to <= ceiling);
  const before = free.filter((side) => side.to <= group.to && side.from >= floor).at(-1);
  const after = free.find((side) => side.from >= group.to && side.to <= ceiling);
  return (before ?? after ?? behindPlace)?.side ?? null;
}

function spanOf(
  tokens: readonly Token[],
  group: TermGroup,
  place: NamedPlace | null,
  floor: number,
  ceiling: number,
): { from: number; to: number } {
  const from = phraseStart(tokens, group.from, floor);
  if (place === null) return { from, to: group.to };
  if (place.from >= group.to && place.to <= ceiling) return { from, to: place.to };
  // The subject: "gallbladder is distended".
  if (place.to <= group.from && place.from >= floor && place.from < from) {
    return { from: phraseStart(tokens, place.from, floor), to: group.to };
  }
  return { from, to: group.to };
}

function descriptorsOf(
  tokens: readonly Token[],
  group: TermGroup,
  places: readonly NamedPlace[],
  sides: readonly NamedSide[],
  floor: number,
): string[] {
  const taken = (i: number): boolean =>
    [...places, ...sides].some((named) => i >= named.from && i < named.to) ||
    (i >= group.head.from && i < group.head.to);
  const adjectives: string[] = [];
  for (let i = phraseStart(tokens, group.from, floor); i < group.to; i++) {
    if (tokens[i]!.isWord && !taken(i)) adjectives.push(tokens[i]!.word);
  }
  const attached = group.attached.filter((term) => term.from >= group.to && isSpecific(term));
  return [...adjectives, ...attached.map((term) => `with ${words(tokens, term.from, term.to)}`)];
}

function words(tokens: readonly Token[], from: number, to: number): string {
  return tokens
    .slice(from, to)
    .map((token) => token.word)
    .join(' ');
}

/** End of the last word: a full stop is no part of a finding's text. */
function lastWord(tokens: readonly Token[]): number {
  let end = tokens.length;
  while (end > 1 && !tokens[end - 1]!.isWord) end--;
  return end;
}
