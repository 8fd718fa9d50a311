import { z } from 'zod';
import { nearest } from '../../util/text.js';

/** Longest value that a message quotes. */
const QUOTED = 60;

/**
 * What a schema found wrong in a file of settings: the key, and a sentence with the value found. An unknown key comes
 * with the nearest known one, or with all that are known.
 *
 * Only for files that this project or its user writes: the value found stands in the message.
 */
export function describeIssue(
  schema: z.ZodType,
  value: unknown,
  issue: z.core.$ZodIssue,
): { readonly key: string; readonly text: string } {
  const key = issue.path.join('.') || '(the whole file)';
  if (issue.code === 'unrecognized_keys') {
    const unknown = issue.keys[0]!;
    const known = knownKeys(schema, issue.path);
    const near = nearest(unknown, known);
    const hint = near === null ? `Known keys: ${known.join(', ')}.` : `Did you mean ${near}?`;
    return { key, text: `unknown key ${unknown}. ${hint}` };
  }
  const found = JSON.stringify(valueAt(value, issue.path)) ?? 'nothing';
  const quoted = found.length > QUOTED ? `${found.slice(0, QUOTED)}…` : found;
  return { key, text: `${issue.message}; found ${quoted}.` };
}

/** The keys that a schema knows at a path; [] where it is no object. */
export function knownKeys(schema: z.ZodType, path: readonly PropertyKey[]): string[] {
  let node: Record<string, unknown> = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  for (const part of path) {
    const next =
      typeof part === 'number'
        ? node['items']
        : ((node['properties'] as Record<string, unknown> | undefined)?.[String(part)] ??
          node['additionalProperties']);
    if (next === null || typeof next !== 'object') return [];
    node = next as Record<string, unknown>;
  }
  return Object.keys((node['properties'] as Record<string, unknown> | undefined) ?? {});
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let found = value;
  for (const part of path) {
    if (found === null || typeof found !== 'object') return undefined;
    found = (found as Record<PropertyKey, unknown>)[part];
  }
  return found;
}
