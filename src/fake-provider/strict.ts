import { z } from 'zod';
import { Blobs } from './blobs.js';
import { fieldPath, Rejected } from './rejected.js';

/** Whatever the documentation allows there; this stand-in does not look at it. */
export const anything = z.unknown().optional();

/** A field that is documented and that this stand-in does not do. */
export const notDone = z.never('the stand-in does not do this').optional();

/** Documented fields of one kind, for `z.strictObject`. */
export function fields<T extends z.ZodType>(type: T, names: readonly string[]): Record<string, T> {
  return Object.fromEntries(names.map((name) => [name, type]));
}

/**
 * A request body as its documented shape, or the refusal that names the field.
 *
 * @throws {Rejected} code `unknown_parameter` for a field that is not documented
 */
export function strictly<T>(schema: z.ZodType<T>, value: unknown): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0]!;
  if (issue.code === 'unrecognized_keys') {
    const field = fieldPath([...issue.path, issue.keys[0]!]);
    throw new Rejected(`Unknown parameter: '${field}'.`, field, 'unknown_parameter');
  }
  const field = fieldPath(issue.path);
  throw new Rejected(`Invalid value for '${field || 'body'}': ${issue.message}.`, field || null);
}

/** JSON of a request's body. @throws {Rejected} */
export function jsonBody(body: Buffer): unknown {
  return json(() => JSON.parse(body.toString('utf8')) as unknown);
}

/** The same, with its long base64 strings left in the body. @throws {Rejected} */
export function jsonWithBlobs(body: Buffer): ReturnType<typeof Blobs.parse> {
  return json(() => Blobs.parse(body));
}

function json<T>(parse: () => T): T {
  try {
    return parse();
  } catch {
    throw new Rejected('The body is not valid JSON.', null, 'invalid_json');
  }
}
