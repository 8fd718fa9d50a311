import { z } from 'zod';
import { record, SCHEMA_VERSION } from './record.js';

export const polarities = ['positive', 'uncertain', 'negated', 'normal'] as const;
export const polaritySchema = z.enum(polarities);
export type Polarity = z.infer<typeof polaritySchema>;

export const temporalSchema = z.enum(['current', 'prior']);
export type Temporal = z.infer<typeof temporalSchema>;

export const lateralitySchema = z.enum(['left', 'right', 'bilateral']);
export type Laterality = z.infer<typeof lateralitySchema>;

export const sectionKinds = [
  'exam',
  'indication',
  'technique',
  'comparison',
  'findings',
  'impression',
  'recommendation',
  'clinical',
] as const;
export type SectionKind = (typeof sectionKinds)[number];

/** Offsets are Unicode code points into the report, end exclusive. */
const span = { start: z.number().int().nonnegative(), end: z.number().int().nonnegative() };

export const sectionSchema = z.looseObject({
  label: z.string().nullable(),
  kind: z.enum(sectionKinds),
  bodyStart: z.number().int().nonnegative(),
  ...span,
});
export type Section = z.infer<typeof sectionSchema>;

/** One thing that a sentence says is (or may be) there; `text` is the report's own text at its span. */
export const findingSchema = z.looseObject({
  ...span,
  text: z.string(),
  concept: z.string(),
  anatomy: z.string().nullable(),
  laterality: lateralitySchema.nullable(),
  /** The same key inside one report means the same thing, so Findings and Impression repeats share it. */
  key: z.string(),
  polarity: polaritySchema,
  temporal: temporalSchema.nullable(),
  visual: z.boolean(),
  needsMeasurement: z.boolean(),
});
export type Finding = z.infer<typeof findingSchema>;

export const sentenceSchema = z.looseObject({
  ...span,
  text: z.string(),
  /** Index into `sections`. */
  section: z.number().int().nonnegative().nullable(),
  isFinding: z.boolean(),
  polarity: polaritySchema.nullable(),
  temporal: temporalSchema.nullable(),
  visual: z.boolean().nullable(),
  needsMeasurement: z.boolean().nullable(),
  findings: z.array(findingSchema),
});
export type Sentence = z.infer<typeof sentenceSchema>;

/** What one report says (`extract/findings.jsonl`, `findings --out`). */
export const reportFindingsSchema = z.looseObject({
  schemaVersion: z.literal(SCHEMA_VERSION).default(SCHEMA_VERSION),
  reportId: z.string(),
  sections: z.array(sectionSchema),
  sentences: z.array(sentenceSchema),
});
export type ReportFindings = z.infer<typeof reportFindingsSchema>;

/**
 * A distinct, positive, visual, current finding of one case (`extract/targets.jsonl`). `dropped` says why it is not
 * asked about; a dropped target stays in the file.
 */
export const targetSchema = record({
  targetId: z.string(),
  caseId: z.string(),
  reportId: z.string(),
  finding: findingSchema,
  /** The exact report sentence that states the finding. */
  sentence: z.looseObject({ ...span, text: z.string() }),
  modality: z.string().nullable(),
  region: z.string().nullable(),
  dropped: z.string().nullable(),
});
export type Target = z.infer<typeof targetSchema>;

/** `mentions` output. */
export const mentionSchema = z.looseObject({
  schemaVersion: z.literal(SCHEMA_VERSION).default(SCHEMA_VERSION),
  id: z.string(),
  polarity: z.enum(['positive', 'uncertain', 'negated']),
});
export type Mention = z.infer<typeof mentionSchema>;
