export { decodeReport, type DecodedReport } from './decode.js';
export { examOf, modalityOf, regionOf, type Exam } from './exam.js';
export { extractFindings } from './extract-findings.js';
export { buildLexicon, type Lexicon } from './lexicon.js';
export { loadLexicon } from './load-lexicon.js';
export { mentionPolarity } from './mention-polarity.js';
export { quoteCheck } from './quote-check.js';
export {
  runFindings,
  type CaseRecord,
  type CaseStatus,
  type FindingsInput,
  type FindingsSummary,
} from './stage.js';
export { checkEngine, readReport } from './read-report.js';
export { targetsOf, type DropReason, type TargetContext } from './targets.js';
