import { codePointLength, normalise, tokens, words } from '../util/text.js';

export const checkNames = [
  'length-outlier',
  'giveaway-wording',
  'unmatched-qualifier',
  'copy-of-target',
  'duplicate',
  'parallel-grammar',
  'category-words',
  'echo-of-stem',
] as const;
export type CheckName = (typeof checkNames)[number];

export interface CheckInput {
  readonly stem: string;
  readonly choices: readonly string[];
  /** Index of the supported choice. */
  readonly supported: number;
  /** The report sentence and the finding's own words: private, compared only. */
  readonly privateTexts: readonly string[];
}

/** A failed check; `choice` is an index, or null when the set as a whole fails. */
export type CheckFailure = {
  readonly check: CheckName;
  readonly choice: number | null;
};

/** Every failure of a set, in the order of `checkNames`; [] when it is clean. PROTOCOL.md §3.12. */
export function checkSet(input: CheckInput): CheckFailure[] {
  return checkNames.flatMap((check) => CHECKS[check](input).map((choice) => ({ check, choice })));
}

/** A choice may be this many words, and this share of characters (at least 8), away from the mean of the others. */
const WORD_SLACK = 1.5;
const CHARACTER_SLACK = 0.6;
const CHARACTER_SLACK_MIN = 8;
/** A shorter word of the stem says nothing when a choice repeats it. */
const ECHO_LETTERS = 4;

const QUALIFIERS = new Set(
  (
    'may might can could usually generally often sometimes probably possibly likely typically frequently rarely ' +
    'about approximately mostly mainly partly slightly somewhat very extremely suspected probable possible apparent'
  ).split(' '),
);
const ABSOLUTES = new Set(
  'always never none all completely absolutely totally definitely only every must except normal unremarkable other'.split(
    ' ',
  ),
);
const CATEGORY_WORDS = new Set(
  (
    'mass nodule cyst calcification stone calculus effusion ascites opacification uptake lesion attenuation infarct ' +
    'hemorrhage edema consolidation atelectasis emphysema pneumothorax lymphadenopathy distension dilatation ' +
    'thickening fracture herniation stenosis aneurysm atherosclerosis atrophy hernia hydronephrosis tumor abscess metastasis'
  ).split(' '),
);
const FIXED_CHOICES =
  /^(?:all|none|neither|both) (?:of )?(?:the |these |those )?(?:above|these|those|options|choices|statements)\b|^(?:a|b|c|d|e) (?:and|or) (?:a|b|c|d|e)$/;

type Check = (input: CheckInput) => (number | null)[];

const CHECKS: Readonly<Record<CheckName, Check>> = {
  'length-outlier': ({ choices }) =>
    indices(choices, (choice, others) => {
      const meanOf = (count: (text: string) => number): number =>
        others.reduce((sum, text) => sum + count(text), 0) / others.length;
      const wordGap = Math.abs(words(choice).length - meanOf((text) => words(text).length));
      const characters = meanOf(codePointLength);
      const characterGap = Math.abs(codePointLength(choice) - characters);
      return (
        wordGap > WORD_SLACK || characterGap > Math.max(CHARACTER_SLACK_MIN, CHARACTER_SLACK * characters)
      );
    }),
  'giveaway-wording': ({ choices }) =>
    indices(
      choices,
      (choice) => FIXED_CHOICES.test(normalise(choice)) || tokens(choice).some((word) => ABSOLUTES.has(word)),
    ),
  'unmatched-qualifier': ({ choices }) => unmatched(choices, QUALIFIERS),
  'copy-of-target': ({ choices, privateTexts }) =>
    indices(choices, (choice) =>
      privateTexts.map(plain).some((text) => text !== '' && ` ${plain(choice)} `.includes(` ${text} `)),
    ),
  duplicate: ({ choices }) => indices(choices, (choice, others) => others.map(plain).includes(plain(choice))),
  'parallel-grammar': ({ choices }) => {
    const counts = choices.map((choice) => words(choice).length);
    if (Math.max(...counts) - Math.min(...counts) > 1) return [null];
    return new Set(choices.map(headPattern)).size > 1 ? [null] : [];
  },
  'category-words': ({ choices }) => unmatched(choices, CATEGORY_WORDS),
  'echo-of-stem': ({ stem, choices, supported }) => {
    const inStem = new Set(tokens(stem).filter((word) => word.length >= ECHO_LETTERS));
    const elsewhere = new Set(choices.filter((_, i) => i !== supported).flatMap(tokens));
    const echoed = tokens(choices[supported]!).some((word) => inStem.has(word) && !elsewhere.has(word));
    return echoed ? [supported] : [];
  },
};

function indices(
  choices: readonly string[],
  fails: (choice: string, others: readonly string[]) => boolean,
): number[] {
  return choices.flatMap((choice, i) => {
    const others = choices.filter((_, j) => j !== i);
    return fails(choice, others) ? [i] : [];
  });
}

/** Choices with a listed word that not all choices have. */
function unmatched(choices: readonly string[], listed: ReadonlySet<string>): number[] {
  const found = choices.map((choice) => tokens(choice).filter((word) => listed.has(word)));
  return indices(choices, (choice) =>
    tokens(choice).some((word) => listed.has(word) && !found.every((others) => others.includes(word))),
  );
}

/** Text without case, punctuation and spacing, for comparison. */
function plain(text: string): string {
  return tokens(text).join(' ');
}

const SIDE_WORDS = new Set(
  'left right both bilateral anterior posterior superior inferior medial lateral upper lower'.split(' '),
);
const FUNCTION_WORDS = new Set(
  'a an the in on at of within along above below near beside between behind'.split(' '),
);

/** How a choice begins: a side, a small word, a number, a verb in -ing, or any other word. */
function headPattern(choice: string): string {
  const [first = '', second = ''] = tokens(choice);
  if (SIDE_WORDS.has(first)) return 'side';
  if (FUNCTION_WORDS.has(first)) return `function ${first}`;
  if (/^\p{N}/u.test(first)) return 'number';
  return first.endsWith('ing') && FUNCTION_WORDS.has(second) ? 'ing' : 'word';
}
