export { reviewerMaker } from './make-reviewer.js';
export { fileName } from './plan-sheets.js';
export { runCheck } from './stages/check.js';
export { runEvidence } from './stages/evidence.js';
export { runNominate } from './stages/nominate.js';
export { runPools } from './stages/pools.js';
export type { RetrieveInput, ReviewInput } from './stages/records.js';
export { runSeries } from './stages/series.js';
export { runSheets } from './stages/sheets.js';
