import { z } from 'zod';

/** The version written into every record; a reader refuses a newer one. */
export const SCHEMA_VERSION = 1;

export const schemaVersion = z.literal(SCHEMA_VERSION);

/** A record: known fields are checked, unknown ones survive a round trip. */
export function record<T extends z.ZodRawShape>(shape: T) {
  return z.looseObject({ schemaVersion, ...shape });
}

/** 64 lower-case hexadecimal digits. */
export const sha256Hex = z.string().regex(/^[0-9a-f]{64}$/, 'expected 64 lower-case hexadecimal digits');
