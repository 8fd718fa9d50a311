/** What no bundle may hold, whatever the workspace: looked for in every text, also by someone who has only the bundle. */
export const GENERAL_PATTERNS: readonly { readonly kind: string; readonly pattern: RegExp }[] = [
  // PS3.5 section 9.1: components of digits without leading zeros. Six components and more are no version number.
  {
    kind: 'uid-pattern',
    pattern: /(?<![\d.])[0-2](?:\.(?:0|[1-9]\d*)){5,}(?![\d.]*\d)/,
  },
  { kind: 'uid-pattern', pattern: /(?<![\d.])2\.25\.\d{8,}/ },
  // PS3.5 section 6.2, DA: YYYYMMDD.
  {
    kind: 'date-pattern',
    pattern: /(?<![0-9A-Za-z.])(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])(?![0-9A-Za-z])/,
  },
  {
    kind: 'date-pattern',
    pattern: /(?<![0-9A-Za-z])(?:19|20)\d\d([-./])(?:0[1-9]|1[0-2])\1(?:0[1-9]|[12]\d|3[01])(?![0-9A-Za-z])/,
  },
  { kind: 'e-mail', pattern: /[\w.+-]+@[\w-]+(?:\.[\w-]+)*\.[A-Za-z]{2,}/ },
  { kind: 'absolute-path', pattern: /(?:^|[\s"'`(=<>,;[])\/(?:[\w.@-]+\/)+[\w.@-]+/m },
  { kind: 'absolute-path', pattern: /(?<![A-Za-z])[A-Za-z]:\\[\w .-]+|\\\\[\w.-]+\\[\w.-]+|file:\/\//i },
  {
    kind: 'answer-letter',
    pattern: /\b(?:[Aa]nswer|ANSWER|[Cc]orrect|[Gg]old)["']?\s*[:=]\s*["']?[A-E](?![\w ])/,
  },
  { kind: 'role-word', pattern: /["']?\brole["']?\s*[:=]\s*["']?(?:reference|comparison)\b/i },
  { kind: 'secret-key', pattern: /AGE-SECRET-KEY-/i },
];

/** Field names of the key and of private records, lower case without `_` and `-`. */
export const PRIVATE_FIELDS: ReadonlySet<string> = new Set([
  'answer',
  'answerkey',
  'answerletter',
  'axis',
  'candidates',
  'casegroup',
  'caseid',
  'comparison',
  'comparisons',
  'correct',
  'correctanswer',
  'evidence',
  'finding',
  'gold',
  'goldanswer',
  'groundtruth',
  'instancenumber',
  'patientid',
  'patientname',
  'position',
  'rating',
  'ratings',
  'reference',
  'references',
  'report',
  'reportid',
  'role',
  'sentence',
  'series',
  'seriesinstanceuid',
  'solution',
  'sopinstanceuid',
  'strata',
  'studyinstanceuid',
  'target',
  'targetid',
  'volumeid',
]);
