import { z } from 'zod';
import { readDataYaml } from '../store/index.js';
import type { ChatCapabilities } from './chat-model.js';

const limit = z.number().int().positive().nullable();

const rowSchema = z.strictObject({
  /** A model id, or the beginning of one. */
  prefix: z.string().min(1),
  maxImages: limit.optional(),
  maxImageBytes: limit.optional(),
  maxImagePixels: limit.optional(),
  maxImageSide: limit.optional(),
  /** Longest side when a request holds more images than `manyImages`. */
  maxImageSideOfMany: limit.optional(),
  manyImages: limit.optional(),
  maxRequestBytes: limit.optional(),
  structuredOutput: z.boolean().optional(),
  temperature: z.boolean().optional(),
  batch: z.boolean().optional(),
  /** How images are counted as input tokens: a name that estimate-tokens.ts knows. */
  imageTokens: z.string().min(1).optional(),
});

/** `data/models/capabilities.yaml`. */
export const capabilityTableSchema = z.strictObject({
  /** ISO date of the documents that the rows come from. */
  asOf: z.iso.date(),
  models: z.array(rowSchema),
});
export type CapabilityTable = z.infer<typeof capabilityTableSchema>;

/** What a model takes, with what only this folder reads. */
export interface ModelCapabilities extends ChatCapabilities {
  readonly maxImageSide: number | null;
  readonly maxImageSideOfMany: number | null;
  readonly manyImages: number | null;
  readonly imageTokens: string | null;
}

const UNKNOWN: ModelCapabilities = {
  maxImages: null,
  maxImageBytes: null,
  maxImagePixels: null,
  maxImageSide: null,
  maxImageSideOfMany: null,
  manyImages: null,
  maxRequestBytes: null,
  structuredOutput: true,
  temperature: true,
  batch: false,
  imageTokens: null,
};

/** The table that the package carries. */
export async function readCapabilityTable(): Promise<CapabilityTable> {
  return readDataYaml('models/capabilities.yaml', capabilityTableSchema);
}

/**
 * What a model takes: every row whose prefix its id begins with, short ones first, so that a longer one goes over them.
 */
export function capabilitiesOf(id: string, table: CapabilityTable): ModelCapabilities {
  const rows = table.models
    .filter(({ prefix }) => id.startsWith(prefix))
    .sort((a, b) => a.prefix.length - b.prefix.length);
  const found: Record<string, unknown> = { ...UNKNOWN };
  for (const { prefix: _prefix, ...row } of rows) Object.assign(found, row);
  return found as unknown as ModelCapabilities;
}
