import { z } from 'zod';
import { IMAGES_MAX, IMAGES_MIN, imageIdSchema, letterSchema, splitSchema } from './item.js';
import { record, schemaVersion, sha256Hex } from './record.js';

/** An item id names a folder of the bundle, so it holds nothing that a path or a log viewer could trip over. */
export const publicItemIdSchema = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/, 'expected letters, digits, dots, hyphens and underscores');

/** An item as it is published: the fields of the contract and no other. CONTRACT.md "Files". */
export const publicItemSchema = z.strictObject({
  schemaVersion,
  id: publicItemIdSchema,
  question: z.string().min(1),
  choices: z.array(z.strictObject({ letter: letterSchema, text: z.string().min(1) })).length(5),
  images: z
    .array(
      z.strictObject({
        id: imageIdSchema,
        file: z.string().min(1).describe('relative to this file'),
        sha256: sha256Hex,
        width: z.number().int().positive(),
        height: z.number().int().positive(),
      }),
    )
    .min(IMAGES_MIN)
    .max(IMAGES_MAX),
  split: splitSchema,
});
export type PublicItem = z.infer<typeof publicItemSchema>;

/** The word that marks a folder as one that `release` wrote and may replace. */
export const RELEASE_FORMAT = 'groundmark-release';
export const SEALED_FORMAT = 'groundmark-sealed';

/** `manifest.json`: every other file of the bundle, sorted by path. Published, so no other field may stand in it. */
export const releaseManifestSchema = z.strictObject({
  schemaVersion,
  format: z.literal(RELEASE_FORMAT),
  files: z.array(
    z.strictObject({ path: z.string().min(1), sha256: sha256Hex, bytes: z.number().int().nonnegative() }),
  ),
});
export type ReleaseManifest = z.infer<typeof releaseManifestSchema>;

/** `commitment.json`: a public promise of the private key. docs/decisions/0003-sealing.md. */
export const commitmentSchema = z.strictObject({
  schemaVersion,
  algorithm: z.literal('sha256(salt.txt || key.jsonl)'),
  commitment: sha256Hex,
  items: z.number().int().positive(),
  promise: z.string(),
  howToVerify: z.array(z.string()),
});
export type CommitmentRecord = z.infer<typeof commitmentSchema>;

/** `sealed/sealed.json`: what was encrypted for whom. Holds nothing secret; recipients are public keys. */
export const sealedSchema = record({
  format: z.literal(SEALED_FORMAT),
  commitment: sha256Hex,
  /** Of the public manifest that was sealed; absent in folders of before it was. */
  manifestSha256: sha256Hex.optional(),
  recipients: z.array(z.string()).min(1),
  files: z.array(z.strictObject({ path: z.string().min(1), sha256: sha256Hex })),
});
export type SealedRecord = z.infer<typeof sealedSchema>;

/** One line of what `verify` found. `detail` never repeats a private value. */
export interface VerifyCheck {
  readonly name: string;
  readonly ok: boolean;
  readonly detail: string;
}
