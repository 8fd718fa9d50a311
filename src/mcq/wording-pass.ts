const PLAIN_NAMES = [
  'PET[/-]CT',
  'PET[/-]MRI?',
  'SPECT[/-]CT',
  'CTA',
  'CTPA',
  'MRA',
  'MRI',
  'fMRI',
  'MRCP',
  'HRCT',
  'CT',
  'MR',
  'PET',
  'FDG[- ]PET',
  'SPECT',
];
const LONG_NAMES = [
  '(?:positron emission|single[- ]photon emission computed|computed|computerised|computerized|computed axial) tomograph(?:y|ic)',
  'tomograph(?:y|ic|ms?)',
  '(?:magnetic resonance|MR) (?:imaging|angiograph(?:y|ic))',
  'magnetic resonance',
  'diffusion[- ]weighted',
  'susceptibility[- ]weighted',
];
const SEQUENCES = [
  'T[12](?:[ /-]?FLAIR)',
  'T[12]\\*?[- ]weighted',
  'T[12]\\*?(?= (?:image|sequence|signal|hyperintens|hypointens|series|scan))',
  'FLAIR',
  'DWI',
  'ADC',
];

// Acronyms match in capitals only: "mr" and "pet" are words.
const ACRONYM = `(?:${[...SEQUENCES, ...PLAIN_NAMES].join('|')})`;
const LONG = `(?:${LONG_NAMES.map(anyCase).join('|')})`;
const NAME = `(?<![\\w-])(?:${LONG}|${ACRONYM})(?![\\w])`;
const NAMES = `${NAME}(?:(?: and | or |[ /-]| and/or )${NAME})*`;

const MODALITY = new RegExp(NAME);
const WITH_NOUN = new RegExp(
  `${NAMES} (?:scans?|studies|study|images?|imaging|examinations?|exams?|slices?|sections?|series|sequences?)\\b`,
  'g',
);
const AFTER_PREPOSITION = new RegExp(
  `\\b([Oo]n|[Ii]n|[Bb]y|[Ff]rom|[Aa]t|[Uu]sing|[Ww]ith) (?:(?:this|the|these|an?) )?((?:[a-z-]+ ){0,2}?)${NAMES}(?= ?[?,.;:]|$| (?:is|are|was|does|do|shows?|of)\\b)`,
  'g',
);
const BARE = new RegExp(`${NAMES} ?`, 'g');

/** Whether a text names an imaging modality or sequence outright. */
export function namesModality(text: string): boolean {
  return MODALITY.test(text);
}

/**
 * A stem without modality names: "on this CT scan" becomes "on these images", "MRI findings" becomes "findings".
 * A stem that names none comes back unchanged, to the byte. PROTOCOL.md §3.16.
 */
export function withoutModality(stem: string): string {
  if (!namesModality(stem)) return stem;
  const plain = stem
    .replace(WITH_NOUN, 'images')
    .replace(AFTER_PREPOSITION, (_, preposition: string) => `${preposition} these images`)
    .replace(BARE, '')
    .replace(/\b([Tt])his ((?:[a-z-]+ )*)images\b/g, '$1hese $2images')
    .replace(
      /\b([Aa])n? ((?:[a-z-]+ )*)images\b/g,
      (_, a: string, rest: string) => `${a === 'A' ? 'The' : 'the'} ${rest}images`,
    )
    .replace(/\b([Oo]n|[Ii]n|[Bb]y|[Ff]rom|[Ww]ith|[Uu]sing) images\b/g, '$1 these images')
    .replace(/\s+/g, ' ')
    .replace(/ ([?,.;:])/g, '$1')
    .trim();
  return plain.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase());
}

/** Stems after the wording pass, and how many of them changed. */
export function wordingPass(stems: readonly string[]): { stems: string[]; changed: number } {
  const passed = stems.map(withoutModality);
  return { stems: passed, changed: passed.filter((stem, i) => stem !== stems[i]).length };
}

function anyCase(pattern: string): string {
  return pattern.replace(/(?<![\\?])[a-z](?![^[]*\])/g, (letter) => `[${letter}${letter.toUpperCase()}]`);
}
