import type { Token } from './tokens.js';

/** Words at which a noun phrase starts behind them, going left. */
const STOPS = new Set(
  (
    'the a an this these that those its his her their is are was were be been being has have had there seen noted ' +
    'identified demonstrated shows showed show demonstrates demonstrate reveals revealed with within without in on at of to ' +
    'from by for and or but which appears appear now also again as some made contains containing involving suggesting ' +
    'representing consistent compatible may likely producing causing discloses disclosed observed present either aside'
  ).split(' '),
);

/** Index of the first token of the noun phrase that ends at `at`: adjectives and numbers before it, no article. */
export function phraseStart(tokens: readonly Token[], at: number, floor: number): number {
  let from = at;
  while (from > floor) {
    const { word, isWord } = tokens[from - 1]!;
    if (STOPS.has(word)) break;
    // "large, spiculated mass": a comma between adjectives stays inside.
    if (!isWord && !(word === ',' && from - 2 >= floor && isAdjectiveLike(tokens[from - 2]!.word))) break;
    from--;
  }
  while (from < at && !tokens[from]!.isWord) from++;
  return from;
}

function isAdjectiveLike(word: string): boolean {
  return /(?:ed|al|ous|ic|ar|ive|ant|ent|y|large|small|several|discrete|multiple|mild|moderate|severe)$/.test(
    word,
  );
}
