import { z } from 'zod';
import { lateralitySchema, sectionKinds } from '../../domain/finding.js';

/** Shapes of the files in data/lexicons. Strict: a misspelt key is an error at load, never an ignored rule. */
const phrase = z.string().min(1, 'an empty phrase would match everything');
const phrases = z.array(phrase);

export const sectionsFileSchema = z.strictObject({
  kinds: z.record(z.enum(sectionKinds), phrases.min(1)),
  vignette: phrases,
  imaging: phrases,
});

const twoSided = z.strictObject({ before: phrases, after: phrases });
export const cuesFileSchema = z.strictObject({
  negation: twoSided,
  uncertainty: twoSided,
  pseudo: phrases,
  assertion: phrases,
  terminators: phrases,
  prior: phrases,
  change: z.record(z.enum(['new', 'increased', 'decreased', 'stable']), phrases),
});

export const subtypes = [
  'recommendation',
  'comparison',
  'technique',
  'admin',
  'limitation',
  'pointer_or_commentary',
] as const;
export const statementsFileSchema = z.strictObject({
  kinds: z.record(z.enum(subtypes), z.strictObject({ start: phrases, any: phrases })),
  normal: phrases,
  normal_state: twoSided,
  not_visual: phrases,
  borderline: phrases,
  quantities: phrases,
  neutral_quantities: phrases,
  imaging_nouns: phrases,
  reporting_verbs: phrases,
  continuations: phrases,
  outside: phrases,
});

/** Concept ids that the rest of the program knows: the finding vocabulary of `data/lexicons/concepts.yaml`. */
const conceptId = z.string().regex(/^[a-z]+(-[a-z]+)*$/, 'expected a kebab-case concept id');
export const conceptsFileSchema = z.strictObject({
  concepts: z
    .array(
      z.strictObject({
        id: conceptId,
        terms: phrases,
        placed: z.array(z.strictObject({ terms: phrases, places: phrases.min(1) })).default([]),
        joins: z.array(conceptId).default([]),
        feature: z.boolean().default(false),
        generic: z.boolean().default(false),
      }),
    )
    .refine((list) => list.some((concept) => concept.id === 'other'), 'the concept `other` is missing'),
  not_terms: phrases,
});

const bodyRegions = ['head', 'neck', 'chest', 'abdomen', 'pelvis', 'spine', 'limb'] as const;
export const anatomyFileSchema = z.strictObject({
  places: z.array(
    z.strictObject({
      name: phrase,
      region: z.enum(bodyRegions).nullable(),
      general: z.boolean().default(false),
      terms: phrases.min(1),
    }),
  ),
  relations: phrases,
  sides: z.record(lateralitySchema, phrases.min(1)),
});

export const examsFileSchema = z.strictObject({
  modalities: z.record(z.enum(['CT', 'MR', 'PT']), phrases.min(1)),
  regions: z.record(z.enum([...bodyRegions, 'whole-body']), phrases.min(1)),
});

export type SectionsFile = z.infer<typeof sectionsFileSchema>;
export type CuesFile = z.infer<typeof cuesFileSchema>;
export type StatementsFile = z.infer<typeof statementsFileSchema>;
export type ConceptsFile = z.infer<typeof conceptsFileSchema>;
export type AnatomyFile = z.infer<typeof anatomyFileSchema>;
export type ExamsFile = z.infer<typeof examsFileSchema>;
export type Subtype = (typeof subtypes)[number];
export type BodyRegion = (typeof bodyRegions)[number] | 'whole-body';
