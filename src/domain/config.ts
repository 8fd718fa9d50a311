import { z } from 'zod';
import { splitSchema } from './item.js';
import { PIXEL_RULES } from './pixel-rules.js';

const reviewerSchema = z.strictObject({
  id: z.string().min(1),
  /** `file`, `person`, `offline/saliency` or a provider's model. */
  model: z.string().min(1),
  nominations: z.string().optional(),
  ratings: z.string().optional(),
  settings: z.record(z.string(), z.union([z.number(), z.string(), z.boolean()])).optional(),
});
export type ReviewerConfig = z.infer<typeof reviewerSchema>;

const providerSchema = z.strictObject({
  /** Needed for a compatible server; for the three providers it takes the place of their own address. */
  baseUrl: z.url().optional(),
  /** The environment variable that holds the key; NAME_FILE may name a file instead. Absent: the server wants none. */
  keyEnv: z.string().min(1).optional(),
  requestsPerMinute: z.number().int().positive().optional(),
  tokensPerMinute: z.number().int().positive().optional(),
  /** Calls at the same time. */
  concurrency: z.number().int().positive().optional(),
  /** Images that one request may hold. */
  maxImages: z.number().int().positive().optional(),
  /** Whether the server takes a JSON schema for the reply. */
  structuredOutput: z.boolean().optional(),
});
export type ProviderConfig = z.infer<typeof providerSchema>;

/** US dollars per million tokens. */
export const priceSchema = z.strictObject({
  input: z.number().nonnegative(),
  output: z.number().nonnegative(),
  /** Input that the provider had cached; absent: as input. */
  cachedInput: z.number().nonnegative().optional(),
  /** Input that went into the cache; absent: as input. */
  cacheWrite: z.number().nonnegative().optional(),
  /** What a batch costs, as a part of the above. */
  batchFactor: z.number().positive().max(1).optional(),
  /** Above this many input tokens another price holds, which is not known here. */
  upToInputTokens: z.number().int().positive().optional(),
});
export type Price = z.infer<typeof priceSchema>;

/** `groundmark.yaml`. Strict: an unknown key is an error that names the nearest known one. CONTRACT.md. */
export const configSchema = z.strictObject({
  cases: z.string().min(1),
  seed: z.number().int().default(0),
  findings: z.strictObject({ engine: z.string().default('offline/rules') }).prefault({}),
  reviewers: z
    .array(reviewerSchema)
    .min(2, 'name two or more reviewers')
    .superRefine((reviewers, context) => {
      reviewers.forEach(({ id }, i) => {
        if (reviewers.findIndex((other) => other.id === id) === i) return;
        const message = `the id ${id} stands twice, and answers are told apart by it; give every reviewer its own`;
        context.addIssue({ code: 'custom', path: [i, 'id'], message });
      });
    }),
  questions: z
    .strictObject({
      generator: z.string().default('offline/rules'),
      validator: z.string().default('offline/rules'),
      gates: z.array(z.string()).default([]),
      sets: z.number().int().min(1).max(20).default(4),
      selection: z.enum(['hardest', 'nearest-chance']).default('hardest'),
    })
    .prefault({}),
  splits: z
    .strictObject({
      mode: z.enum(['balanced', 'hash']).default('balanced'),
      ratios: z
        .record(splitSchema, z.number().nonnegative())
        .refine(
          (ratios) => Object.values(ratios).some((ratio) => ratio > 0),
          'at least one ratio must be above 0',
        )
        .default({ dev: 64, validation: 19, test: 17 }),
    })
    .prefault({}),
  seal: z.strictObject({ recipients: z.array(z.string()).default([]) }).prefault({}),
  release: z
    .strictObject({
      /** Findings of the pixel gate that do not keep a release back, each with its reason. */
      allow: z
        .array(
          z.strictObject({
            rule: z.enum(PIXEL_RULES),
            /** SeriesInstanceUID; every series when absent. */
            series: z.string().min(1).optional(),
            reason: z.string().trim().min(1, 'say why these pixels may be released'),
          }),
        )
        .default([]),
    })
    .prefault({}),
  budget: z.strictObject({ usd: z.number().nonnegative().default(0) }).prefault({}),
  dicomweb: z
    .strictObject({
      /** Where the credentials of a PACS are: `env:NAME` or `file:PATH`. Never the credentials themselves. */
      auth: z
        .string()
        .regex(/^(?:env|file):./, 'expected env:NAME or file:PATH')
        .nullable()
        .default(null),
    })
    .prefault({}),
  /** `openai`, `anthropic`, `gemini`, and the names of compatible servers. */
  providers: z.record(z.string(), providerSchema).default({}),
  /** By model id, such as `openai/gpt-…`; goes before the table that the package carries. */
  prices: z.record(z.string(), priceSchema).default({}),
});
export type Config = z.infer<typeof configSchema>;

/** One row of cases.csv; paths are relative to that file. */
export const caseRowSchema = z.looseObject({
  case_id: z.string().min(1),
  patient_id: z.string().min(1),
  dicom_path: z.string().optional(),
  image_path: z.string().optional(),
  report_path: z.string().optional(),
});
export type CaseRow = z.infer<typeof caseRowSchema>;

/** One patient's material. */
export interface Case {
  readonly caseId: string;
  readonly patientId: string;
  /** Absolute, or null when the row names none. */
  readonly imagePath: string | null;
  /** The DICOMweb URL that the row names instead of a folder; `imagePath` is then where its copy lies. */
  readonly imageUrl?: string;
  readonly reportPath: string | null;
}
