// The library's face: records, configuration, scoring, audit. Everything else is free to change.

// Errors
export { EXIT, GroundmarkError, type ExitCode } from './domain/error.js';

// Records: a zod schema each, and its type
export { SCHEMA_VERSION } from './domain/record.js';
export { indexRowSchema, type IndexRow, type IndexSummary } from './domain/index-row.js';
export {
  mentionSchema,
  reportFindingsSchema,
  targetSchema,
  type Finding,
  type Mention,
  type ReportFindings,
  type Target,
} from './domain/finding.js';
export {
  evidenceSchema,
  nominationSchema,
  poolSchema,
  ratingSchema,
  type Evidence,
  type Nomination,
  type Pool,
  type Rating,
  type RatingValue,
  type SliceRef,
} from './domain/evidence.js';
export {
  itemSchema,
  keyEntrySchema,
  LETTERS,
  type Item,
  type KeyEntry,
  type KeyImage,
  type Letter,
  type Split,
} from './domain/item.js';
export {
  commitmentSchema,
  publicItemSchema,
  releaseManifestSchema,
  sealedSchema,
  type CommitmentRecord,
  type PublicItem,
  type ReleaseManifest,
  type SealedRecord,
} from './domain/release.js';
export { outcomes, responseSchema, type Outcome, type Response } from './domain/response.js';
export {
  scoreReportSchema,
  type Chance,
  type ItemScore,
  type ModelScore,
  type Pair,
  type ScoreReport,
} from './domain/score.js';
export { auditSchema, type Audit, type Flag } from './domain/audit.js';

// Configuration
export { caseRowSchema, configSchema, type Case, type Config } from './domain/config.js';
export { readCases } from './cli/read-cases.js';
export { readConfig } from './cli/read-config.js';

// Scoring: pure functions, no files
export {
  acceptableImages,
  chanceScores,
  EVIDENCE_TOLERANCE_SLICES,
  evidenceChance,
  isEvidenceHit,
  parseReply,
  PARSER_VERSION,
  scoreAnswer,
  scoreEvidence,
  scoreItem,
  scoreResponses,
  selectedIds,
  type ParsedReply,
} from './score/index.js';

// Audit of files, and what it needs from outside
export { parseFieldMap, runAudit, type AuditInput, type FieldMap } from './audit/index.js';
export { inProcessQueue } from './adapters/queue/index.js';
export { fileStore, parseJsonl, toJsonl, type Store } from './adapters/store/index.js';
export type { Deps } from './adapters/deps.js';
