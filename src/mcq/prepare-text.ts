const HEADS: Readonly<Record<string, string>> = {
  lobes: 'lobe',
  sinuses: 'sinus',
  regions: 'region',
  poles: 'pole',
  kidneys: 'kidney',
  spaces: 'space',
  segments: 'segment',
  nodes: 'node',
  glands: 'gland',
  hemispheres: 'hemisphere',
  gutters: 'gutter',
  plexuses: 'plexus',
  nuclei: 'nucleus',
  cavities: 'cavity',
  effusions: 'effusion',
  bases: 'base',
  apices: 'apex',
  peduncles: 'peduncle',
  tonsils: 'tonsil',
  fissures: 'fissure',
  calyces: 'calyx',
};

const ABBREVIATIONS: Readonly<Record<string, string>> = {
  rul: 'right upper lobe',
  rml: 'right middle lobe',
  rll: 'right lower lobe',
  lul: 'left upper lobe',
  lll: 'left lower lobe',
};

const PLURAL_HEAD = new RegExp(
  `((?:[\\w-]+, )*)\\b(?!(?:left|right|both)\\b)([\\w-]+),? (and|or) ((?:left |right )?)([\\w-]+) (${Object.keys(HEADS).join('|')})\\b`,
  'g',
);

/** From a negation to the end of its clause; "no change in …" and "no longer" negate no place. */
const NEGATED =
  /\b(?:no|without|not|nor|rather than|sparing|spares|spared|free of|negative for)\b(?! (?:(?:significant|interval|appreciable|definite|substantial) )*change| changed| longer)[^,;.:]*?(?=[,;.:]|\b(?:but|however|although)\b|$)/g;

/**
 * Report text or a lexicon phrase, ready for whole-word matching: lower case, one space, American hyphens, plural places
 * singular, "upper and lower lobes" written out, negated clauses gone.
 */
export function prepareText(text: string): string {
  const plain = text
    .toLowerCase()
    .replace(/[\u2010-\u2015]/g, '-')
    .replace(/\s+/g, ' ')
    .replace(/\b(left|right)-sided\b/g, '$1')
    .replace(/\b(?:rul|rml|rll|lul|lll)\b/g, (word) => ABBREVIATIONS[word]!)
    .replace(NEGATED, ' ')
    .replace(
      PLURAL_HEAD,
      (_, list: string, first: string, joint: string, side: string, last: string, head: string) => {
        const one = HEADS[head]!;
        const listed = list.replace(/([\w-]+), /g, (__, word: string) => `${word} ${one}, `);
        return `${listed}${first} ${one} ${joint} ${side}${last} ${one}`;
      },
    );
  return plain
    .replace(/[\w-]+/g, (word) => HEADS[word] ?? word)
    .replace(/\s+/g, ' ')
    .trim();
}

export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Where a phrase stands in prepared text as whole words; a hyphen joins words ("temporal" is not in "temporal-like"). */
export function phraseSpans(prepared: string, phrase: string): Span[] {
  const spans: Span[] = [];
  for (let at = prepared.indexOf(phrase); at >= 0; at = prepared.indexOf(phrase, at + 1)) {
    const end = at + phrase.length;
    if (isEdge(prepared[at - 1]) && isEdge(prepared[end])) spans.push({ start: at, end });
  }
  return spans;
}

function isEdge(character: string | undefined): boolean {
  return character === undefined || !/[\p{L}\p{N}-]/u.test(character);
}
