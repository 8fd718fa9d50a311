/** The version written into every record; a reader refuses a newer one. */
export const SCHEMA_VERSION = 1;
