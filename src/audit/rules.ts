import { z } from 'zod';
import { EXIT, GroundmarkError } from '../domain/error.js';
import type { Flag } from '../domain/audit.js';
import { nearest } from '../util/text.js';

const threshold = z.number().nonnegative();
const plain = z.strictObject({ threshold });
const withP = z.strictObject({ threshold, maxP: z.number().positive().max(1) });

/** `data/audit-rules.yaml`: when a figure becomes a flag. Every rule must be there; none may be added by a typo. */
export const auditRulesSchema = z.strictObject({
  'label-imbalance': plain,
  'pick-shortcut': withP,
  'choices-only': withP,
  'cue-words': plain,
  'token-cue': plain,
  'answer-in-stem': plain,
  'mean-length-gap': z.strictObject({ threshold, minItems: z.number().int().positive() }),
  'length-outlier': z.strictObject({ threshold: z.number().min(1), minWords: z.number().nonnegative() }),
  'duplicate-options': plain,
  'empty-options': plain,
  'duplicate-items': plain,
  'giveaway-option': plain,
  'giveaway-stem': plain,
  'modality-in-stem': plain,
  'target-copy': plain,
  'evidence-shortcut': plain,
  'unreadable-image': plain,
});
export type AuditRules = z.infer<typeof auditRulesSchema>;

export const ruleNames = Object.keys(auditRulesSchema.shape) as readonly (keyof AuditRules)[];

/** `data/lexicons/giveaway.yaml`. */
export const giveawaySchema = z.strictObject({
  options: z.array(z.string().min(1)),
  stems: z.array(z.string().min(1)),
  modalityAcronyms: z.array(z.string().min(1)),
  modalityWords: z.array(z.string().min(1)),
});
export type GiveawayLexicon = z.infer<typeof giveawaySchema>;

/**
 * The rules of `--fail-on`: names joined by commas, or `any`.
 *
 * @throws {GroundmarkError} `unknown-rule` naming the nearest rule
 */
export function parseFailOn(text: string): readonly string[] {
  const names = text.split(',').map((name) => name.trim());
  if (names.includes('any')) return ruleNames;
  const unknown = names.find((name) => !(ruleNames as readonly string[]).includes(name));
  if (unknown === undefined) return names;
  const near = nearest(unknown, ruleNames);
  throw new GroundmarkError(
    'unknown-rule',
    `--fail-on: "${unknown}" is not a rule${near === null ? '.' : `; did you mean ${near}?`} ` +
      `Rules: any, ${ruleNames.join(', ')}.`,
    { rule: unknown },
    { exit: EXIT.usage },
  );
}

/** Flags of the named rules. */
export function failingFlags(flags: readonly Flag[], failOn: readonly string[]): Flag[] {
  return flags.filter(({ rule }) => failOn.includes(rule));
}
