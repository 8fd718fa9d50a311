import { z } from 'zod';

const count = z.number().int().nonnegative();
/** null where the figure does not exist: no variance, no items. Never NaN, never a made-up 0. */
const figure = z.number().nullable();

/** How well one rule that looks at the options alone picks the key. AUDIT-METRICS.md "PICK". */
export const pickSchema = z.looseObject({
  acc: figure,
  chance: figure,
  zNull: figure,
  /** Two-sided, adjusted over the picks of the file. */
  pHolm: figure,
  goldAmong: figure,
  goldUnique: figure,
  itemsWithUniqueExtreme: count,
});
export type PickResult = z.infer<typeof pickSchema>;

export const pickNames = [
  'longestChars',
  'longestWords',
  'shortestChars',
  'shortestWords',
  'mostSimilarToStem',
  'leastSimilarToStem',
  'mostCentral',
  'leastCentral',
] as const;
export type PickName = (typeof pickNames)[number];

/** A classifier that sees the options but not the question. AUDIT-METRICS.md "CHOICES-ONLY LR". */
export const choicesOnlySchema = z.looseObject({
  acc: figure,
  chance: figure,
  zNull: figure,
  foldItems: z.array(count),
  foldAcc: z.array(figure),
});
export type ChoicesOnlyResult = z.infer<typeof choicesOnlySchema>;

const wordCueSchema = z.looseObject({
  applicability: count,
  productivity: figure,
  coverage: figure,
  chance: figure,
  zNull: figure,
});
export type WordCue = z.infer<typeof wordCueSchema>;

const optionCueSchema = z.looseObject({
  items: count,
  options: count,
  gold: count,
  expectedGold: z.number(),
  zNull: figure,
});
export type OptionCue = z.infer<typeof optionCueSchema>;

/** What one property of the images alone says about which of them are evidence. */
export const evidenceFeatureSchema = z.looseObject({
  /** Mean over items of P(reference > comparison), ties half. 0.5: the property says nothing. */
  auc: figure,
  /** Bootstrap over cases; null when there is only one case. */
  ci95: z.tuple([z.number(), z.number()]).nullable(),
  items: count,
});
export type EvidenceFeature = z.infer<typeof evidenceFeatureSchema>;

export const flagSchema = z.looseObject({
  rule: z.string(),
  itemId: z.string().optional(),
  /** Which pick or evidence feature, for the rules that look at several. */
  figure: z.string().optional(),
  value: z.number(),
  threshold: z.number(),
  /** Neutral: no report text, no key, no evidence label. */
  message: z.string(),
});
export type Flag = z.infer<typeof flagSchema>;

/** `audit --out`. CONTRACT.md; definitions in AUDIT-METRICS.md. */
export const auditSchema = z.looseObject({
  schemaVersion: z.literal(1),
  dataset: z.looseObject({
    format: z.string(),
    items: count,
    scored: count,
    /** Items with several keys: read, counted, in no figure. */
    severalKeys: count,
    optionsPerItem: z.record(z.string(), count),
    optionsTotal: count,
    chance: figure,
    itemsSha256: z.string(),
    skipped: z.array(z.looseObject({ where: z.string(), reason: z.string() })),
  }),
  labels: z.looseObject({
    observed: z.array(count),
    expected: z.array(z.number()),
    chi2: figure,
    df: count,
    p: figure,
    bestPosition: count.nullable(),
    bestPositionAcc: figure,
  }),
  picks: z.record(z.enum(pickNames), pickSchema),
  length: z.looseObject({
    goldMeanWords: figure,
    distractorMeanWords: figure,
    goldMeanChars: figure,
    distractorMeanChars: figure,
    stemMeanWords: figure,
  }),
  tfidfVocabulary: count,
  choicesOnlyLr: choicesOnlySchema.extend({ strict: choicesOnlySchema.nullable() }),
  duplicates: z.looseObject({
    options: z.looseObject({
      itemsExact: count,
      itemsNormalised: count,
      itemsGoldRepeatedExact: count,
      itemsGoldRepeatedNormalised: count,
      extraOptionsExact: count,
    }),
    stems: z.looseObject({
      extraExact: count,
      extraNormalised: count,
      extraStemAndOptionsExact: count,
      extraStemAndOptionSetNormalised: count,
    }),
    emptyOptions: count,
  }),
  cues: z.looseObject({
    absoluteWords: wordCueSchema,
    hedgeWords: wordCueSchema,
    allOfTheAbove: optionCueSchema,
    noneOfTheAbove: optionCueSchema,
  }),
  tokenZ: z.looseObject({
    tokensTested: count,
    overBonferroni05: count,
    top: z.array(z.looseObject({ token: z.string(), n: count, gold: count, z: z.number() })),
  }),
  goldTextInStem: z.looseObject({ gold: count, distractors: count, options: count, zNull: figure }),
  evidence: z
    .looseObject({
      features: z.record(z.string(), evidenceFeatureSchema),
      images: count,
      unreadableImages: z.array(z.looseObject({ where: z.string(), reason: z.string() })),
      clusters: count,
    })
    .optional(),
  flags: z.array(flagSchema),
});
export type Audit = z.infer<typeof auditSchema>;

/** A finished audit but for its flags. */
export type AuditFigures = Pick<
  Audit,
  | 'schemaVersion'
  | 'dataset'
  | 'labels'
  | 'picks'
  | 'length'
  | 'tfidfVocabulary'
  | 'choicesOnlyLr'
  | 'duplicates'
  | 'cues'
  | 'tokenZ'
  | 'goldTextInStem'
  | 'evidence'
>;
