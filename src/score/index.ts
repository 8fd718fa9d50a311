export { chanceScores, comparePairs, evidenceChance, scoreResponses } from './aggregate/index.js';
export { BASELINES, type AnswerModel, type Corpus, type Reply } from './baselines/index.js';
export { toCsv } from './csv.js';
export { percent, percentInterval, pText, pointsText, rateText } from './format.js';
export { toMarkdown } from './markdown.js';
export { parseReply, PARSER_VERSION, type ParsedReply } from './parse-response.js';
export {
  acceptableImages,
  EVIDENCE_TOLERANCE_SLICES,
  isEvidenceHit,
  scoreAnswer,
  scoreEvidence,
  scoreItem,
  selectedIds,
} from '../domain/protocol/index.js';
export {
  renderReport,
  type ReportAudit,
  type ReportData,
  type ReportDataset,
  type ReportFigure,
  type ReportFlag,
  type ReportPicture,
} from './report/index.js';
export {
  planRun,
  runFolderName,
  runModel,
  type RunModelInput,
  type RunPlan,
  type RunSummary,
} from './run/index.js';
export { runScore, type RunScoreInput } from './stage.js';
