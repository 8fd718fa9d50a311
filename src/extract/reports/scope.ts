import { clauseStarts } from './clauses.js';
import type { Cue, CueKind, Lexicon } from './lexicon.js';
import type { PhraseMatch } from './phrase-book.js';
import type { Token } from './tokens.js';

/** Where one cue acts: token indices, end exclusive. `cueFrom` and `cueTo` are the cue's own tokens. */
export interface Scope {
  readonly kind: CueKind;
  readonly from: number;
  readonly to: number;
  readonly cueFrom: number;
  readonly cueTo: number;
}

/** How far an adjective-like normal cue ("normal enhancement") reaches, in words. */
const NORMAL_REACH = 3;

/**
 * The scopes of a sentence's cues, in order. A cue before acts forward to the next terminator or clause, a cue after
 * backward to the last one. Longer phrases win, so a pseudo-cue ("no change") hides the cue inside it.
 *
 * @param protectedFrom - a mention's tokens: terminators and cues inside it do not count, and a pseudo-cue that
 *   runs into it does not hide its cue ("no change in vision" about a change in vision)
 */
export function findScopes(
  tokens: readonly Token[],
  lexicon: Lexicon,
  mention: { readonly from: number; readonly to: number } | null = null,
): Scope[] {
  const inside = (match: PhraseMatch<unknown>): boolean =>
    mention !== null && match.to > mention.from && match.from < mention.to;
  const cues = pickCues(lexicon.cues.all(tokens).filter((match) => !inside(match)));
  const starts = clauseStarts(tokens).filter(
    (at) => mention === null || at <= mention.from || at >= mention.to,
  );
  const stops = cues.filter((cue) => cue.value.some((role) => role.kind === 'terminator'));
  const scopes: Scope[] = [];
  for (const cue of cues) {
    for (const role of cue.value) {
      const range = reach(cue, role, tokens, starts, stops);
      if (range !== null) scopes.push({ kind: role.kind, ...range, cueFrom: cue.from, cueTo: cue.to });
    }
  }
  return scopes;
}

function pickCues(matches: readonly PhraseMatch<readonly Cue[]>[]): PhraseMatch<readonly Cue[]>[] {
  const longestFirst = [...matches].sort((a, b) => b.to - b.from - (a.to - a.from) || a.from - b.from);
  const kept: PhraseMatch<readonly Cue[]>[] = [];
  for (const match of longestFirst) {
    if (kept.every((other) => match.to <= other.from || match.from >= other.to)) kept.push(match);
  }
  return kept.sort((a, b) => a.from - b.from);
}

function reach(
  cue: PhraseMatch<readonly Cue[]>,
  role: Cue,
  tokens: readonly Token[],
  starts: readonly number[],
  stops: readonly PhraseMatch<unknown>[],
): { from: number; to: number } | null {
  if (role.side === 'none') return null;
  if (role.side === 'before') {
    const clauseEnd = starts.find((at) => at > cue.to) ?? tokens.length;
    const stop = stops.find((other) => other.from >= cue.to)?.from ?? tokens.length;
    const limit = role.kind === 'normal' ? cue.to + NORMAL_REACH : tokens.length;
    return { from: cue.to, to: Math.min(clauseEnd, stop, limit) };
  }
  const startsBefore = starts.filter((at) => at <= cue.from);
  // "uptake is faint and may be artifact": a clause that begins with the cue speaks of the subject before it.
  const clauseStart = startsBefore.at(startsBefore.at(-1) === cue.from ? -2 : -1) ?? 0;
  const stop = stops.filter((other) => other.to <= cue.from).at(-1)?.to ?? 0;
  if (!isAdverb(cue)) return { from: Math.max(clauseStart, stop), to: cue.from };
  // "narrowing possible." hedges what stands before it; "calcification likely related to ..." only what follows.
  if (tokens[cue.to]?.isWord === true) return null;
  const item = tokens.slice(0, cue.from).findLastIndex((token) => ITEM_STARTS.has(token.word)) + 1;
  return { from: Math.max(clauseStart, stop, item), to: cue.from };
}

const ITEM_STARTS = new Set([',', 'and', 'with', '(']);

function isAdverb(cue: PhraseMatch<unknown>): boolean {
  return cue.to - cue.from === 1
    ? cue.phrase !== 'resolved' && cue.phrase !== 'none'
    : cue.phrase.endsWith('likely');
}

/**
 * What the scopes say of a mention: normal, negated or uncertain when such a scope covers it, else positive.
 *
 * A forward scope must cover its first token, a backward one its last. An uncertain cue outside "not" ("cannot be
 * excluded") is its own phrase in the lexicon, so negation comes first here.
 */
export function scopedPolarity(
  scopes: readonly Scope[],
  mention: { readonly from: number; readonly to: number },
): 'positive' | 'uncertain' | 'negated' | 'normal' {
  const covers = (kind: CueKind): boolean =>
    scopes.some(
      (scope) =>
        scope.kind === kind &&
        (scope.from >= scope.cueTo
          ? mention.from >= scope.from && mention.from < scope.to
          : mention.to - 1 >= scope.from && mention.to - 1 < scope.to),
    );
  if (covers('negation')) return 'negated';
  if (covers('normal')) return 'normal';
  return covers('uncertainty') ? 'uncertain' : 'positive';
}
