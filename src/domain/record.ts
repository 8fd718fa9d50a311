import { z } from 'zod';
import { SCHEMA_VERSION } from './schema-version.js';

export { SCHEMA_VERSION };

export const schemaVersion = z.literal(SCHEMA_VERSION);

/** A record: known fields are checked, unknown ones survive a round trip. */
export function record<T extends z.ZodRawShape>(shape: T) {
  return z.looseObject({ schemaVersion, ...shape });
}

/** 64 lower-case hexadecimal digits. */
export const sha256Hex = z.string().regex(/^[0-9a-f]{64}$/, 'expected 64 lower-case hexadecimal digits');
