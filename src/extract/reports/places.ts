import type { Laterality } from '../../domain/finding.js';
import type { Lexicon, Place } from './lexicon.js';
import type { Token } from './tokens.js';

/** A place named in a sentence, with its side. Token indices, end exclusive; `from` includes the side word. */
export interface NamedPlace {
  readonly from: number;
  readonly to: number;
  readonly place: Place;
  readonly side: Laterality | null;
  /** It stands behind "adjacent to", "than" and the like: a neighbour, not where the thing is. */
  readonly isNeighbour: boolean;
}

export interface NamedSide {
  readonly from: number;
  readonly to: number;
  readonly side: Laterality;
}

const SIDE_REACH = 3;
const RELATION_REACH = 4;
const LEVEL_WORD = /^[clts]\d{1,2}$/;

/** Side words of a sentence. "left greater than right" is both sides; a side behind "than" is only a yardstick. */
export function findSides(tokens: readonly Token[], lexicon: Lexicon): NamedSide[] {
  return lexicon.sides
    .find(tokens)
    .map(({ from, to, value }) => {
      const greater = tokens[to]?.word === 'greater' && tokens[to + 1]?.word === 'than';
      return { from, to, side: greater ? ('bilateral' as const) : value };
    })
    .filter(({ from }) => !tokens.slice(Math.max(0, from - 2), from).some((token) => token.word === 'than'));
}

/** Places of a sentence in order, longest names first where they overlap. */
export function findPlaces(
  tokens: readonly Token[],
  lexicon: Lexicon,
  sides: readonly NamedSide[],
): NamedPlace[] {
  const relations = lexicon.relations.find(tokens);
  const places: NamedPlace[] = [];
  for (const { from, to, value } of lexicon.places.find(tokens)) {
    const side = sides.find(
      (other) => other.to <= from && from - other.to <= SIDE_REACH && run(tokens, other.to, from),
    );
    const relation = relations.some(
      (other) =>
        other.to <= from &&
        from - other.to <= RELATION_REACH &&
        run(tokens, other.to, side?.from ?? from, true),
    );
    places.push({
      from: side?.from ?? from,
      to,
      place: value,
      side: side?.side ?? null,
      isNeighbour: relation,
    });
  }
  return places;
}

/** A spinal level in words ("l4 5", "c7 t1") or null; upper case. */
export function findLevel(tokens: readonly Token[]): string | null {
  const at = tokens.findIndex((token) => LEVEL_WORD.test(token.word));
  if (at < 0) return null;
  const next = tokens[at + 1]?.word ?? '';
  const first = tokens[at]!.word;
  const pair = LEVEL_WORD.test(next) || /^\d{1,2}$/.test(next) ? `${first}-${next}` : first;
  return pair.toUpperCase();
}

const BREAKS = new Set(
  'in of within at along on to from by with without and or is are was were which that than seen noted but through throughout'.split(
    ' ',
  ),
);

/** Whether the tokens between two positions are plain modifiers: no punctuation, preposition, joiner or verb. */
export function run(tokens: readonly Token[], from: number, to: number, articles = true): boolean {
  for (let i = from; i < to; i++) {
    const { word, isWord } = tokens[i]!;
    if (!isWord || BREAKS.has(word)) return false;
    if (!articles && (word === 'the' || word === 'a' || word === 'an')) return false;
  }
  return true;
}
