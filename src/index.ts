export { EXIT, GroundmarkError, type ExitCode } from './domain/error.js';
export { indexRowSchema, type IndexRow, type IndexSummary } from './domain/index-row.js';
