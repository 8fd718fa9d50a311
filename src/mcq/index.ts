export { assignSplits, type SplitGroup, type SplitMode, type SplitRatios } from './assign-splits.js';
export { gatesNamed } from './gates.js';
export { generatorNamed } from './generator.js';
export { validatorNamed } from './validate-set.js';
export { contrastSetRecordSchema, type ContrastSetRecord } from './contrast-set-record.js';
export type { Render, RenderedImage } from './render-images.js';
export { splitRecords, type SplitRecordsResult } from './split-records.js';
export { runMcq, type McqInput, type McqSummary } from './stage.js';
export { namesModality } from './wording-pass.js';
