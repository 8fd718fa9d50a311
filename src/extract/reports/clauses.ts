import type { Token } from './tokens.js';

const FINITE = new Set(
  (
    'is are was were has have had do does did can could may might will would should shows showed demonstrates ' +
    'demonstrated reveals revealed appears appear appeared remains remain remained measures measured contains ' +
    'contained extends involves denies denied reports complains presents presented underwent received suggests ' +
    'represents started began develops developed'
  ).split(' '),
);
const SUBJECT_START = new Set(
  'the a an this that these those he she it they there his her their its we i patient mr mrs'.split(' '),
);
const JOINERS = new Set(['and', 'or', 'nor', 'plus', 'as']);

/**
 * Token indices at which a new clause starts, ascending: after `;` `:` and full stops, and at a comma or "and" that
 * opens a clause with its own subject and finite verb. A comma or "and" inside a list ("no A, B or C is seen") is none.
 */
export function clauseStarts(tokens: readonly Token[]): number[] {
  const starts: number[] = [0];
  for (let i = 1; i < tokens.length; i++) {
    const { word } = tokens[i]!;
    if (word === ';' || word === ':' || word === '.' || word === '?' || word === '!') starts.push(i + 1);
    else if ((word === ',' || word === 'and') && opensClause(tokens, starts.at(-1)!, i)) starts.push(i + 1);
  }
  return starts;
}

function opensClause(tokens: readonly Token[], clauseStart: number, at: number): boolean {
  let first = at + 1;
  if (tokens[at]!.word === ',' && tokens[first]?.word === 'and') first++;
  const lead = tokens[first]?.word;
  if (lead === undefined || lead === 'or' || lead === 'nor') return false;
  // "..., and was seen": the next clause shares the subject and starts with its verb.
  if (FINITE.has(lead)) return hasFinite(tokens, clauseStart, at);
  const end = segmentEnd(tokens, first);
  if (!hasFinite(tokens, first, end)) return false;
  if (SUBJECT_START.has(lead)) return true;
  return hasFinite(tokens, clauseStart, at);
}

/** The next comma, "and" or end mark. */
function segmentEnd(tokens: readonly Token[], from: number): number {
  let at = from;
  while (at < tokens.length && !/^[,;:.?!]$/.test(tokens[at]!.word) && !JOINERS.has(tokens[at]!.word)) at++;
  return at;
}

function hasFinite(tokens: readonly Token[], from: number, to: number): boolean {
  for (let i = from; i < to; i++) if (FINITE.has(tokens[i]!.word)) return true;
  return false;
}
