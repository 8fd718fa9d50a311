export type { AuditItem } from './audit-item.js';
export { parseFieldMap } from './import/field-map.js';
export type { FieldMap } from './import/importer.js';
export { failingFlags, parseFailOn } from './rules.js';
export { runAudit, type AuditInput } from './stage.js';
export { FEATURE_TITLES } from './feature-titles.js';
